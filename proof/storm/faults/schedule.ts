import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { FaultKind, Target } from './fault.js';

export interface PlannedFault {
  readonly kind: FaultKind;
  readonly target: Target;
  /** Since the beginning of its turn. */
  readonly afterMs: number;
  readonly lastsMs: number;
}

/** One fault, or two at once that hit different things. */
export interface Turn {
  /** Calm before it. */
  readonly gapMs: number;
  readonly faults: readonly PlannedFault[];
}

const SHORTEST_GAP_MS = 300;
const LONGEST_GAP_MS = 3_000;
const TWO_AT_ONCE = 0.5;
/** A fault that lasts longer is never alone: the others shall not have to wait for it. */
const LONG_MS = 2_500;
/** What is over at once has consequences that last: the second fault of a turn shall meet them. */
const CONSEQUENCES_MS = 1_000;

/**
 * What happens, and in which order, without end; every kind comes once before one comes again. It does not ask how long
 * a turn takes on this machine, so a seed always plays the same faults.
 */
export function* scheduleOf(kinds: readonly FaultKind[], chance: SeededRandom): Generator<Turn, never> {
  const bag = shuffledAgainAndAgain(kinds, chance);
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

function* shuffledAgainAndAgain(kinds: readonly FaultKind[], chance: SeededRandom): Generator<FaultKind, never> {
  for (;;) yield* chance.shuffle(kinds);
}

/** None where both could only hit the same. */
function beside(first: PlannedFault, kind: FaultKind, chance: SeededRandom): PlannedFault | undefined {
  const [target] = chance.shuffle(kind.targets.filter((each) => each !== first.target));
  if (target === undefined) return undefined;
  const afterMs = chance.below(Math.max(first.lastsMs / 2, CONSEQUENCES_MS));
  return { kind, target, afterMs, lastsMs: durationOf(kind, chance) };
}

function durationOf({ lasts: [from, to] }: FaultKind, chance: SeededRandom): number {
  return from + chance.below(to - from + 1);
}

/** Mostly short: calm is not what a storm is for. */
function gap(chance: SeededRandom): number {
  return Math.round(SHORTEST_GAP_MS + (LONGEST_GAP_MS - SHORTEST_GAP_MS) * (chance.below(1_000) / 1_000) ** 3);
}
