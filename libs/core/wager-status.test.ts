import { describe, expect, it } from '@jest/globals';
import {
  acceptance,
  bookWith,
  cancellation,
  decision,
  done,
  micros,
  moneyOf,
  NOW,
  odds,
  offer,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf } from '#testing/core/ledger-check.js';
import type { Book } from './book.js';
import { execute, executeBatch } from './operation.js';
import { suspensionOf } from './wager-status.js';

const SECOND = 1_000_000n;
const suspend = { type: 'suspend_wager', wagerReference: 'w', reason: 'Goal', cancelOffers: false } as const;
const resume = { type: 'resume_wager', wagerReference: 'w' } as const;
const close = { type: 'close_wager', wagerReference: 'w', reason: 'Kick-off' } as const;
const schedule = (closesAt: bigint | null | undefined) =>
  ({ type: 'schedule_wager', wagerReference: 'w', closesAt }) as const;
const chunk = { type: 'cancel_chunk', wagerId: 11n, bound: 10 } as const;
const refused = (text: string) => expect.objectContaining({ text });
const kindsIn = (book: Book) => book.journal.takeEvents().map(({ kind }) => kind);

/** u1 offers 100 at odds 3 on `w` (101), and 100 that end with a suspension (102). */
const twoOffers = () => {
  const book = bookWith(1000, 1000, 1000);
  done(book, offer());
  done(book, offer({ cancelOnSuspend: true }));
  book.journal.takeEvents();
  return book;
};
const statuses = (book: Book) => [...book.bets.values()].map(({ offerStatus }) => offerStatus);

describe('a suspended wager', () => {
  it('takes no offer and no acceptance, and keeps the offers that are to stay', () => {
    const book = twoOffers();
    expect(done(book, suspend)).toMatchObject({ status: 'suspended', statusReason: 'Goal', revision: 1 });
    expect(kindsIn(book)).toEqual(['wager.suspended', 'wager.canceling']);
    expect(execute(book, offer())).toEqual(refused('Wager is suspended'));
    expect(execute(book, acceptance())).toEqual(refused('Wager is suspended'));
    expect(execute(book, acceptance({ betId: 101n, wagerReference: null }))).toEqual(refused('Wager is suspended'));
    expect(done(book, chunk)).toMatchObject({ canceledCount: 1, isComplete: true });
    expect(statuses(book)).toEqual(['requesting', 'canceled']);
    expect(moneyOf(book, 1)[1]).toBe(micros(100));
    expect(book.changes().trails.at(-1)).toMatchObject({ betId: 102n, reason: 'suspended' });
  });

  it('gives its queue back in its order when it is resumed', () => {
    const book = twoOffers();
    done(book, offer({ requestingUser: { id: 3n } }));
    done(book, suspend);
    done(book, chunk);
    expect(done(book, resume)).toMatchObject({ status: 'open', statusReason: null, revision: 2 });
    const accepted = done(book, acceptance({ acceptingAmount: micros(200) }));
    expect(accepted.map(({ betId }) => betId)).toEqual([101n, 103n]);
    expect(differencesIn(ledgerOf(book), () => micros(1000))).toEqual([]);
  });

  it('is canceled, decided and suspended again as an open one', () => {
    const book = twoOffers();
    done(book, suspend);
    const { revision } = done(book, { ...suspend, reason: 'another' });
    expect(revision).toBe(1);
    expect(book.wager(11n).statusReason).toBe('Goal');
    expect(done(book, cancellation()).offers).toHaveLength(1);
    expect(done(book, decision('win'))).toMatchObject({ remainingCount: 0 });
    expect(statuses(book)).toEqual(['canceled', 'canceled']);
  });

  it('is left by a change request to who suspends it too, as what the request has shown', () => {
    const book = twoOffers();
    done(book, { ...suspend, reason: suspensionOf(7n) });
    book.journal.takeEvents();
    expect(done(book, { ...suspend, reason: null })).toMatchObject({ statusReason: null, revision: 1 });
    expect(kindsIn(book)).toEqual(['wager.suspended']);
    done(book, { ...suspend, reason: 'another' });
    expect(kindsIn(book)).toEqual([]);
    expect(book.wager(11n)).toMatchObject({ status: 'suspended', statusReason: null, revision: 1 });
  });

  it('cancels all its offers when that is asked for, once', () => {
    const book = twoOffers();
    done(book, suspend);
    done(book, { ...suspend, cancelOffers: true });
    done(book, { ...suspend, cancelOffers: true });
    // The last cancel has what those before it have.
    expect(book.wager(11n).pendingCancels).toMatchObject([{ userId: null, onlyOnSuspend: false, reason: 'suspended' }]);
    expect(execute(book, cancellation())).toEqual(refused('No cancelable bets found'));
    expect(done(book, chunk)).toMatchObject({ canceledCount: 2, isComplete: true });
    expect(moneyOf(book, 1)).toEqual([micros(1000), 0n]);
  });

  it('leaves no work where no offer asks for it', () => {
    const book = bookWith(1000);
    done(book, offer());
    done(book, suspend);
    expect(book.wager(11n).pendingCancels).toEqual([]);
  });

  it('cannot be suspended when it is unknown, closed or decided', () => {
    const book = twoOffers();
    expect(execute(book, { ...suspend, wagerReference: 'x' })).toEqual(refused('Wager not found'));
    done(book, close);
    expect(execute(book, suspend)).toEqual(refused('Wager is closed'));
    done(book, decision('win'));
    expect(execute(book, suspend)).toEqual(refused('Wager is decided'));
    expect(execute(book, close)).toEqual(refused('Wager is decided'));
    expect(execute(book, resume)).toEqual(refused('Wager is closed'));
  });

  it('may be resumed by the batch that suspended it', () => {
    const book = twoOffers();
    const items = [suspend, resume, acceptance()].map((operation, index) => ({ operationId: `${index}`, operation }));
    expect(executeBatch(book, items)).toHaveLength(3);
  });
});

describe('a closed wager', () => {
  it('stays closed, and keeps offers for their users to cancel', () => {
    const book = twoOffers();
    expect(done(book, close)).toMatchObject({ status: 'closed', statusReason: 'Kick-off' });
    expect(done(book, { ...close, reason: null })).toMatchObject({ status: 'closed', statusReason: 'Kick-off' });
    expect(kindsIn(book)).toEqual(['wager.closed', 'wager.canceling']);
    for (const operation of [offer(), acceptance(), resume]) {
      expect(execute(book, operation)).toEqual(refused('Wager is closed'));
    }
    expect(done(book, schedule(null))).toMatchObject({ status: 'closed' });
    expect(execute(book, schedule(NOW + SECOND))).toEqual(refused('Wager is closed'));
    expect(done(book, cancellation()).offers).toHaveLength(1);
  });

  it('is closed from its time on, to the microsecond', () => {
    const book = bookWith(1000, 1000);
    expect(done(book, schedule(NOW + SECOND))).toMatchObject({ closesAt: NOW + SECOND, revision: 1, status: 'open' });
    done(book, offer());
    book.now = NOW + SECOND - 1n;
    done(book, acceptance({ acceptingAmount: micros(1) }));
    book.now = NOW + SECOND;
    expect(execute(book, offer())).toEqual(refused('Wager is closed'));
    expect(execute(book, acceptance())).toEqual(refused('Wager is closed'));
    expect(execute(book, suspend)).toEqual(refused('Wager is closed'));
    expect(execute(book, schedule(null))).toEqual(refused('Wager is closed'));
    expect(done(book, schedule(undefined))).toMatchObject({ status: 'closed' });
    expect(done(book, decision('win')).settledCount).toBe(2);
  });

  it('shows no reason of the suspension that its time has ended', () => {
    const book = bookWith(1000);
    done(book, schedule(NOW + SECOND));
    done(book, suspend);
    book.now = NOW + SECOND;
    expect(done(book, close)).toMatchObject({ status: 'closed', statusReason: null });
    expect(book.wager(11n).status).toBe('suspended');
  });
});

describe('the time at which a wager closes', () => {
  it('makes the wager, moves, and is taken away', () => {
    const book = bookWith(1000);
    done(book, schedule(NOW + SECOND));
    expect(kindsIn(book)).toEqual(['wager.created', 'wager.changed']);
    expect(done(book, schedule(undefined))).toMatchObject({ closesAt: NOW + SECOND, revision: 1 });
    expect(done(book, schedule(NOW + SECOND))).toMatchObject({ revision: 1 });
    expect(done(book, schedule(NOW + 2n * SECOND))).toMatchObject({ revision: 2 });
    expect(done(book, schedule(null))).toMatchObject({ closesAt: null, revision: 3 });
    expect(kindsIn(book)).toEqual(['wager.changed', 'wager.changed']);
  });

  it('is in the future, and not of a decided wager', () => {
    const book = bookWith(1000);
    expect(execute(book, schedule(NOW))).toMatchObject({ kind: 'malformed', text: 'closes_at must be in the future' });
    expect(book.wagerNamed('w')).toBeUndefined();
    done(book, offer({ requestingOdds: odds(2) }));
    done(book, decision('loss'));
    expect(execute(book, schedule(null))).toEqual(refused('Wager is decided'));
  });
});

describe('the event of a wager', () => {
  const label = (labels: { event?: string | null; startsAt?: bigint | null }, closesAt?: bigint | null) => ({
    ...schedule(closesAt),
    ...labels,
  });

  it('makes the wager, and changes only what it names, without a revision', () => {
    const book = bookWith(1000);
    expect(done(book, label({ event: 'final', startsAt: NOW }))).toMatchObject({
      event: 'final',
      startsAt: NOW,
      closesAt: null,
      revision: 0,
    });
    expect(kindsIn(book)).toEqual(['wager.created', 'wager.changed']);
    expect(done(book, label({ event: 'final' }))).toMatchObject({ event: 'final', startsAt: NOW });
    expect(kindsIn(book)).toEqual([]);
    expect(done(book, label({ startsAt: null }, NOW + SECOND))).toMatchObject({
      event: 'final',
      startsAt: null,
      closesAt: NOW + SECOND,
      revision: 1,
    });
    expect(kindsIn(book)).toEqual(['wager.changed']);
  });

  it('may change when the wager is closed or decided, unless the closing time is named too', () => {
    const book = bookWith(1000);
    done(book, offer());
    done(book, close);
    expect(done(book, label({ event: 'final' }))).toMatchObject({ event: 'final', status: 'closed' });
    expect(execute(book, label({ event: 'other' }, NOW + SECOND))).toEqual(refused('Wager is closed'));
    done(book, decision('loss'));
    expect(done(book, label({ startsAt: NOW }))).toMatchObject({ event: 'final', startsAt: NOW });
    expect(execute(book, label({ event: 'other' }, null))).toEqual(refused('Wager is decided'));
    expect(execute(book, schedule(undefined))).toEqual(refused('Wager is decided'));
  });
});
