import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { FaultKind, Target } from './fault-kind.js';

export interface PlannedFault {
  readonly kind: FaultKind;
  readonly target: Target;
  /** Since the start of its round. */
  readonly afterMs: number;
  readonly lastsMs: number;
}

/** One fault, or two at once that hit different things. */
export interface FaultRound {
  /** Time without faults before it. */
  readonly gapMs: number;
  readonly faults: readonly PlannedFault[];
}

const SHORTEST_GAP_MS = 300;
const LONGEST_GAP_MS = 2_500;
const TWO_AT_ONCE = 0.5;
/** A longer fault always runs at the same time as another, so that the schedule does not wait for it alone. */
const LONG_MS = 2_500;
/** The second fault of a round must meet the recovery from a first one that was over at once. */
const CONSEQUENCES_MS = 1_000;

/**
 * An endless sequence of rounds in which every kind comes once before any comes again. It does not depend on how long a
 * round takes on this machine, so a seed always gives the same faults.
 */
export function* scheduleFaults(kinds: readonly FaultKind[], chance: SeededRandom): Generator<FaultRound, never> {
  const bag = endlesslyShuffled(kinds, chance);
  let next = bag.next().value;
  for (;;) {
    const first = { kind: next, target: chance.pick(next.targets), afterMs: 0, lastsMs: durationOf(next, chance) };
    next = bag.next().value;
    const isAccompanied = first.lastsMs > LONG_MS || chance.happens(TWO_AT_ONCE);
    const second = isAccompanied ? beside(first, next, chance) : undefined;
    if (second !== undefined) next = bag.next().value;
    yield { gapMs: gap(chance), faults: second === undefined ? [first] : [first, second] };
  }
}

function* endlesslyShuffled(kinds: readonly FaultKind[], chance: SeededRandom): Generator<FaultKind, never> {
  for (;;) yield* chance.shuffle(kinds);
}

/** Undefined when both could only hit the same target. */
function beside(first: PlannedFault, kind: FaultKind, chance: SeededRandom): PlannedFault | undefined {
  const [target] = chance.shuffle(kind.targets.filter((each) => each !== first.target));
  if (target === undefined) return undefined;
  const afterMs = chance.below(Math.max(first.lastsMs / 2, CONSEQUENCES_MS));
  return { kind, target, afterMs, lastsMs: durationOf(kind, chance) };
}

function durationOf({ lasts: [from, to] }: FaultKind, chance: SeededRandom): number {
  return from + chance.below(to - from + 1);
}

/** Mostly short, so that most of a storm has faults. */
function gap(chance: SeededRandom): number {
  return Math.round(SHORTEST_GAP_MS + (LONGEST_GAP_MS - SHORTEST_GAP_MS) * (chance.below(1_000) / 1_000) ** 3);
}
