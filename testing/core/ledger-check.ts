import type { Book } from '#core/book.js';
import { exposureOf, impactOf, oppositeOf, type Unit } from '#core/impact.js';
import type { Bet, Position, Transaction, User } from '#core/records.js';

/*
 * The shared check of every test that moves money: balances, exposures and positions, which the core moves by
 * differences, equal what the facts say. It works on a Book that holds everything, or on a store.
 */

export interface Ledger {
  readonly users: Iterable<User>;
  readonly bets: Iterable<Bet>;
  readonly positions: Iterable<Position>;
  readonly transactions: readonly Transaction[];
  /** Null, unless given. */
  readonly unit?: Unit;
}

export const ledgerOf = (book: Book): Ledger => ({
  users: book.users.values(),
  bets: book.bets.values(),
  positions: book.positions.values(),
  transactions: book.changes().transactions,
  unit: book.unit,
});

/** Every difference, as text; `startOf` returns a user's balance before the first transaction. */
export const differencesIn = (ledger: Ledger, startOf: (user: User) => bigint = () => 0n): string[] => {
  const faults: string[] = [];
  const { unit = null } = ledger;
  const expect = (what: string, found: bigint, expected: bigint) => {
    if (found !== expected) faults.push(`${what} is ${found}, should be ${expected}`);
  };
  const facts = positionsFromFacts(ledger.bets, unit);
  const exposures = new Map<bigint, bigint>();
  for (const position of ledger.positions) {
    const key = `${position.userId} ${position.wagerId}`;
    const expected = facts.get(key) ?? { win: 0n, loss: 0n, offered: 0n };
    for (const part of ['win', 'loss', 'offered'] as const) {
      expect(`position ${key} ${part}`, position[part], expected[part]);
    }
    facts.delete(key);
    exposures.set(position.userId, (exposures.get(position.userId) ?? 0n) + exposureOf(position));
  }
  for (const [key, { win, loss, offered }] of facts) {
    if (win !== 0n || loss !== 0n || offered !== 0n) faults.push(`position ${key} is missing`);
  }
  for (const user of ledger.users) {
    expect(`exposure of ${user.id}`, user.exposure, exposures.get(user.id) ?? 0n);
    const own = ledger.transactions.filter(({ userId }) => userId === user.id);
    let running = startOf(user);
    for (const [index, transaction] of own.entries()) {
      running += sumOf([transaction]);
      expect(`balance of ${user.id} after transaction ${index}`, transaction.balanceAfter, running);
    }
    expect(`balance of ${user.id}`, user.balance, running);
  }
  for (const bet of ledger.bets) {
    const own = ledger.transactions.filter(({ trail }) => trail?.betId === bet.id);
    const ofRequester = own.filter(({ userId }) => userId === bet.requestingUserId);
    expect(`effect of bet ${bet.id}`, sumOf(ofRequester), impactOf(bet, unit).balance);
    expect(`sum of bet ${bet.id}`, sumOf(own), 0n);
  }
  return faults;
};

const sumOf = (transactions: readonly Transaction[]): bigint =>
  transactions.reduce((sum, { amount, transactionType }) => sum + (transactionType === 'debit' ? -amount : amount), 0n);

const positionsFromFacts = (bets: Iterable<Bet>, unit: Unit) => {
  const positions = new Map<string, { win: bigint; loss: bigint; offered: bigint }>();
  for (const bet of bets) {
    const impact = impactOf(bet, unit);
    const sides = [{ userId: bet.requestingUserId, side: impact }];
    if (bet.acceptingUserId !== null) sides.push({ userId: bet.acceptingUserId, side: oppositeOf(impact) });
    for (const { userId, side } of sides) {
      const key = `${userId} ${bet.wagerId}`;
      const { win, loss, offered } = positions.get(key) ?? { win: 0n, loss: 0n, offered: 0n };
      positions.set(key, { win: win + side.win, loss: loss + side.loss, offered: offered + side.offered });
    }
  }
  return positions;
};

/** A copy of everything visible in a Book: equal before and after an operation that leaves no trace. */
export const pictureOf = (book: Book) =>
  structuredClone({
    users: [...book.users.values()],
    wagers: [...book.wagers.values()].map((wager) => ({
      ...wager,
      isNamed: book.wagerNamed(wager.reference) === wager,
      open: book.offersOf(wager.id).open(),
      bets: [...book.offersOf(wager.id).bets],
    })),
    bets: [...book.bets.values()],
    positions: [...book.positions.values()],
    changes: book.changes(),
    followUps: book.journal.followUps,
  });
