import type { Picture } from '#proof/second-ledger/recompute.js';
import type { Records } from '#proof/second-ledger/records.js';
import { SecondLedger, type Verdict } from '#proof/second-ledger/second-ledger.js';
import { type Act, actOf, userIdOf, userReferenceOf } from './act.js';
import { type Core, type StartCore, slicedBooks, wholeBook } from './cores.js';
import { firstDifference } from './difference.js';
import type { History, World } from './history.js';

/** A bound above the number of bets that a history can have. */
const ALL = 500;

/** One step as the second ledger sees it. */
export interface Scene {
  readonly act: Act;
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

export type Watch = (scene: Scene) => void;

/** Null: no difference. */
export type PlayHistory = (history: History, watch?: Watch) => Difference | null;

/** Plays the history on the second ledger alone. */
export function* scenesOf({ world, steps }: History): Generator<Scene, void> {
  const ledger = startSecondLedger(world);
  for (const step of steps) {
    const before = ledger.picture;
    const act = actOf(step, world, before);
    const verdict = act.kind === 'single' ? ledger.execute(act.operation) : ledger.executeBatch(act.items);
    yield { act, verdict, records: ledger.records, before, after: ledger.picture };
  }
}

const startSecondLedger = ({ allowNegativeBalance, users }: World): SecondLedger =>
  new SecondLedger({
    allowNegativeBalance,
    users: users.map(({ start, preference }, index) => ({
      id: userIdOf(index),
      reference: userReferenceOf(index),
      allowNegativeBalance: preference,
      startBalance: BigInt(start),
    })),
  });

/** Plays the history on the core and on the second ledger, up to their first difference; null: there is none. */
export function play(history: History, startCore: StartCore, watch?: Watch): Difference | null {
  const core = startCore(history.world);
  let step = 0;
  for (const scene of scenesOf(history)) {
    step += 1;
    watch?.(scene);
    const text = differenceIn(scene, core);
    if (text !== null) return { step, text };
  }
  return null;
}

function differenceIn({ act, verdict, records, after }: Scene, core: Core): string | null {
  let found: Verdict;
  try {
    found = core.run(act);
  } catch (error) {
    return `the core threw: ${String(error)}`;
  }
  const kept = core.records();
  // Records that this way of holding the core does not keep are not compared.
  const comparable = Object.fromEntries(Object.entries(records).filter(([kind]) => kind in kept));
  return firstDifference({ verdict: found, ...core.picture(), ...kept }, { verdict, ...after, ...comparable });
}

/** On one Book, and, where the history allows, on books in slices of one offer or two. */
export const playInAllWays: PlayHistory = (history, watch) => {
  const difference = play(history, wholeBook(), watch);
  if (difference !== null || !fitsSlices(history)) return difference;
  const inSlices = play(history, slicedBooks(1 + (history.steps.length % 2)));
  return inSlices === null ? null : { ...inSlices, text: `on books in slices, ${inSlices.text}` };
};

/**
 * A slice holds as many pending bets as may be settled at once. Where a batch changes some of those before it settles
 * them, fewer than allowed are left, and the rest is the worker's: right as well, but not the same.
 */
const fitsSlices = ({ steps }: History): boolean =>
  steps.every(
    (step) => step.do !== 'batch' || step.steps.every((single) => !('bound' in single && single.bound < ALL)),
  );
