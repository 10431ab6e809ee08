import { describe, expect, it } from '@jest/globals';
import type { Book } from '#core/book.js';
import { execute, isFailure, type Operation } from '#core/operation.js';
import { type Bet, type Outcome, outcomes, type User } from '#core/records.js';
import { admin, done } from '#testing/core/builders.js';
import { differencesIn, ledgerOf, pictureOf } from '#testing/core/ledger-check.js';
import { testSeed } from '#testing/test-seed.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { startBook, startStore } from './core-under-test.js';
import type { History } from './history.js';
import { historyInWords } from './history-in-words.js';
import { planHistory } from './plan-history.js';
import { playOnSecondLedger } from './play-history.js';
import { shrink } from './shrink.js';
import { operationsOf, runOnBook, type Task } from './task.js';

/* Properties that hold in every history of the core. They do not compare it with the second ledger. */

const ALL_BETS = 1_000_000;

/** Checks new random histories. A failure names the seed and shows the shortest history that fails. */
function holdsInHistories(count: number, check: (history: History, random: SeededRandom) => void): void {
  for (let seed = testSeed; seed < testSeed + count; seed += 1) {
    const errorIn = (history: History): unknown => {
      try {
        check(history, createSeededRandom(seed));
      } catch (error) {
        return error;
      }
      return undefined;
    };
    const history = planHistory(seed);
    if (errorIn(history) === undefined) continue;
    const shortest = shrink(history, (some) => errorIn(some) !== undefined);
    throw new Error(`in history ${seed}, shortened:\n${historyInWords(shortest)}\n${String(errorIn(shortest))}`);
  }
}

const tasksOf = (history: History): Task[] => [...playOnSecondLedger(history)].map(({ task }) => task);

const bookAfter = (history: History): Book => {
  const book = startBook(history.account);
  for (const task of tasksOf(history)) runOnBook(book, task);
  return book;
};

const pictureWithUnit = (history: History) => {
  const book = bookAfter(history);
  return { unit: book.unit, ...pictureOf(book) };
};

const expectFactsToMatch = (book: Book, history: History) =>
  expect(differencesIn(ledgerOf(book), startBalanceIn(history))).toEqual([]);

const startBalanceIn =
  ({ account }: History) =>
  ({ id }: User): bigint =>
    BigInt(account.users[Number(id) - 1]?.start ?? 0);

/** Cancels until no cancel is pending, and settles until no bet is pending, in any wager. */
const settleAll = (book: Book) => {
  for (const { id: wagerId, pendingCancels } of [...book.wagers.values()]) {
    for (const _ of pendingCancels) done(book, { type: 'cancel_chunk', wagerId, bound: ALL_BETS });
    done(book, { type: 'settle_chunk', wagerId, bound: ALL_BETS });
  }
};

const anyOutcome = (random: SeededRandom): Outcome => random.pick([...outcomes] as [Outcome, ...Outcome[]]);

describe('any history', () => {
  it('ends with the balances, positions and exposures that follow from the facts, and bets sum to zero', () => {
    holdsInHistories(400, (history) => expectFactsToMatch(bookAfter(history), history));
  });

  it('keeps every figure of an account with decimals a whole number of its smallest amount', () => {
    let wholeCount = 0;
    holdsInHistories(400, (history) => {
      const { unit, ...book } = pictureWithUnit(history);
      if (unit === null) return;
      wholeCount += 1;
      const moved = book.changes.transactions.flatMap(({ amount, balanceAfter }) => [amount, balanceAfter]);
      const held = book.users.flatMap(({ balance, exposure }) => [balance, exposure]);
      const atStake = book.positions.flatMap(({ win, loss, offered }) => [win, loss, offered]);
      const bets = book.bets.map(({ requestingAmount }) => requestingAmount);
      expect([...moved, ...held, ...atStake, ...bets].filter((amount) => amount % unit !== 0n)).toEqual([]);
    });
    expect(wholeCount).toBeGreaterThan(60);
  });

  it('shows no trace of a refused task', () => {
    holdsInHistories(60, (history) => {
      const book = startBook(history.account);
      for (const task of tasksOf(history)) {
        const before = pictureOf(book);
        if (isFailure(runOnBook(book, task))) expect(pictureOf(book)).toEqual(before);
      }
    });
  });

  it('shows an accepted batch as its operations one by one, where each is accepted alone', () => {
    let comparedCount = 0;
    holdsInHistories(400, (history) => {
      const [book, twin] = [startBook(history.account), startBook(history.account)];
      for (const task of tasksOf(history)) {
        if (isFailure(runOnBook(book, task))) continue;
        twin.now = task.now;
        // From the first operation that is refused alone, the twin is another ledger.
        if (
          operationsOf(task)
            .map((operation) => execute(twin, operation))
            .some(isFailure)
        )
          return;
        if (task.kind === 'single') continue;
        comparedCount += 1;
        expect(pictureOf(twin)).toEqual(pictureOf(book));
      }
    });
    expect(comparedCount).toBeGreaterThan(50);
  });

  it('leaves no user who took on a commitment below zero and lower than before', () => {
    const committing: readonly Operation['type'][] = [
      'make_bet_offer',
      'accept_bet_offer',
      'cancel_bet_offer',
      'withdraw',
    ];
    holdsInHistories(150, (history) => {
      const book = startBook(history.account);
      const limited = [...book.users.values()].filter(
        ({ allowNegativeBalance }) => !(allowNegativeBalance ?? history.account.allowNegativeBalance),
      );
      const effectiveBalances = () => limited.map(({ balance, exposure }) => balance - exposure);
      for (const task of tasksOf(history)) {
        const before = effectiveBalances();
        runOnBook(book, task);
        if (task.kind === 'batch' || !committing.includes(task.operation.type)) continue;
        for (const [index, after] of effectiveBalances().entries()) {
          expect(after >= 0n || after >= (before[index] ?? 0n)).toBe(true);
        }
      }
    });
  });
});

describe('settling', () => {
  it('in chunks equals settling at once', () => {
    holdsInHistories(150, (history, random) => {
      const [whole, chunked] = [bookAfter(history), bookAfter(history)];
      const [wager] = random.shuffle([...whole.wagers.values()]);
      if (wager === undefined) return;
      const [outcome, bound] = [anyOutcome(random), 1 + random.below(4)];
      const force = { type: 'force_wager_outcome', wagerReference: wager.reference, outcome, action: admin } as const;
      // Then the worker looks once more, where it may find none.
      const wasVoiding = wager.voidFrom !== null;
      const { remainingCount: leftAtOnce } = done(whole, { ...force, bound: ALL_BETS });
      if (leftAtOnce > 0) done(whole, { type: 'settle_chunk', wagerId: wager.id, bound: ALL_BETS });
      const { wagerId, remainingCount } = done(chunked, { ...force, bound });
      expect(chunked.wager(wagerId).settlingSince !== null).toBe(remainingCount > 0);
      for (let remaining = remainingCount; chunked.wager(wagerId).settlingSince !== null; ) {
        const chunk = done(chunked, { type: 'settle_chunk', wagerId, bound });
        if (!wasVoiding)
          expect(chunk).toEqual({ wagerId, settledCount: Math.min(bound, remaining), isComplete: remaining < bound });
        remaining -= chunk.settledCount;
      }
      // Up to which bet the chunks came is all that may differ.
      chunked.wager(wagerId).settledUpTo = whole.wager(wagerId).settledUpTo;
      const { followUps: _ofChunks, ...settled } = pictureOf(chunked);
      const { followUps: _ofWhole, ...settledAtOnce } = pictureOf(whole);
      expect(settled).toEqual(settledAtOnce);
      expect(chunked.journal.followUps.at(-1)).toEqual({ kind: 'check-portfolios', wagerId });
    });
  });

  it('a second time moves nothing', () => {
    holdsInHistories(100, (history) => {
      const book = bookAfter(history);
      settleAll(book);
      const before = pictureOf(book);
      settleAll(book);
      expect(pictureOf(book)).toEqual(before);
    });
  });

  it('leaves nothing at stake in a decided wager, except for bets that are overridden as undecided', () => {
    const isSettledByWager = (bet: Bet) => bet.overrideOutcome !== 'undecided';
    holdsInHistories(100, (history) => {
      const book = bookAfter(history);
      settleAll(book);
      for (const { win, loss, offered, wagerId } of book.positions.values()) {
        const isDecided = book.wager(wagerId).outcome !== 'undecided';
        if (!isDecided || ![...book.offersOf(wagerId).bets].every(isSettledByWager)) continue;
        expect([win, loss, offered]).toEqual([0n, 0n, 0n]);
      }
      expectFactsToMatch(book, history);
    });
  });
});

describe('an admin action that is undone', () => {
  const expectUndone = (book: Book, action: Operation, undo: Operation) => {
    const { users, positions } = pictureOf(book);
    if (isFailure(execute(book, action))) return;
    done(book, undo);
    expect(pictureOf(book)).toMatchObject({ users, positions });
  };

  it('restores balances, exposures and positions exactly', () => {
    holdsInHistories(100, (history, random) => {
      const book = bookAfter(history);
      const given = anyOutcome(random);
      settleAll(book);
      for (const { id: betId, isActive, overrideOutcome } of [...book.bets.values()].map((bet) => ({ ...bet }))) {
        const bet = { betId, action: admin };
        const set = { type: 'set_bet_active', ...bet } as const;
        expectUndone(book, { ...set, isActive: !isActive }, { ...set, isActive });
        const force = { type: 'force_bet_override', ...bet } as const;
        expectUndone(book, { ...force, overrideOutcome: given }, { ...force, overrideOutcome });
      }
      for (const { reference: wagerReference, outcome } of [...book.wagers.values()].map((wager) => ({ ...wager }))) {
        const force = { type: 'force_wager_outcome', wagerReference, bound: ALL_BETS, action: admin } as const;
        expectUndone(book, { ...force, outcome: given }, { ...force, outcome });
      }
      expectFactsToMatch(book, history);
    });
  });
});

describe('Books with only what the needs of a group name, in slices', () => {
  /** Two operations of a group may load the same pending bets; the second may then settle fewer than its bound. */
  const withoutBounds = (task: Task): Task => {
    const unbounded = (operation: Operation): Operation =>
      'bound' in operation ? { ...operation, bound: ALL_BETS } : operation;
    if (task.kind === 'single') return { ...task, operation: unbounded(task.operation) };
    return { ...task, items: task.items.map((item) => ({ ...item, operation: unbounded(item.operation) })) };
  };

  const groupsOf = (tasks: readonly Task[], random: SeededRandom): Task[][] => {
    const groups: Task[][] = [];
    for (let from = 0; from < tasks.length; ) {
      const group = tasks.slice(from, from + 1 + random.below(4));
      groups.push(group.flatMap(operationsOf).length === 1 ? group : group.map(withoutBounds));
      from += group.length;
    }
    return groups;
  };

  it('decide as one Book with everything in it', () => {
    holdsInHistories(250, (history, random) => {
      const book = startBook(history.account);
      const store = startStore(history.account, 1 + random.below(3));
      for (const group of groupsOf(tasksOf(history), random)) {
        const whole = group.map((task) => runOnBook(book, task));
        expect(store.run(group)).toEqual(whole);
      }
      expect([...store.users.values()]).toEqual([...book.users.values()]);
      expect([...store.wagers.values()]).toEqual([...book.wagers.values()]);
      expect([...store.bets.values()]).toEqual([...book.bets.values()]);
      const stored = { users: store.users.values(), bets: store.bets.values(), positions: store.positions.values() };
      const differences = differencesIn(
        { ...stored, unit: book.unit, transactions: store.transactions },
        startBalanceIn(history),
      );
      expect(differences).toEqual([]);
    });
  });
});
