import { describe, expect, it } from '@jest/globals';
import { acceptance, bookWith, cancellation, done, micros, moneyOf, odds, offer } from '#testing/core/builders.js';
import type { Book } from './book.js';
import { EVERYONE } from './offers.js';
import type { Bet } from './records.js';

// A user's only offer on a wager is a position that is not stored. Everything else is.

const inserted = (book: Book) => book.changes().insertedPositions.map(({ userId, offered }) => [userId, offered]);

/** The Book of the next transaction, with wager w, on which u1 has one offer: bet 101. */
function nextBook(): Book {
  const store = bookWith(1000, 1000);
  done(store, offer());
  const book = bookWith(1000, 1000);
  book.nextBetId();
  Object.assign(book.user(1n), store.user(1n));
  book.loadWager({ ...store.wager(11n) });
  book.loadUnstoredPosition(1n, 11n, micros(100));
  book.loadUnstoredPosition(2n, 11n);
  book.loadBet({ ...(store.bets.get(101n) as Bet) });
  return book;
}

describe('a lone offer', () => {
  it('is no position to store, and neither is one that has gone again', () => {
    const book = bookWith(1000, 1000);
    done(book, offer());
    expect([inserted(book), moneyOf(book, 1)]).toEqual([[], [micros(1000), micros(100)]]);
    done(book, cancellation());
    expect([inserted(book), moneyOf(book, 1)]).toEqual([[], [micros(1000), micros(0)]]);
  });

  it('is one with a second offer, of one group or of two', () => {
    const book = bookWith(1000, 1000);
    for (const _ of [1, 2]) done(book, offer());
    expect(inserted(book)).toEqual([[1n, micros(200)]]);
    const next = nextBook();
    done(next, offer({ requestingAmount: micros(30) }));
    expect([inserted(next), moneyOf(next, 1)]).toEqual([[[1n, micros(130)]], [micros(1000), micros(130)]]);
  });

  it('is one with a second offer of the same amount', () => {
    const next = nextBook();
    done(next, offer());
    expect(inserted(next)).toEqual([[1n, micros(200)]]);
  });

  it('that is matched is a position of both users, also when its rest is the only offer', () => {
    const next = nextBook();
    next.cover(11n, EVERYONE, 'all');
    done(next, acceptance({ acceptingAmount: micros(40), maximumOdds: odds(3) }));
    expect(inserted(next)).toEqual([
      [1n, micros(60)],
      [2n, micros(0)],
    ]);
    expect(moneyOf(next, 1)).toEqual([micros(1000), micros(100)]);
  });

  it('that another one replaces is none, and one that is canceled leaves none', () => {
    const next = nextBook();
    next.cover(11n, { kind: 'ownOf', requestingUserId: 1n, minimumOdds: null, maximumOdds: null }, 'all');
    done(next, cancellation());
    expect([inserted(next), moneyOf(next, 1)]).toEqual([[], [micros(1000), micros(0)]]);
    done(next, offer({ requestingAmount: micros(30) }));
    expect([inserted(next), moneyOf(next, 1)]).toEqual([[], [micros(1000), micros(30)]]);
    expect(next.changes().updatedPositions).toEqual([]);
  });
});
