import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { bettorNames, planEvening } from './evening.js';
import { games, markets, outcomeOf } from './games.js';

describe('the plan of an evening', () => {
  const size = { seed: 3, offers: 1_000 };

  it('is the same for the same seed, and differs for another seed', () => {
    expect(planEvening(size)).toEqual(planEvening(size));
    expect(planEvening({ ...size, seed: 4 })).not.toEqual(planEvening(size));
  });

  it('has the number of offers that was asked for, acceptances, cancels and batches, by all bettors', () => {
    const { bettors, wagers } = planEvening(size);
    const requests = wagers.flatMap((wager) => wager.requests);
    const kinds = (kind: string) => requests.flat().filter(({ operation_type }) => operation_type === kind).length;
    // A batch may bring one more.
    expect([1_000, 1_001]).toContain(kinds('make_bet_offer'));
    expect(kinds('accept_bet_offer')).toBeGreaterThan(500);
    expect(kinds('cancel_bet_offer')).toBeGreaterThan(20);
    expect(requests.filter(({ length }) => length > 1).length).toBeGreaterThan(20);
    expect(requests.every(({ length }) => length <= 20)).toBe(true);
    expect(new Set(bettors.map(({ reference }) => reference)).size).toBe(50);
    expect(bettors.every(({ funds }) => funds > 0 && funds % 50 === 0)).toBe(true);
  });

  it('names every offer after it is made, and at most once: it needs no order of matching', () => {
    for (const { requests } of planEvening(size).wagers) {
      const open = new Set<number>();
      for (const { operation_type, offer } of requests.flat()) {
        if (operation_type === 'make_bet_offer') open.add(offer);
        else expect(open.delete(offer)).toBe(true);
      }
    }
  });

  it('plans gains that sum to zero', () => {
    const { bettors } = planEvening(size);
    expect(bettors.reduce((sum, { won }) => sum + won, 0n)).toBe(0n);
    expect(bettors.filter(({ won }) => won !== 0n).length).toBeGreaterThan(40);
  });

  it('ends in every outcome that a wager can have, corrections included', () => {
    const ends = games.flatMap(({ result, corrected = result }) =>
      markets.flatMap((market) => [outcomeOf(market, result), outcomeOf(market, corrected)]),
    );
    expect(new Set(ends)).toEqual(new Set(['win', 'loss', 'push', 'half-win', 'half-loss', 'void']));
  });
});

describe('chance', () => {
  it('is fair, and heeds weights', () => {
    const chance = createSeededRandom(11);
    const picks = Array.from({ length: 10_000 }, () =>
      chance.pickWeighted([
        { name: 'often', weight: 3 },
        { name: 'rarely', weight: 1 },
      ]),
    );
    const often = picks.filter(({ name }) => name === 'often').length;
    expect(often).toBeGreaterThan(7_200);
    expect(often).toBeLessThan(7_800);
    expect(Array.from({ length: 10_000 }, () => chance.happens(0.1)).filter(Boolean).length).toBeLessThan(1_200);
    expect(new Set(Array.from({ length: 1_000 }, () => chance.pick([1, 2, 3])))).toEqual(new Set([1, 2, 3]));
  });
});

it('every bettor has a name of their own', () => expect(new Set(bettorNames).size).toBe(bettorNames.length));
