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
import type { Outcome } from './records.js';

/** u1 backs 100 at odds 3 (101), u2 lays it; u1 still offers 100 (102); u1 canceled 103. */
const correctedBook = () => {
  const book = bookWith(1000, 1000);
  done(book, offer());
  done(book, acceptance());
  done(book, offer());
  done(book, offer());
  done(book, cancellation({ betId: 103n }));
  return book;
};
const setActive = (betId: bigint, isActive: boolean) =>
  ({ type: 'set_bet_active', betId, isActive, action: admin }) as const;
const forceOverride = (betId: bigint, overrideOutcome: Outcome | null) =>
  ({ type: 'force_bet_override', betId, overrideOutcome, action: admin }) as const;
const force = (outcome: Outcome, wagerReference = 'w') =>
  ({
    type: 'force_wager_outcome',
    wagerReference,
    outcome,
    bound: 500,
    action: { ...admin, description: 'wrong' },
  }) as const;
const stateOf = (book: ReturnType<typeof correctedBook>, betId: bigint) => {
  const bet = book.bets.get(betId);
  return [bet?.offerStatus, bet?.settledOutcome];
};
const check = (book: ReturnType<typeof correctedBook>) =>
  expect(differencesIn(ledgerOf(book), () => micros(1000))).toEqual([]);

describe('set-inactive and set-active', () => {
  it('removes the impact of an offer and restores it', () => {
    const book = correctedBook();
    done(book, setActive(102n, false));
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 100));
    expect(book.changes().trails.at(-1)).toMatchObject({
      description: 'Bet set inactive by admin 9 (ops@example.com)',
      offerStatus: 'requesting',
    });
    done(book, setActive(102n, true));
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 200));
    expect(book.changes().trails.at(-1)?.description).toBe('Bet set active by admin 9 (ops@example.com)');
    check(book);
  });

  it('reverses a settlement and settles again by the facts of that time', () => {
    const book = correctedBook();
    done(book, decision('win'));
    done(book, setActive(101n, false));
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 0));
    expect(stateOf(book, 101n)).toEqual(['accepted', null]);
    done(book, force('loss'));
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 0));
    done(book, setActive(101n, true));
    expect(moneyOf(book, 1)).toEqual(amounts(900, 0));
    expect(moneyOf(book, 2)).toEqual(amounts(1100, 0));
    check(book);
  });

  it('moves nothing for a canceled bet', () => {
    const book = correctedBook();
    done(book, setActive(103n, false));
    done(book, setActive(103n, true));
    expect(stateOf(book, 103n)).toEqual(['canceled', null]);
    check(book);
  });
});

describe('force-update override outcome', () => {
  it('expires an offer and reopens it', () => {
    const book = correctedBook();
    for (const back of ['undecided', null] as const) {
      done(book, forceOverride(102n, 'win'));
      expect(stateOf(book, 102n)).toEqual(['expired', null]);
      expect(moneyOf(book, 1)).toEqual(amounts(1000, 100));
      done(book, forceOverride(102n, back));
      expect(stateOf(book, 102n)).toEqual(['requesting', null]);
      expect(moneyOf(book, 1)).toEqual(amounts(1000, 200));
    }
    expect(
      book
        .changes()
        .trails.slice(-4)
        .map((trail) => trail.description),
    ).toEqual([
      'Override forced: win by admin 9 (ops@example.com)',
      'Override forced: undecided by admin 9 (ops@example.com)',
      'Override forced: win by admin 9 (ops@example.com)',
      'Override removed by admin 9 (ops@example.com)',
    ]);
    check(book);
  });

  it('expires and settles a matched bet, and undoes both', () => {
    const book = correctedBook();
    done(book, forceOverride(101n, 'half-win'));
    expect(stateOf(book, 101n)).toEqual(['expired', 'half-win']);
    expect(moneyOf(book, 1)).toEqual(amounts(1100, 100));
    done(book, forceOverride(101n, 'loss'));
    expect(stateOf(book, 101n)).toEqual(['expired', 'loss']);
    done(book, forceOverride(101n, null));
    expect(stateOf(book, 101n)).toEqual(['accepted', null]);
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 200));
    expect(moneyOf(book, 2)).toEqual(amounts(1000, 200));
    check(book);
  });

  it('takes precedence over the wager while it stands, and not after its removal', () => {
    const book = correctedBook();
    done(book, forceOverride(101n, 'win'));
    done(book, forceOverride(102n, 'win'));
    done(book, decision('loss'));
    expect([stateOf(book, 101n), stateOf(book, 102n)]).toEqual([
      ['expired', 'win'],
      ['expired', null],
    ]);
    done(book, forceOverride(101n, null));
    done(book, forceOverride(102n, null));
    expect([stateOf(book, 101n), stateOf(book, 102n)]).toEqual([
      ['accepted', 'loss'],
      ['expired', null],
    ]);
    check(book);
  });
});

describe('force-update wager outcome', () => {
  it('settles anew, and names the admin and the reason', () => {
    const book = correctedBook();
    done(book, decision('win'));
    expect(done(book, force('half-loss'))).toEqual({ wagerId: 11n, settledCount: 1, remainingCount: 0 });
    expect(moneyOf(book, 1)).toEqual(amounts(950, 0));
    expect(book.changes().trails.at(-1)).toMatchObject({
      outcome: 'half-loss',
      description: 'Bet settled: half-loss, was win by admin 9 (ops@example.com): wrong',
    });
    check(book);
  });

  it('forced back to undecided reopens the offers that the decision expired, and no others', () => {
    const book = correctedBook();
    done(book, offer());
    done(book, forceOverride(104n, 'push'));
    done(book, decision('win'));
    done(book, force('undecided'));
    expect(stateOf(book, 101n)).toEqual(['accepted', null]);
    expect(stateOf(book, 102n)).toEqual(['requesting', null]);
    expect(stateOf(book, 103n)).toEqual(['canceled', null]);
    expect(stateOf(book, 104n)).toEqual(['expired', null]);
    expect(moneyOf(book, 1)).toEqual(amounts(1000, 200));
    expect(done(book, acceptance())).toMatchObject([{ betId: 102n }]);
    expect(
      book
        .changes()
        .trails.slice(-3)
        .map((trail) => trail.description),
    ).toEqual([
      'Offer open again by admin 9 (ops@example.com): wrong',
      'Settlement undone: was win by admin 9 (ops@example.com): wrong',
      'Offer accepted',
    ]);
    check(book);
  });

  it('names the admin on the bets that an ordinary decision of the same outcome left pending', () => {
    const book = correctedBook();
    done(book, { ...decision('win'), bound: 0 });
    expect(done(book, { ...force('win'), bound: 1 }).remainingCount).toBeGreaterThan(0);
    const { wagerId } = done(book, { type: 'settle_chunk', wagerId: 11n, bound: 500 });
    const own = book.changes().trails.filter(({ description }) => description.includes('by admin 9'));
    expect(own.length).toBeGreaterThan(1);
    expect(book.journal.followUps.at(-1)).toEqual({ kind: 'check-portfolios', wagerId });
  });

  it('moves nothing when the outcome stays the same', () => {
    const book = correctedBook();
    done(book, decision('win'));
    const before = pictureOf(book);
    expect(done(book, force('win'))).toMatchObject({ settledCount: 0, remainingCount: 0 });
    const followUps = [{ kind: 'check-portfolios', wagerId: 11n }];
    const after = pictureOf(book);
    expect(after.followUps).toEqual(followUps);
    expect(after).toMatchObject({ users: before.users, positions: before.positions, bets: before.bets });
    expect(after.changes.trails).toEqual(before.changes.trails);
  });
});

describe('admin refusals', () => {
  it.each([
    ['not-found', 'Bet not found', setActive(999n, true)],
    ['invalid', 'Bet is already active', setActive(101n, true)],
    ['invalid', 'Bet is already inactive', setActive(102n, false)],
    ['not-found', 'Bet not found', forceOverride(999n, 'win')],
    ['invalid', "bet offer status must not be 'canceled'", forceOverride(103n, 'win')],
    ['not-found', 'Wager not found', force('win', 'unknown')],
  ])('%s: %s', (kind, text, operation) => {
    const book = correctedBook();
    done(book, setActive(102n, false));
    const before = pictureOf(book);
    expect(execute(book, operation)).toMatchObject({ kind, text });
    expect(pictureOf(book)).toEqual(before);
  });

  it('needs the bet, or the pending bets of the wager', () => {
    expect(needsOf(setActive(101n, true)).betIds).toEqual([101n]);
    expect(needsOf(forceOverride(101n, null)).betIds).toEqual([101n]);
    expect(needsOf(force('undecided'))).toMatchObject({
      wagers: [{ reference: 'w' }],
      pendingBets: { wager: { reference: 'w' }, outcome: 'undecided', voidFrom: null, limit: 501, counted: 0 },
    });
  });
});
