import { describe, expect, it } from '@jest/globals';
import { acceptance, admin, amounts, bookWith, decision, done, moneyOf, NOW, offer } from '#testing/core/builders.js';
import type { Book } from './book.js';
import { execute } from './operation.js';

const SECOND = 1_000_000n;

/** u2 takes 100 of u1 at odds 3 now (101), a second later (102) and two seconds later (103). */
const threeBets = () => {
  const book = bookWith(1000, 1000);
  for (const seconds of [0n, 1n, 2n]) {
    book.now = NOW + seconds * SECOND;
    done(book, offer());
    done(book, acceptance());
  }
  return book;
};
const voiding = (bound = 500) => ({ ...decision('win'), voidMatchedAfter: NOW + SECOND, bound });
const outcomes = (book: Book) => [...book.bets.values()].map(({ settledOutcome }) => settledOutcome);

describe('a decision that voids what was matched late', () => {
  it('voids the bets from that moment on, in the same decision', () => {
    const book = threeBets();
    expect(done(book, voiding())).toMatchObject({ settledCount: 3, remainingCount: 0 });
    expect(outcomes(book)).toEqual(['win', 'void', 'void']);
    expect(book.bets.get(102n)).toMatchObject({ overrideOutcome: 'void', offerStatus: 'accepted' });
    expect(moneyOf(book, 1)).toEqual(amounts(1200, 0));
    expect(book.changes().trails.at(-1)).toMatchObject({ kinds: ['bet.overridden', 'bet.settled'] });
    expect(book.wager(11n).voidFrom).toBeNull();
  });

  it('replaces other overrides, and voids inactive bets', () => {
    const book = threeBets();
    done(book, { type: 'override_bet_outcome', betId: 102n, overrideOutcome: 'loss' });
    done(book, { type: 'set_bet_active', betId: 103n, isActive: false, action: admin });
    done(book, voiding());
    expect([...book.bets.values()].map(({ overrideOutcome }) => overrideOutcome)).toEqual([null, 'void', 'void']);
    expect(moneyOf(book, 1)).toEqual(amounts(1200, 0));
  });

  it('is corrected like overrides', () => {
    const book = threeBets();
    done(book, voiding());
    done(book, { type: 'force_bet_override', betId: 102n, overrideOutcome: null, action: admin });
    expect(outcomes(book)).toEqual(['win', 'win', 'void']);
    done(book, { type: 'force_wager_outcome', wagerReference: 'w', outcome: 'loss', bound: 500, action: admin });
    expect(outcomes(book)).toEqual(['loss', 'loss', 'void']);
  });

  it('goes on in the chunks of the worker, also when another decision comes between', () => {
    const book = threeBets();
    done(book, voiding(1));
    expect(
      execute(book, { type: 'force_bet_override', betId: 103n, overrideOutcome: 'win', action: admin }),
    ).toMatchObject({
      code: 'bet-void-due',
    });
    done(book, { type: 'force_wager_outcome', wagerReference: 'w', outcome: 'undecided', bound: 0, action: admin });
    expect(execute(book, offer())).toMatchObject({ code: 'wager-decided' });
    expect(done(book, { type: 'settle_chunk', wagerId: 11n, bound: 10 })).toMatchObject({ isComplete: true });
    expect(outcomes(book)).toEqual([null, 'void', 'void']);
    expect(book.wager(11n).voidFrom).toBeNull();
    done(book, offer());
  });

  it('needs an outcome', () => {
    const undecided = { ...voiding(), outcome: 'undecided' } as const;
    expect(execute(threeBets(), undecided)).toMatchObject({ kind: 'malformed' });
  });
});
