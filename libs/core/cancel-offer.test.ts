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
  odds,
  offer,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import type { Book } from './book.js';
import { execute, executeBatch, needsOf } from './operation.js';

/** u1 offers 100 at odds 2, 3 and 4 on w (101, 103, 104) and at 3 on v (102); u2 offers on w too (105). */
const offersBook = () => {
  const book = bookWith(1000, 1000);
  done(book, offer({ requestingOdds: odds(2) }));
  done(book, offer({ wagerReference: 'v' }));
  done(book, offer({ requestingOdds: odds(3) }));
  done(book, offer({ requestingOdds: odds(4) }));
  done(book, offer({ requestingUser: { id: 2n } }));
  return book;
};
const chunk = { type: 'cancel_chunk', wagerId: 11n, bound: 2 } as const;
const check = (book: ReturnType<typeof offersBook>) =>
  expect(differencesIn(ledgerOf(book), () => micros(1000))).toEqual([]);

describe('cancel-offer', () => {
  it.each<[string, Parameters<typeof cancellation>[0], bigint[]]>([
    ['all of a wager', {}, [101n, 103n, 104n]],
    ['all of two wagers, oldest first', { wagerReferences: ['w', 'v', 'w'] }, [101n, 102n, 103n, 104n]],
    ['from odds', { minimumOdds: odds(3) }, [103n, 104n]],
    ['up to odds', { maximumOdds: odds(3) }, [101n, 103n]],
    ['one bet, odds and wagers ignored', { betId: 102n, wagerReferences: ['w'], minimumOdds: odds(9) }, [102n]],
    ['all, although an amount is given', { cancelAmount: micros(1) }, [101n, 103n, 104n]],
    ['an amount that fits', { cancelAll: false, cancelAmount: micros(200) }, [101n, 103n]],
    ['more than there is', { cancelAll: false, cancelAmount: micros(999) }, [101n, 103n, 104n]],
  ])('cancels %s', (_name, some, betIds) => {
    const book = offersBook();
    const { offers: answer } = done(book, cancellation(some));
    expect(answer.map((entry) => entry.betId)).toEqual(betIds);
    expect(answer.every((entry) => entry.note === null)).toBe(true);
    for (const id of betIds) expect(book.bets.get(id)?.offerStatus).toBe('canceled');
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 400 - 100 * betIds.length));
    expect(book.changes().trails.at(-1)).toMatchObject({ offerStatus: 'canceled', description: 'Offer canceled' });
    check(book);
  });

  it('cancels the last one in part: a new bet carries the rest', () => {
    const book = offersBook();
    const { offers: answer } = done(book, cancellation({ cancelAll: false, cancelAmount: micros(130.5) }));
    expect(answer).toEqual([
      { betId: 101n, wagerId: 11n, wagerReference: 'w', note: null },
      { betId: 106n, wagerId: 11n, wagerReference: 'w', note: 'Remaining amount: 69.5' },
    ]);
    expect(book.bets.get(103n)).toMatchObject({ offerStatus: 'canceled', requestingAmount: micros(100) });
    expect(book.bets.get(106n)).toMatchObject({
      offerStatus: 'requesting',
      requestingAmount: micros(69.5),
      queuePlace: 103n,
      requestingOdds: odds(3),
    });
    expect(book.changes().trails.slice(-2)).toMatchObject([
      { betId: 103n, description: 'Offer canceled for 30.5 of 100' },
      { betId: 106n, description: 'Offer for the rest of canceled bet 103' },
    ]);
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 269.5));
    check(book);
  });

  it('cancels one bet in part', () => {
    const book = offersBook();
    const { offers: answer } = done(book, cancellation({ betId: 102n, cancelAll: false, cancelAmount: micros(99) }));
    expect(answer).toEqual([{ betId: 106n, wagerId: 12n, wagerReference: 'v', note: 'Remaining amount: 1' }]);
    check(book);
  });

  it.each([
    [
      'invalid',
      'requesting_user_id or requesting_user_reference must be defined',
      cancellation({ requestingUser: {} }),
    ],
    ['not-found', 'User not found', cancellation({ requestingUser: { id: 7n } })],
    [
      'invalid',
      'requesting_user_id and requesting_user_reference must name the same user',
      cancellation({ requestingUser: { id: 1n, reference: 'u2' } }),
    ],
    ['invalid', 'wager_references or bet_id must be defined', cancellation({ wagerReferences: [] })],
    ['invalid', 'cancel_amount or cancel_all must be defined', cancellation({ cancelAll: false })],
    ['not-found', 'Bet not found', cancellation({ betId: 999n })],
    ['invalid', 'No cancelable bets found', cancellation({ betId: 105n })],
    ['invalid', 'No cancelable bets found', cancellation({ wagerReferences: ['unknown'] })],
    ['invalid', 'No cancelable bets found', cancellation({ minimumOdds: odds(2.5), maximumOdds: odds(2.9) })],
  ])('%s: %s', (kind, text, operation) => {
    const book = offersBook();
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
  });

  it.each([
    ['accepted', acceptance({ acceptingAmount: micros(100) })],
    ['canceled', cancellation({ betId: 101n })],
    ['inactive', { type: 'set_bet_active', betId: 101n, isActive: false, action: admin } as const],
    ['expired', { type: 'force_bet_override', betId: 101n, overrideOutcome: 'win', action: admin } as const],
    ['of a decided wager', decision('win')],
    ['of a decided wager where the worker has not been', { ...decision('win'), bound: 0 }],
  ])('does not touch an offer that is %s', (_name, operation) => {
    const book = offersBook();
    done(book, operation);
    for (const some of [{ betId: 101n }, { maximumOdds: odds(2) }]) {
      expect(execute(book, cancellation(some))).toMatchObject({ text: 'No cancelable bets found' });
    }
    check(book);
  });

  describe('of more offers than its bound', () => {
    it('leaves the others, which can be neither accepted nor canceled again, to the worker', () => {
      const book = offersBook();
      const { offers, remainingCount } = done(book, cancellation({ bound: 1 }));
      expect([offers.map(({ betId }) => betId), remainingCount]).toEqual([[101n], 2]);
      expect(book.journal.followUps).toEqual([{ kind: 'cancel-offers', wagerId: 11n }]);
      const accept = acceptance({ acceptingUser: { id: 2n }, maximumOdds: odds(9) });
      expect(execute(book, accept)).toMatchObject({ code: 'no-matching-offers' });
      expect(execute(book, { ...accept, betId: 103n })).toMatchObject({ code: 'bet-not-requesting' });
      for (const some of [{}, { betId: 103n }]) {
        expect(execute(book, cancellation(some))).toMatchObject({ code: 'no-cancelable-bets' });
      }
      done(book, offer({ requestingOdds: odds(2) }));
      expect(done(book, chunk)).toEqual({ wagerId: 11n, canceledCount: 2, isComplete: false });
      expect(done(book, chunk)).toEqual({ wagerId: 11n, canceledCount: 0, isComplete: true });
      expect(done(book, accept).map(({ betId }) => betId)).toEqual([107n]);
      check(book);
    });

    it('by amount does the part itself, and names what stands between', () => {
      const book = offersBook();
      const some = { wagerReferences: ['w', 'v'], cancelAll: false, cancelAmount: micros(350), bound: 2 };
      const { offers, remainingCount } = done(book, cancellation(some));
      expect(offers.map(({ betId, note }) => [betId, note])).toEqual([
        [101n, null],
        [107n, 'Remaining amount: 50'],
      ]);
      expect(remainingCount).toBe(2);
      expect(book.wagers.get(11n)?.pendingCancels).toMatchObject([{ userId: 1n, upTo: { id: 103n } }]);
      expect(book.wagers.get(12n)?.pendingCancels).toHaveLength(1);
      for (const wagerId of [11n, 12n]) expect(done(book, { ...chunk, wagerId }).canceledCount).toBe(1);
      expect(book.bets.get(107n)?.offerStatus).toBe('requesting');
      check(book);
    });

    it('is finished by the first change of a canceling offer: a decision or a correction', () => {
      const book = offersBook();
      done(book, cancellation({ bound: 1 }));
      const override = { type: 'force_bet_override', betId: 103n, overrideOutcome: 'win', action: admin } as const;
      expect(execute(book, override)).toMatchObject({ code: 'bet-canceled' });
      done(book, { type: 'set_bet_active', betId: 103n, isActive: false, action: admin });
      done(book, decision('win'));
      const statuses = [103n, 104n, 105n].map((id) => book.bets.get(id)?.offerStatus);
      expect(statuses).toEqual(['canceled', 'canceled', 'expired']);
      expect(done(book, chunk)).toEqual({ wagerId: 11n, canceledCount: 0, isComplete: true });
      check(book);
    });
  });

  describe('that leaves offers to the worker names what was open then', () => {
    const close = (book: Book, betId: bigint) =>
      done(book, { type: 'set_bet_active', betId, isActive: false, action: admin });
    const reopen = (book: Book, betId: bigint) =>
      done(book, { type: 'set_bet_active', betId, isActive: true, action: admin });
    const overrideBy = (book: Book, overrideOutcome: 'win' | null) =>
      done(book, { type: 'force_bet_override', betId: 104n, overrideOutcome, action: admin });

    it.each<[string, (book: Book) => void, (book: Book) => void]>([
      ['inactive', (book) => close(book, 104n), (book) => reopen(book, 104n)],
      ['expired by an override', (book) => overrideBy(book, 'win'), (book) => overrideBy(book, null)],
    ])('and not one that was %s and is opened later', (_, closing, opening) => {
      const book = offersBook();
      closing(book);
      done(book, cancellation({ bound: 1 }));
      opening(book);
      expect(book.bets.get(104n)).toMatchObject({ offerStatus: 'requesting', sparedUpTo: 106n });
      const answer = done(book, acceptance({ betId: 104n, maximumOdds: odds(4), acceptingAmount: micros(40) }));
      expect(answer).toMatchObject([{ acceptedAmount: micros(40) }]);
      expect(done(book, chunk)).toEqual({ wagerId: 11n, canceledCount: 1, isComplete: true });
      // The rest of the accepted offer stands where that one stood, and is not canceling either.
      expect([103n, 104n, 107n].map((id) => book.bets.get(id)?.offerStatus)).toEqual([
        'canceled',
        'accepted',
        'requesting',
      ]);
      check(book);
    });

    it('also what an earlier cancel did not name', () => {
      const book = offersBook();
      done(book, offer({ requestingOdds: odds(2) }));
      for (const id of [103n, 104n]) close(book, id);
      done(book, cancellation({ bound: 1 }));
      for (const id of [103n, 104n]) reopen(book, id);
      done(book, cancellation({ bound: 1 }));
      expect(book.wagers.get(11n)?.pendingCancels.map(({ position }) => position)).toEqual([107n, 108n]);
      expect(book.bets.get(104n)).toMatchObject({ offerStatus: 'requesting', sparedUpTo: 107n });
      expect(execute(book, acceptance({ betId: 104n, maximumOdds: odds(4) }))).toMatchObject({ kind: 'invalid' });
      expect([done(book, chunk), done(book, chunk)].map(({ isComplete }) => isComplete)).toEqual([false, true]);
      expect([101n, 103n, 104n, 106n].map((id) => book.bets.get(id)?.offerStatus)).toEqual(Array(4).fill('canceled'));
      check(book);
    });

    it('with a position that an undone batch gives back', () => {
      const book = offersBook();
      const items = [
        { operationId: 'cancel', operation: cancellation({ bound: 1 }) },
        { operationId: 'refused', operation: acceptance({ wagerReference: 'unknown' }) },
      ];
      expect(executeBatch(book, items)).toMatchObject({ kind: 'invalid' });
      done(book, cancellation({ bound: 1 }));
      expect(book.wagers.get(11n)?.pendingCancels).toMatchObject([{ position: 106n }]);
    });
  });

  it("needs the bet, or the user's own offers in the wagers", () => {
    expect(needsOf(cancellation({ betId: 101n }))).toMatchObject({ betIds: [101n], wagers: [], ownOffers: null });
    const requestingUser = { id: 1n };
    expect(needsOf(cancellation({ cancelAmount: micros(5) }))).toMatchObject({
      wagers: [{ reference: 'w' }],
      ownOffers: { wagerReferences: ['w'], requestingUser },
      newBets: 1,
    });
    expect(needsOf(cancellation({ cancelAll: false, cancelAmount: micros(5) }))).toMatchObject({
      newBets: 2,
    });
  });
});
