import { describe, expect, it } from '@jest/globals';
import {
  acceptance,
  admin,
  bookWith,
  cancellation,
  decision,
  done,
  micros,
  moneyOf,
  NOW,
  offer,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf } from '#testing/core/ledger-check.js';
import type { Book } from './book.js';
import { isPending } from './impact.js';
import { execute } from './operation.js';

const SECOND = 1_000_000n;
const inSeconds = (seconds: number) => ({ ends: { inSeconds: seconds } });
const clock = { type: 'run_clock', wagerId: 11n, bound: 10 } as const;
const later = (book: Book, seconds: number): Book => Object.assign(book, { now: NOW + BigInt(seconds) * SECOND });
const statuses = (book: Book) => [...book.bets.values()].map(({ offerStatus }) => offerStatus);

/** u1 offers 100 at odds 3 on `w` for a second (101), for two (102), and for good (103). */
const threeOffers = () => {
  const book = bookWith(1000, 1000);
  done(book, offer(inSeconds(1)));
  done(book, offer(inSeconds(2)));
  done(book, offer());
  return book;
};
const check = (book: Book) => expect(differencesIn(ledgerOf(book), () => micros(1000))).toEqual([]);

describe('an offer with an end', () => {
  it('is taken up to the microsecond before, and passed over from then on', () => {
    const book = threeOffers();
    book.now = NOW + SECOND - 1n;
    expect(done(book, acceptance({ acceptingAmount: micros(1) }))).toMatchObject([{ betId: 101n }]);
    expect(book.bets.get(101n)).toMatchObject({ acceptedAt: NOW + SECOND - 1n });
    // The rest ends when the offer does.
    expect(book.bets.get(104n)).toMatchObject({ expiresAt: NOW + SECOND, queuePlace: 101n });
    later(book, 1);
    expect(execute(book, acceptance({ wagerReference: null, betId: 104n }))).toMatchObject({
      code: 'bet-not-requesting',
    });
    expect(done(book, acceptance())).toMatchObject([{ betId: 102n }]);
    check(book);
  });

  it('meets an acceptance as if it were not there', () => {
    const book = bookWith(1000, 1000);
    done(book, offer(inSeconds(1)));
    expect(execute(later(book, 1), acceptance())).toMatchObject({ code: 'no-matching-offers' });
  });

  it('counts as exposure, and may be canceled, until the worker has expired it', () => {
    const book = later(threeOffers(), 1);
    expect(moneyOf(book, 1)).toEqual([micros(1000), micros(300)]);
    expect(done(book, cancellation({ betId: 101n })).offers).toHaveLength(1);
    expect(moneyOf(book, 1)).toEqual([micros(1000), micros(200)]);
  });

  it.each([
    [{ at: NOW }, 'expires_at must be in the future'],
    [{ at: NOW + 400n * 86_400n * SECOND + 1n }, 'expires_at must not be more than 400 days ahead'],
  ])('is refused for %j', (ends, text) => {
    expect(execute(bookWith(1000), offer({ ends }))).toMatchObject({ kind: 'malformed', text });
  });

  it('may end in 400 days', () => {
    const at = NOW + 400n * 86_400n * SECOND;
    const book = bookWith(1000);
    done(book, offer({ ends: { at } }));
    done(book, offer({ ends: { inSeconds: 34_560_000 } }));
    expect([...book.bets.values()].map(({ expiresAt }) => expiresAt)).toEqual([at, at]);
  });
});

describe('the clock', () => {
  it('expires what is due and no more, a bound at a time, the oldest first', () => {
    const book = later(threeOffers(), 2);
    expect(done(book, { ...clock, bound: 1 })).toMatchObject({ expiredCount: 1, isComplete: false });
    expect(statuses(book)).toEqual(['expired', 'requesting', 'requesting']);
    expect(done(book, clock)).toMatchObject({ expiredCount: 1, isComplete: true });
    expect(statuses(book)).toEqual(['expired', 'expired', 'requesting']);
    expect(moneyOf(book, 1)).toEqual([micros(1000), micros(100)]);
    expect(book.changes().trails.at(-1)).toMatchObject({ kinds: ['offer.expired'], reason: 'time' });
    check(book);
  });

  it('leaves expired what it has expired, whatever becomes of the outcome', () => {
    const book = later(threeOffers(), 1);
    done(book, clock);
    done(book, decision('win'));
    const undone = { type: 'force_wager_outcome', wagerReference: 'w', outcome: 'undecided', bound: 9, action: admin };
    done(book, undone as never);
    expect(statuses(book)).toEqual(['expired', 'requesting', 'requesting']);
    const [first] = book.bets.values();
    expect(first && isPending(first, { outcome: 'undecided', voidFrom: null })).toBe(false);
    check(book);
  });

  it('leaves canceling offers to their cancel, and those of a decided wager to the decision', () => {
    const book = later(threeOffers(), 1);
    done(book, { type: 'suspend_wager', wagerReference: 'w', reason: null, cancelOffers: true });
    expect(done(book, clock)).toMatchObject({ expiredCount: 0 });
    const decided = later(threeOffers(), 1);
    done(decided, { ...decision('win'), bound: 1 });
    expect(done(decided, clock)).toMatchObject({ expiredCount: 0, isComplete: true });
  });

  it('closes a wager at its time, once, with the offers that end with it', () => {
    const book = bookWith(1000);
    done(book, { type: 'schedule_wager', wagerReference: 'w', closesAt: NOW + SECOND });
    done(book, offer({ cancelOnSuspend: true }));
    book.journal.takeEvents();
    done(book, clock);
    expect(book.wager(11n).status).toBe('open');
    later(book, 1);
    done(book, clock);
    done(book, clock);
    expect(book.wager(11n)).toMatchObject({ status: 'closed', statusReason: null, revision: 2 });
    expect(book.journal.takeEvents().map(({ kind }) => kind)).toEqual(['wager.closed', 'wager.canceling']);
  });
});
