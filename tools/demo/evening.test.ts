import { describe, expect, it } from '@jest/globals';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { planEvening } from './evening.js';
import { markets, matches, outcomeOf } from './matches.js';
import { names } from './names.js';
import { Slate } from './slate.js';

describe('the plan of an evening', () => {
  const size = { seed: 3, offers: 1_000 };

  it('is the same for the same seed, and another one for another', () => {
    expect(planEvening(size)).toEqual(planEvening(size));
    expect(planEvening({ ...size, seed: 4 })).not.toEqual(planEvening(size));
  });

  it('has as many offers as were asked for, acceptances, cancels and batches, by everybody', () => {
    const { bettors, wagers } = planEvening(size);
    const steps = wagers.flatMap((wager) => wager.steps);
    const kinds = (kind: string) => steps.flat().filter(({ operation_type }) => operation_type === kind).length;
    // A batch may bring one more.
    expect([1_000, 1_001]).toContain(kinds('make_bet_offer'));
    expect(kinds('accept_bet_offer')).toBeGreaterThan(500);
    expect(kinds('cancel_bet_offer')).toBeGreaterThan(20);
    expect(steps.filter(({ length }) => length > 1).length).toBeGreaterThan(20);
    expect(steps.every(({ length }) => length <= 20)).toBe(true);
    expect(new Set(bettors.map(({ reference }) => reference)).size).toBe(50);
    expect(bettors.every(({ funds }) => funds > 0 && funds % 50 === 0)).toBe(true);
  });

  it('ends in every way that a wager can, once it is corrected', () => {
    const ends = matches.flatMap(({ result, corrected = result }) =>
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

describe('the open offers', () => {
  const slate = new Slate();
  slate.add({ bettor: 'ann', odds: 2, amount: 10 });
  slate.add({ bettor: 'bob', odds: 1.5, amount: 5 });
  slate.add({ bettor: 'cid', odds: 2, amount: 10 });

  it('are taken from the lowest odds on, the oldest first, and never from oneself', () => {
    expect(slate.take('bob', 3, 12)).toEqual([
      { odds: 2, amount: 10 },
      { odds: 2, amount: 2 },
    ]);
    expect(slate.take('ann', 1.5, 99)).toEqual([{ odds: 1.5, amount: 5 }]);
    expect(slate.offers).toEqual([{ bettor: 'cid', odds: 2, amount: 8 }]);
  });

  it('are canceled for an amount, or all of them', () => {
    slate.cancel('cid', 3);
    expect(slate.offers).toEqual([{ bettor: 'cid', odds: 2, amount: 5 }]);
    slate.cancel('ann');
    slate.cancel('cid');
    expect(slate.offers).toEqual([]);
  });
});

it('nobody is there twice', () => expect(new Set(names).size).toBe(names.length));
