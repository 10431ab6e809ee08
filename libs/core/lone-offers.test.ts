import { describe, expect, it } from '@jest/globals';
import { acceptance, bookWith, cancellation, done, micros, moneyOf, offer } from '#testing/core/builders.js';
import type { Book } from './book.js';
import { EVERYONE } from './offers.js';
import type { Bet } from './records.js';

const inserted = (book: Book) => book.changes().insertedPositions.map(({ userId, offered }) => [userId, offered]);

/** The Book of the next transaction, with wager w, on which u1 has one offer: bet 101. */
function nextBook(): Book {
  const store = bookWith(1000, 1000);
  done(store, offer());
  const book = bookWith(1000, 1000);
  book.nextBetId();
  Object.assign(book.user(1n), store.user(1n));
  book.loadWager({ ...store.wager(11n) });
  book.positions.loadLoneOffer({ userId: 1n, wagerId: 11n, offered: micros(100) });
  book.positions.loadEmpty(2n, 11n);
  book.loadBet({ ...(store.bets.get(101n) as Bet) });
  return book;
}

describe('the position of a lone offer', () => {
  it('is not stored, nor is an empty one', () => {
    const book = bookWith(1000, 1000);
    done(book, offer());
    expect([inserted(book), moneyOf(book, 1)]).toEqual([[], [micros(1000), micros(100)]]);
    done(book, cancellation());
    expect([inserted(book), moneyOf(book, 1)]).toEqual([[], [micros(1000), micros(0)]]);
  });

  it('is stored with a second offer of the same group', () => {
    const book = bookWith(1000, 1000);
    for (const amount of [100, 30]) done(book, offer({ requestingAmount: micros(amount) }));
    expect(inserted(book)).toEqual([[1n, micros(130)]]);
  });

  it.each([30, 100])('is stored with a second offer of a later group, of %s', (amount) => {
    const next = nextBook();
    done(next, offer({ requestingAmount: micros(amount) }));
    expect([inserted(next), moneyOf(next, 1)]).toEqual([
      [[1n, micros(100 + amount)]],
      [micros(1000), micros(100 + amount)],
    ]);
  });

  it('is stored for both users when it is matched, also when its rest is the only offer', () => {
    const next = nextBook();
    next.cover(11n, EVERYONE, 'all');
    done(next, acceptance({ acceptingAmount: micros(40) }));
    expect(inserted(next)).toEqual([
      [1n, micros(60)],
      [2n, micros(0)],
    ]);
    expect(moneyOf(next, 1)).toEqual([micros(1000), micros(100)]);
  });

  it('is stored beside matched bets that cancel out, and so is an empty one', () => {
    const book = bookWith(1000, 1000);
    done(book, offer());
    done(book, acceptance());
    done(book, offer({ requestingUser: { id: 2n } }));
    done(book, acceptance({ acceptingUser: { id: 1n } }));
    done(book, offer({ requestingAmount: micros(5) }));
    expect(inserted(book)).toEqual([
      [1n, micros(5)],
      [2n, micros(0)],
    ]);
  });

  it('is not stored when another offer replaces it', () => {
    const next = nextBook();
    next.cover(11n, { kind: 'ownOf', requestingUserId: 1n, minimumOdds: null, maximumOdds: null }, 'all');
    done(next, cancellation());
    done(next, offer({ requestingAmount: micros(30) }));
    expect([inserted(next), moneyOf(next, 1)]).toEqual([[], [micros(1000), micros(30)]]);
    expect(next.changes().updatedPositions).toEqual([]);
  });
});
