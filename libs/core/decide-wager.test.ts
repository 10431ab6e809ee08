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
  wagerRecord,
} from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { execute, needsOf } from './operation.js';
import type { Outcome } from './records.js';

/** u1 backs 300 at odds 3 (101), u2 lays it; u1 still offers 100 (102). */
const wagerBook = () => {
  const book = bookWith(1000, 1000);
  done(book, offer({ requestingAmount: micros(300) }));
  done(book, acceptance({ acceptingAmount: micros(300) }));
  done(book, offer());
  return book;
};
const check = (book: ReturnType<typeof wagerBook>) =>
  expect(differencesIn(ledgerOf(book), () => micros(1000))).toEqual([]);

describe('update-wager-outcome', () => {
  it.each<[Outcome, number, string, string]>([
    ['win', 600, 'credit', 'debit'],
    ['half-win', 300, 'credit', 'debit'],
    ['push', 0, 'no-action', 'no-action'],
    ['void', 0, 'no-action', 'no-action'],
    ['half-loss', -150, 'debit', 'credit'],
    ['loss', -300, 'debit', 'credit'],
  ])('%s moves %d', (outcome, movement, requesterType, acceptorType) => {
    const book = wagerBook();
    expect(done(book, decision(outcome))).toEqual({ wagerId: 11n, settledCount: 2, remainingCount: 0 });
    expect(moneyOf(book, 1)).toEqual(amounts(1000 + movement, 0));
    expect(moneyOf(book, 2)).toEqual(amounts(1000 - movement, 0));
    expect(book.wager(11n).outcome).toBe(outcome);
    expect(book.bets.get(101n)).toMatchObject({ offerStatus: 'accepted', settledOutcome: outcome });
    expect(book.bets.get(102n)).toMatchObject({ offerStatus: 'expired', settledOutcome: null });
    const { trails, transactions } = book.changes();
    expect(trails.slice(-2)).toMatchObject([
      { betId: 102n, offerStatus: 'expired', outcome, description: 'Offer expired' },
      { betId: 101n, offerStatus: 'accepted', outcome, description: `Bet settled: ${outcome}` },
    ]);
    const shared = { amount: micros(Math.abs(movement)), transactionSource: 'bet', trail: trails.at(-1) };
    const description = `Bet settled: ${outcome}`;
    expect(transactions).toEqual([
      { ...shared, userId: 1n, transactionType: requesterType, balanceAfter: micros(1000 + movement), description },
      { ...shared, userId: 2n, transactionType: acceptorType, balanceAfter: micros(1000 - movement), description },
    ]);
    check(book);
  });

  it('changes nothing when an undecided wager is to stay undecided', () => {
    const book = wagerBook();
    const before = pictureOf(book);
    expect(done(book, decision('undecided'))).toEqual({ wagerId: 11n, settledCount: 0, remainingCount: 0 });
    expect(pictureOf(book)).toEqual(before);
  });

  it('does not move canceled, inactive and overridden bets', () => {
    const book = wagerBook();
    done(book, cancellation());
    done(book, { type: 'override_bet_outcome', betId: 101n, overrideOutcome: 'loss' });
    done(book, offer());
    done(book, acceptance());
    done(book, { type: 'set_bet_active', betId: 103n, isActive: false, action: admin });
    expect(done(book, decision('win'))).toMatchObject({ settledCount: 0, remainingCount: 0 });
    expect(moneyOf(book, 1)).toEqual(amounts(700, 0));
    check(book);
  });

  it('settles up to its bound, offers first, and says how many are left', () => {
    const book = wagerBook();
    expect(done(book, { ...decision('win'), bound: 1 })).toMatchObject({ settledCount: 1, remainingCount: 1 });
    expect(book.bets.get(102n)?.offerStatus).toBe('expired');
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 300));
    const chunk = { type: 'settle_chunk', wagerId: 11n, bound: 5 } as const;
    expect(book.wager(11n).settlingSince).not.toBeNull();
    expect(book.journal.followUps).toEqual([{ kind: 'settle-wager', wagerId: 11n }]);
    expect(done(book, { ...chunk, bound: 1 })).toMatchObject({ settledCount: 1, isComplete: false });
    expect(done(book, chunk)).toMatchObject({ settledCount: 0, isComplete: true });
    expect(book.wager(11n).settlingSince).toBeNull();
    expect(book.journal.followUps).toHaveLength(1);
    expect(moneyOf(book, 1)).toEqual(amounts(1600, 0));
    check(book);
  });

  it('moves the mark over bets that were examined and are not pending, and is not complete there', () => {
    const book = wagerBook();
    done(book, { ...decision('win'), bound: 1 });
    book.noteExamined(11n, 140n);
    const chunk = { type: 'settle_chunk', wagerId: 11n, bound: 1 } as const;
    expect(done(book, chunk)).toMatchObject({ settledCount: 1, isComplete: false });
    expect(book.wager(11n)).toMatchObject({ settledUpTo: 140n, settlingSince: expect.anything() });
    expect(done(book, chunk)).toMatchObject({ settledCount: 0, isComplete: false });
    expect(book.wager(11n)).toMatchObject({ settledUpTo: 140n, settlingSince: expect.anything() });
  });

  it('moves the mark to the last bet that moved while examined bets are left', () => {
    const book = wagerBook();
    done(book, acceptance());
    done(book, { ...decision('win'), bound: 0 });
    book.noteExamined(11n, 140n);
    done(book, { type: 'settle_chunk', wagerId: 11n, bound: 1 });
    expect(book.wager(11n).settledUpTo).toBe(101n);
  });

  it.each(['win', 'loss'] as const)('moves the mark back when the outcome is forced: %s', (outcome) => {
    const book = wagerBook();
    done(book, { ...decision('win'), bound: 0 });
    done(book, { type: 'settle_chunk', wagerId: 11n, bound: 5 });
    expect(book.wager(11n).settledUpTo).toBe(101n);
    done(book, { type: 'force_wager_outcome', wagerReference: 'w', outcome, bound: 0, action: admin });
    expect(book.wager(11n).settledUpTo).toBe(0n);
  });

  it('is not refused for lack of money', () => {
    const book = wagerBook();
    done(book, { type: 'override_bet_outcome', betId: 101n, overrideOutcome: 'loss' });
    done(book, { type: 'withdraw', user: { id: 1n }, amount: micros(600), description: 'Withdrawal' });
    book.user(1n).balance = micros(-500);
    expect(done(book, decision('win'))).toMatchObject({ settledCount: 1 });
    expect(moneyOf(book, 1)).toEqual(amounts(-500, 0));
  });

  it.each([
    ['not-found', 'Wager not found', { ...decision('win'), reference: 'unknown' }],
    ['invalid', 'Wager has already been decided', { ...decision('loss'), reference: 'old' }],
    ['invalid', 'Wager has already been decided', { ...decision('undecided'), reference: 'old' }],
    ['not-found', 'Wager not found', { type: 'settle_chunk', wagerId: 99n, bound: 5 } as const],
  ])('%s: %s', (kind, text, operation) => {
    const book = wagerBook();
    book.loadWager(wagerRecord(5n, 'old', 'push'));
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
  });

  it('counts pending bets that are not loaded, without those loaded later', () => {
    const store = wagerBook();
    const book = bookWith(1000, 1000);
    book.loadWager(wagerRecord(11n, 'w'));
    for (const position of store.positions.values()) book.positions.load({ ...position });
    book.countPending(11n, { outcome: 'win', voidFrom: null }, 7, true);
    for (const bet of store.bets.values()) book.loadBet({ ...bet });
    book.countPending(11n, { outcome: 'loss', voidFrom: null }, 7, true);
    expect(book.unloadedPending(11n, { outcome: 'win', voidFrom: null }).count).toBe(5);
    expect(book.unloadedPending(11n, { outcome: 'loss', voidFrom: null }).count).toBe(5);
    expect(() => book.unloadedPending(11n, { outcome: 'void', voidFrom: null })).toThrow('were not counted');
    expect(done(book, { ...decision('win'), bound: 1 })).toMatchObject({ settledCount: 1, remainingCount: 6 });
  });

  it('needs the bets that are pending for the outcome', () => {
    const wager = { reference: 'w' };
    expect(needsOf(decision('win'))).toMatchObject({
      wagers: [wager],
      pendingBets: { wager, outcome: 'win', voidFrom: null, limit: 501, counted: 0 },
    });
    expect(needsOf({ type: 'settle_chunk', wagerId: 11n, bound: 9 })).toMatchObject({
      wagers: [{ id: 11n }],
      pendingBets: { wager: { id: 11n }, outcome: null, voidFrom: null, limit: 9, counted: null },
    });
  });
});
