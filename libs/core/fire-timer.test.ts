import { describe, expect, it } from '@jest/globals';
import { bookWith, cancellation, decision, done, offer } from '#testing/core/builders.js';
import type { Book } from './book.js';
import type { OperationOf } from './operation.js';

const timer = (some: Partial<OperationOf<'fire_timer'>> = {}): OperationOf<'fire_timer'> => ({
  type: 'fire_timer',
  wagerId: 11n,
  userId: null,
  upTo: 1_000n,
  bound: 10,
  ...some,
});
const statuses = (book: Book) => [...book.bets.values()].map(({ offerStatus }) => offerStatus);

/** u1 offers twice on `w` (101, 102), u2 once (103). */
const threeOffers = () => {
  const book = bookWith(1000, 1000);
  done(book, offer());
  done(book, offer());
  done(book, offer({ requestingUser: { id: 2n } }));
  return book;
};

describe('a timer that has fired', () => {
  it('cancels the offers that were there then, and says why', () => {
    const book = threeOffers();
    expect(done(book, timer({ upTo: 102n }))).toEqual({ wagerId: 11n, canceledCount: 2 });
    expect(statuses(book)).toEqual(['canceled', 'canceled', 'requesting']);
    expect(book.changes().trails.at(-1)).toMatchObject({ betId: 102n, reason: 'timer' });
    expect(book.wager(11n).pendingCancels).toEqual([]);
  });

  it('of a user cancels the offers of that user alone', () => {
    const book = threeOffers();
    expect(done(book, timer({ userId: 2n }))).toMatchObject({ canceledCount: 1 });
    expect(statuses(book)).toEqual(['requesting', 'requesting', 'canceled']);
  });

  it('leaves more than its bound to the worker, and a second firing takes the place of the first', () => {
    const book = threeOffers();
    expect(done(book, timer({ upTo: 103n, bound: 2 }))).toMatchObject({ canceledCount: 0 });
    done(book, offer());
    done(book, timer());
    expect(book.wager(11n).pendingCancels).toMatchObject([{ userId: null, reason: 'timer' }]);
    expect(book.journal.followUps[0]).toEqual({ kind: 'cancel-offers', wagerId: 11n });
    done(book, { type: 'cancel_chunk', wagerId: 11n, bound: 10 });
    expect(new Set(statuses(book))).toEqual(new Set(['canceled']));
  });

  it('that takes the place of an earlier one comes before the cancels between them', () => {
    const book = threeOffers();
    done(book, timer({ upTo: 103n, bound: 2 }));
    for (const _ of [1, 2]) done(book, offer());
    done(book, cancellation({ bound: 1 }));
    done(book, timer({ upTo: 106n }));
    expect(book.wager(11n).pendingCancels).toMatchObject([{ reason: 'timer' }, { reason: null }]);
    done(book, { type: 'cancel_chunk', wagerId: 11n, bound: 10 });
    expect(
      book
        .changes()
        .trails.slice(-3)
        .map(({ reason }) => reason),
    ).toEqual(['timer', 'timer', 'timer']);
  });

  it('that a worker repeats, or brings after a later one, frees no offer', () => {
    const book = threeOffers();
    done(book, timer({ upTo: 103n, bound: 2 }));
    const pending = book.wager(11n).pendingCancels;
    for (const upTo of [101n, 103n]) {
      expect(done(book, timer({ upTo }))).toMatchObject({ canceledCount: 0 });
      expect(book.wager(11n).pendingCancels).toEqual(pending);
    }
    done(book, { type: 'cancel_chunk', wagerId: 11n, bound: 10 });
    expect(new Set(statuses(book))).toEqual(new Set(['canceled']));
  });

  it('finds nothing on a decided wager, or where all is canceled', () => {
    const canceled = threeOffers();
    done(canceled, cancellation());
    expect(done(canceled, timer({ userId: 1n }))).toMatchObject({ canceledCount: 0 });
    const decided = threeOffers();
    done(decided, { ...decision('win'), bound: 0 });
    expect(done(decided, timer())).toMatchObject({ canceledCount: 0 });
  });
});
