import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { faultKinds } from './kinds.js';
import { scheduleOf, type Turn } from './schedule.js';

/** What is ended and started by the fault itself needs about so long, besides being away. */
const RESTART_MS = 1_500;
const restarts = /^PostgreSQL|^Redis killed|stopped/;

const turnsOf = (seed: number, count: number): Turn[] => {
  const schedule = scheduleOf(faultKinds, createSeededRandom(seed));
  return Array.from({ length: count }, () => schedule.next().value);
};

const secondsOf = ({ gapMs, faults }: Turn): number => {
  const ends = faults.map(
    ({ kind, afterMs, lastsMs }) => afterMs + lastsMs + (restarts.test(kind.name) ? RESTART_MS : 0),
  );
  return (gapMs + Math.max(...ends)) / 1_000;
};

const seeds = Array.from({ length: 100 }, (_none, index) => index);

describe('the schedule of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(turnsOf(7, 100)).toEqual(turnsOf(7, 100));
    expect(turnsOf(7, 20)).not.toEqual(turnsOf(8, 20));
  });

  it('has every kind within a minute', () => {
    for (const seed of seeds) {
      const turns = turnsOf(seed, faultKinds.length);
      const missing = new Set(faultKinds);
      let seconds = 0;
      for (const turn of turns) {
        if (missing.size > 0) seconds += secondsOf(turn);
        for (const { kind } of turn.faults) missing.delete(kind);
      }
      expect({ seed, missing: missing.size, isInTime: seconds < 60 }).toEqual({ seed, missing: 0, isInTime: true });
    }
  });

  it('hits different things when two faults come at once, which is not rare', () => {
    const turns = seeds.flatMap((seed) => turnsOf(seed, 20));
    const pairs = turns.filter(({ faults }) => faults.length === 2);
    expect(pairs.length / turns.length).toBeGreaterThan(0.4);
    for (const { faults } of pairs) expect(new Set(faults.map(({ target }) => target)).size).toBe(2);
  });

  it('keeps to what a kind can hit and how long it lasts, and leaves some calm', () => {
    for (const { gapMs, faults } of seeds.flatMap((seed) => turnsOf(seed, 20))) {
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
