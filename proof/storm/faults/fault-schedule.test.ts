import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { faultKinds } from './fault-kinds.js';
import { type FaultRound, scheduleFaults } from './fault-schedule.js';

/** About how long a process or service takes to stop and start, beside the time that it is away. */
const RESTART_MS = 1_500;
const restarts = /^PostgreSQL|^Redis killed|stopped/;

const roundsOf = (seed: number, count: number): FaultRound[] => {
  const schedule = scheduleFaults(faultKinds, createSeededRandom(seed));
  return Array.from({ length: count }, () => schedule.next().value);
};

const secondsOf = ({ gapMs, faults }: FaultRound): number => {
  const ends = faults.map(
    ({ kind, afterMs, lastsMs }) => afterMs + lastsMs + (restarts.test(kind.name) ? RESTART_MS : 0),
  );
  return (gapMs + Math.max(...ends)) / 1_000;
};

const seeds = Array.from({ length: 100 }, (_none, index) => index);

describe('the schedule of faults', () => {
  it('is the same for the same seed, and differs for another', () => {
    expect(roundsOf(7, 100)).toEqual(roundsOf(7, 100));
    expect(roundsOf(7, 20)).not.toEqual(roundsOf(8, 20));
  });

  it('injects every kind within a minute', () => {
    for (const seed of seeds) {
      const rounds = roundsOf(seed, faultKinds.length);
      const missing = new Set(faultKinds);
      let seconds = 0;
      for (const round of rounds) {
        if (missing.size > 0) seconds += secondsOf(round);
        for (const { kind } of round.faults) missing.delete(kind);
      }
      expect({ seed, missing: missing.size, isInTime: seconds < 60 }).toEqual({ seed, missing: 0, isInTime: true });
    }
  });

  it('gives the two faults of a round different targets, and often has two', () => {
    const rounds = seeds.flatMap((seed) => roundsOf(seed, 20));
    const pairs = rounds.filter(({ faults }) => faults.length === 2);
    expect(pairs.length / rounds.length).toBeGreaterThan(0.4);
    for (const { faults } of pairs) expect(new Set(faults.map(({ target }) => target)).size).toBe(2);
  });

  it('respects the targets and durations of each kind, and leaves gaps', () => {
    for (const { gapMs, faults } of seeds.flatMap((seed) => roundsOf(seed, 20))) {
      expect(gapMs).toBeGreaterThanOrEqual(300);
      expect(gapMs).toBeLessThanOrEqual(3_000);
      for (const { kind, target, lastsMs } of faults) {
        expect(kind.targets).toContain(target);
        expect(lastsMs).toBeGreaterThanOrEqual(kind.lasts[0]);
        expect(lastsMs).toBeLessThanOrEqual(kind.lasts[1]);
      }
    }
  });
});
