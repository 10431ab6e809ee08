/*
 * Decides whether a history of overlapping operations is linearizable (Herlihy and Wing): whether some order, with each
 * operation at one moment between its call and its answer, explains all answers. The search is that of Wing and Gong
 * with two ideas of Lowe: it places an operation only when an answer forces it, and visits no situation twice.
 */

/** When an operation was called and answered, by one clock. */
export interface Interval {
  readonly calledAt: number;
  readonly answeredAt: number;
}

/** The object that the operations work on, as if they ran one at a time. */
export interface Model<Operation> {
  /** Applies the operation if it can happen now with its answer. False: it cannot, and nothing has changed. */
  apply(operation: Operation): boolean;
  /** Undoes the latest operation that is not undone yet. */
  undo(): void;
  /** Equal for equal states, different for different ones. */
  key(): string;
}

export type Verdict<Operation> =
  | { readonly verdict: 'linearizable'; readonly steps: number; readonly widest: number }
  /** No order explains the answer of `stuck`. The operations `beside` it overlap with it. */
  | { readonly verdict: 'not linearizable'; readonly stuck: Operation; readonly beside: readonly Operation[] }
  | { readonly verdict: 'undecided'; readonly steps: number };

export interface SearchOptions {
  /** How many operations the search tries before it gives up. */
  readonly maxSteps?: number;
}

const MAX_STEPS = 5_000_000;

/** The moment at which an operation was answered; it must have happened by then. */
interface Deadline {
  readonly index: number;
  /** The operations called by then and not answered before, the earliest deadline first. */
  readonly open: readonly number[];
}

/** The operations to try next while the search stands before a deadline. */
interface Choice {
  readonly deadline: number;
  next: number;
  /** The operation whose consequences the search is trying. */
  chosen: number | undefined;
}

export function checkLinearizable<Operation extends Interval>(
  operations: readonly Operation[],
  model: Model<Operation>,
  { maxSteps = MAX_STEPS }: SearchOptions = {},
): Verdict<Operation> {
  const deadlines = deadlinesOf(operations);
  const isDone = new Uint8Array(operations.length);
  const seen = new Set<string>();
  const choices: Choice[] = [];
  let steps = 0;
  let furthest = 0;

  const nextDeadline = (from: number): number => {
    let at = from;
    while (isDone[deadlines[at]?.index ?? -1] === 1) at += 1;
    return at;
  };
  const isNew = (deadline: number): boolean => {
    const done = deadlines[deadline]?.open.filter((index) => isDone[index] === 1);
    const situation = `${deadline} ${done?.join()} ${model.key()}`;
    if (seen.has(situation)) return false;
    seen.add(situation);
    return true;
  };
  const takeBack = (choice: Choice): void => {
    if (choice.chosen === undefined) return;
    model.undo();
    isDone[choice.chosen] = 0;
    choice.chosen = undefined;
  };

  if (deadlines.length > 0) choices.push({ deadline: 0, next: 0, chosen: undefined });
  for (let choice = choices.at(-1); choice !== undefined; choice = choices.at(-1)) {
    takeBack(choice);
    const index = deadlines[choice.deadline]?.open[choice.next];
    choice.next += 1;
    if (index === undefined) {
      choices.pop();
      continue;
    }
    if (isDone[index] === 1) continue;
    steps += 1;
    if (steps > maxSteps) return { verdict: 'undecided', steps };
    if (!model.apply(operations[index] as Operation)) continue;
    isDone[index] = 1;
    choice.chosen = index;
    const deadline = nextDeadline(choice.deadline);
    if (deadline === deadlines.length) return { verdict: 'linearizable', steps, widest: widestOf(deadlines) };
    furthest = Math.max(furthest, deadline);
    if (isNew(deadline)) choices.push({ deadline, next: 0, chosen: undefined });
  }
  return deadlines.length === 0
    ? { verdict: 'linearizable', steps, widest: 0 }
    : { verdict: 'not linearizable', ...failureAt(operations, deadlines[furthest] as Deadline) };
}

/** Deadlines in the order of the answers. Intervals that touch count as overlapping, because clocks are coarse. */
function deadlinesOf(operations: readonly Interval[]): Deadline[] {
  const byCall = [...operations.keys()].sort((one, other) => callOf(operations, one) - callOf(operations, other));
  const byAnswer = [...operations.keys()].sort((one, other) => answerOf(operations, one) - answerOf(operations, other));
  const open = new Set<number>();
  let called = 0;
  return byAnswer.map((index) => {
    const answeredAt = answerOf(operations, index);
    for (let next = byCall[called]; next !== undefined; next = byCall[called]) {
      if (callOf(operations, next) > answeredAt) break;
      open.add(next);
      called += 1;
    }
    const sorted = [...open].sort((one, other) => answerOf(operations, one) - answerOf(operations, other));
    open.delete(index);
    return { index, open: sorted };
  });
}

const callOf = (operations: readonly Interval[], index: number): number => operations[index]?.calledAt ?? 0;
const answerOf = (operations: readonly Interval[], index: number): number => operations[index]?.answeredAt ?? 0;

const widestOf = (deadlines: readonly Deadline[]): number =>
  deadlines.reduce((widest, { open }) => Math.max(widest, open.length), 0);

function failureAt<Operation extends Interval>(operations: readonly Operation[], { index }: Deadline) {
  const stuck = operations[index] as Operation;
  const beside = operations.filter(
    (other) => other !== stuck && other.calledAt <= stuck.answeredAt && other.answeredAt >= stuck.calledAt,
  );
  return { stuck, beside };
}
