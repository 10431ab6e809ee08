import { describe, expect, it } from '@jest/globals';
import {
  acceptance,
  admin,
  amounts,
  bookWith,
  cancellation,
  decision,
  done,
  micros,
  moneyOf,
  offer,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { execute, needsOf } from './operation.js';

/** u1 backs 100 at odds 3 (101), u2 lays it. */
const matchedBook = () => {
  const book = bookWith(1000, 1000);
  done(book, offer());
  done(book, acceptance());
  return book;
};
const override = (overrideOutcome: 'win' | 'loss' | 'undecided' | 'push', betId = 101n) =>
  ({ type: 'override_bet_outcome', betId, overrideOutcome }) as const;
const check = (book: ReturnType<typeof matchedBook>) =>
  expect(differencesIn(ledgerOf(book), () => micros(1000))).toEqual([]);

describe('an override of a bet', () => {
  it('settles the bet at once, and outlives the decision of the wager', () => {
    const book = matchedBook();
    expect(done(book, override('win'))).toEqual({ betId: 101n });
    expect(moneyOf(book, 1)).toEqual(amounts(1200, 0));
    expect(book.bets.get(101n)).toMatchObject({
      offerStatus: 'accepted',
      overrideOutcome: 'win',
      settledOutcome: 'win',
    });
    expect(book.changes().trails.at(-1)).toMatchObject({
      description: 'Outcome overridden: win',
      outcome: 'undecided',
      overrideOutcome: 'win',
      offerStatus: 'accepted',
    });
    done(book, decision('loss'));
    expect(moneyOf(book, 1)).toEqual(amounts(1200, 0));
    check(book);
  });

  it('settles anew by a reversal and a settlement on the same trail entry', () => {
    const book = matchedBook();
    done(book, decision('win'));
    done(book, override('loss'));
    expect(moneyOf(book, 1)).toEqual(amounts(900, 0));
    const { trails, transactions } = book.changes();
    const trail = trails.at(-1);
    const reversal = { description: 'Settlement reversed: win', amount: micros(200), trail };
    const settlement = { description: 'Bet settled: loss', amount: micros(100), trail };
    expect(transactions.slice(2)).toMatchObject([
      { userId: 1n, transactionType: 'debit', ...reversal },
      { userId: 2n, transactionType: 'credit', ...reversal },
      { userId: 1n, transactionType: 'debit', ...settlement },
      { userId: 2n, transactionType: 'credit', ...settlement },
    ]);
    check(book);
  });

  it('un-settles the bet with `undecided`, also in a decided wager', () => {
    const book = matchedBook();
    done(book, decision('push'));
    done(book, override('undecided'));
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 100));
    expect(moneyOf(book, 2)).toEqual(amounts(1000, 200));
    expect(book.changes().transactions.slice(2)).toMatchObject([
      { description: 'Settlement reversed: push', transactionType: 'no-action', amount: 0n },
      { description: 'Settlement reversed: push', transactionType: 'no-action', amount: 0n },
    ]);
    check(book);
  });

  it('moves nothing when the outcome stays the same, but writes a trail entry', () => {
    const book = matchedBook();
    done(book, override('win'));
    done(book, override('win'));
    expect(book.changes().transactions).toHaveLength(2);
    expect(book.changes().trails).toHaveLength(4);
    check(book);
  });

  it.each([
    ['not-found', 'Bet not found', override('win', 999n)],
    ['invalid', "bet offer status must be 'accepted'", override('win', 102n)],
    ['invalid', "bet offer status must be 'accepted'", override('win', 103n)],
    ['invalid', "bet offer status must be 'accepted'", override('win', 104n)],
    ['invalid', 'bet is not active', override('win', 101n)],
  ])('%s: %s', (kind, text, operation) => {
    const book = matchedBook();
    done(book, offer({ wagerReference: 'x' }));
    done(book, offer());
    done(book, cancellation({ betId: 103n }));
    done(book, offer());
    done(book, acceptance());
    done(book, { type: 'force_bet_override', betId: 104n, overrideOutcome: 'win', action: admin });
    done(book, { type: 'set_bet_active', betId: 101n, isActive: false, action: admin });
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
    check(book);
  });

  it('needs the bet', () => {
    expect(needsOf(override('win')).betIds).toEqual([101n]);
  });
});
