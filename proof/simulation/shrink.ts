import type { History, Step } from './history.js';

/** A shorter history that still fails: without any of its steps, or with any value simpler, it would not. */
export function shrink(history: History, fails: (history: History) => boolean): History {
  let shortest = { ...history, steps: leaveOut(history.steps, (steps) => fails({ ...history, steps })) };
  for (;;) {
    const simpler = simplerOf(shortest, 'history').find(fails);
    if (simpler === undefined) return shortest;
    shortest = simpler;
  }
}

/** Delta debugging: leaves out all items, then halves, quarters and so on, while the remaining items fail. */
export function leaveOut<Item>(items: readonly Item[], fails: (items: readonly Item[]) => boolean): readonly Item[] {
  let left = items;
  for (let size = items.length; size >= 1; ) {
    const shorter = withoutOneRun(left, size).find(fails);
    if (shorter === undefined) size = Math.floor(size / 2);
    else left = shorter;
  }
  return left;
}

const withoutOneRun = <Item>(items: readonly Item[], size: number): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.toSpliced(index * size, size));

/** By field, the simplest value first. A value is only replaced by one before it, so shrinking comes to an end. */
const simpleValues: Readonly<Record<string, readonly unknown[]>> = {
  user: [0, 1, 2],
  by: ['id'],
  of: [null],
  among: ['any'],
  where: ['bet'],
  index: [0, 1, 2],
  wager: [0, 1],
  odds: [2_000_000, 1_000_000, 3_000_000],
  minimumOdds: [null],
  maximumOdds: [null],
  amount: [1_000_000, 2_000_000, 3_000_000, 1],
  endsInSteps: [undefined],
  isEndGivenInSeconds: [false],
  endsOnSuspend: [false],
  isAll: [true],
  isAllowedById: [true],
  isIdRepeated: [false],
  outcome: ['win', 'loss', 'undecided'],
  bound: [500, 1],
  allowNegativeBalance: [false],
  preference: [null],
  start: [100_000_000, 1_000_000_000],
};

/** Every copy of the value in which one part is simpler. */
function simplerOf<Value>(value: Value, field: string): Value[] {
  const known = simpleValues[field] ?? [];
  const at = known.indexOf(value);
  const simpler = (at < 0 ? known : known.slice(0, at)) as Value[];
  if (Array.isArray(value)) return [...simpler, ...simplerLists(value, field)] as Value[];
  if (typeof value !== 'object' || value === null) return simpler;
  const parts = Object.entries(value).flatMap(([name, part]) =>
    simplerOf<unknown>(part, name).map((simplerPart) => ({ ...value, [name]: simplerPart })),
  );
  return [...simpler, ...parts];
}

/** At least one user remains. A batch of one step may be replaced by that step. */
const simplerLists = (items: readonly unknown[], field: string): unknown[] => [
  ...(field === 'users' && items.length === 1 ? [] : withoutOneRun(items, 1)),
  ...items.flatMap((item, index) =>
    [...stepsInside(item), ...simplerOf(item, '')].map((simpler) => items.with(index, simpler)),
  ),
];

const stepsInside = (item: unknown): readonly unknown[] => {
  const step = item as Partial<Step> | null;
  return typeof step === 'object' && step?.do === 'batch' && step.steps?.length === 1 ? step.steps : [];
};
