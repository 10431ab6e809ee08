import { ZERO } from '#core/money.js';
import type { Bet, Position, Transaction, User, Wager } from '#core/records.js';
import type { Picture } from '#proof/second-ledger/picture.js';

/** The sums of each bet's transactions with each of its users. */
export class PaidByBets {
  readonly #sums = new Map<string, bigint>();

  add(transactions: readonly Transaction[]): void {
    for (const { userId, amount, transactionType, trail } of transactions) {
      if (trail === null) continue;
      const received = transactionType === 'debit' ? -amount : amount;
      this.#sums.set(`${trail.betId} ${userId}`, this.to(trail.betId, userId) + received);
    }
  }

  to(betId: bigint, userId: bigint | null): bigint {
    return this.#sums.get(`${betId} ${userId}`) ?? 0n;
  }
}

interface CoreRecords {
  readonly users: { values(): Iterable<User> };
  readonly wagers: { values(): Iterable<Wager> };
  readonly bets: { values(): Iterable<Bet> };
  readonly positions: { values(): Iterable<Position> };
}

/** The core's records with all that the second ledger shows of its own, and more. */
export const corePictureOf = ({ users, wagers, bets, positions }: CoreRecords, paid: PaidByBets): Picture => ({
  users: [...users.values()],
  wagers: [...wagers.values()].map((wager) => ({
    ...wager,
    isSettling: wager.settlingSince !== null,
    pendingCancels: wager.pendingCancels.length,
  })),
  bets: [...bets.values()].map((bet) => ({
    ...bet,
    paidToRequester: paid.to(bet.id, bet.requestingUserId),
    paidToAcceptor: paid.to(bet.id, bet.acceptingUserId),
  })),
  positions: [...positions.values()]
    .filter(({ win, loss, offered }) => win !== ZERO || loss !== ZERO || offered !== ZERO)
    .sort((one, other) => Number(one.userId - other.userId) || Number(one.wagerId - other.wagerId)),
});
