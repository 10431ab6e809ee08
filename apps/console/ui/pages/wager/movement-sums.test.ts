import { describe, expect, it } from '@jest/globals';
import { movementOf } from '#core/impact.js';
import { asMicros, type OddsMicros } from '#core/money.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import { DECIDED } from '../ledger/tags.js';
import { MovementSums, microsOf, movementsOf } from './movement-sums.js';

const bet = { id: 1, requesterId: 1, acceptorId: 2, odds: 2.5, amount: 10, moves: true };

describe('the movements of a bet', () => {
  it('are those of the ledger, to the millionth', () => {
    const random = createSeededRandom(18);
    for (let round = 0; round < 2_000; round += 1) {
      const odds = (1_000_000 + random.below(9_000_000)) / 1_000_000;
      const amount = (1 + random.below(1_000_000_000)) / 1_000_000;
      const terms = { odds: microsOf(odds) as OddsMicros, amount: asMicros(microsOf(amount)) };
      const movements = movementsOf({ odds, amount });
      expect([odds, amount, movements]).toEqual([odds, amount, DECIDED.map((outcome) => movementOf(outcome, terms))]);
    }
  });
});

describe('sums of movements', () => {
  it('follow bets that come and change, beside what the present outcome comes to', () => {
    const sums = new MovementSums();
    sums.put(bet);
    sums.put({ ...bet, id: 2, requesterId: 2, acceptorId: 3, odds: 2, amount: 4 });
    expect(sums.ofRequesters('undecided')).toMatchObject({ win: 19, 'half-win': 9.5, push: 0, loss: -14 });
    expect(sums.ofRequesters('loss')).toMatchObject({ win: 33, push: 14, 'half-loss': 7, loss: 0 });
    expect(sums.mostAffected('undecided', 2).map(({ userId, figures }) => [userId, figures.win])).toEqual([
      [1, 15],
      [2, -11],
    ]);
    sums.put({ ...bet, moves: false });
    expect([sums.bets, sums.moving, sums.ofRequesters('undecided').win]).toEqual([2, 1, 4]);
    expect(sums.mostAffected('undecided', 9).map(({ userId }) => userId)).toEqual([2, 3, 1]);
  });
});
