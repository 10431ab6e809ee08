import type { Picture } from '#proof/second-ledger/picture.js';
import type { Records } from '#proof/second-ledger/records.js';
import { SecondLedger, type Verdict } from '#proof/second-ledger/second-ledger.js';
import { type CoreUnderTest, type StartCore, slicedBooks, wholeBook } from './core-under-test.js';
import { firstDifference } from './first-difference.js';
import type { History, StartingAccount } from './history.js';
import type { Task } from './task.js';
import { taskOfStep, timeOfStep, userIdOf, userReferenceOf } from './task-of-step.js';

/** More bets than a history can have. */
const ALL_BETS = 500;

/** One step as the second ledger executed it. */
export interface PlayedStep {
  readonly task: Task;
  readonly verdict: Verdict;
  readonly records: Records;
  readonly before: Picture;
  readonly after: Picture;
}

export interface Difference {
  /** Counted from 1. */
  readonly step: number;
  readonly text: string;
}

export type Watch = (step: PlayedStep) => void;

/** Null: no difference. */
export type PlayHistory = (history: History, watch?: Watch) => Difference | null;

/** Plays the history on the second ledger alone, one step for each iteration. */
export function* playOnSecondLedger({ account, steps }: History): Generator<PlayedStep, void> {
  const ledger = startSecondLedger(account);
  for (const [index, step] of steps.entries()) {
    const before = ledger.picture;
    const now = timeOfStep(index);
    ledger.change({ now });
    const task = taskOfStep(step, { account, picture: before, now });
    const verdict = task.kind === 'single' ? ledger.execute(task.operation) : ledger.executeBatch(task.items);
    yield { task, verdict, records: ledger.records, before, after: ledger.picture };
  }
}

const startSecondLedger = ({ allowNegativeBalance, decimals, users }: StartingAccount): SecondLedger =>
  new SecondLedger({
    allowNegativeBalance,
    decimals,
    users: users.map(({ start, preference }, index) => ({
      id: userIdOf(index),
      reference: userReferenceOf(index),
      allowNegativeBalance: preference,
      startBalance: BigInt(start),
    })),
  });

/** Plays the history on the core and on the second ledger, up to their first difference. */
export function playOnCore(history: History, startCore: StartCore, watch?: Watch): Difference | null {
  const core = startCore(history.account);
  let stepNumber = 0;
  for (const step of playOnSecondLedger(history)) {
    stepNumber += 1;
    watch?.(step);
    const text = differenceIn(step, core);
    if (text !== null) return { step: stepNumber, text };
  }
  return null;
}

function differenceIn({ task, verdict, records, after }: PlayedStep, core: CoreUnderTest): string | null {
  let found: Verdict;
  try {
    found = core.run(task);
  } catch (error) {
    return `the core threw: ${String(error)}`;
  }
  const ofCore = core.records();
  // Only the kinds of records that this core under test collects are compared.
  const comparable = Object.fromEntries(Object.entries(records).filter(([kind]) => kind in ofCore));
  const [{ followUps: ofCoreFollowUps, ...ofCoreWritten }, { followUps, ...written }] = [ofCore, comparable];
  return (
    firstDifference({ verdict: found, followUps: ofCoreFollowUps }, { verdict, followUps }) ??
    firstDifference({ ...core.picture(), ...ofCoreWritten }, { ...after, ...written }, 'of the second ledger')
  );
}

/** Plays on one Book with everything in it and, where possible, on Books in slices of one or two offers. */
export const playInAllWays: PlayHistory = (history, watch) => {
  const difference = playOnCore(history, wholeBook(), watch);
  if (difference !== null || !isPlayableInSlices(history)) return difference;
  const inSlices = playOnCore(history, slicedBooks(1 + (history.steps.length % 2)));
  return inSlices === null ? null : { ...inSlices, text: `on books in slices, ${inSlices.text}` };
};

/**
 * A slice holds as many pending bets as one operation may settle. When a batch changes some of them before it settles
 * them, fewer are left, and the worker settles the rest. That is correct too, but the answers differ.
 */
export const isPlayableInSlices = ({ steps }: History): boolean =>
  steps.every(
    (step) => step.do !== 'batch' || step.steps.every((single) => !('bound' in single && single.bound < ALL_BETS)),
  );
