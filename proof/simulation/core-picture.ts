import { ZERO } from '#core/money.js';
import type { Bet, Position, Transaction, User, Wager } from '#core/records.js';
import type { BetPicture, Picture } from '#proof/second-ledger/picture.js';

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

/** The core's records in the form in which the second ledger shows its own. */
export const corePictureOf = ({ users, wagers, bets, positions }: CoreRecords, paid: PaidByBets): Picture => ({
  users: [...users.values()].map(({ id, balance, exposure }) => ({ id, balance, exposure })),
  wagers: [...wagers.values()].map((wager) => ({
    id: wager.id,
    reference: wager.reference,
    outcome: wager.outcome,
    isSettling: wager.settlingSince !== null,
    status: wager.status,
    statusReason: wager.statusReason,
    closesAt: wager.closesAt,
    event: wager.event,
    startsAt: wager.startsAt,
    revision: wager.revision,
    pendingCancels: wager.pendingCancels.length,
  })),
  bets: [...bets.values()].map((bet) => betPictureOf(bet, paid)),
  positions: [...positions.values()]
    .map(({ userId, wagerId, win, loss, offered }) => ({ userId, wagerId, win, loss, offered }))
    .filter(({ win, loss, offered }) => win !== ZERO || loss !== ZERO || offered !== ZERO)
    .sort((one, other) => Number(one.userId - other.userId) || Number(one.wagerId - other.wagerId)),
});

const betPictureOf = (bet: Bet, paid: PaidByBets): BetPicture => ({
  id: bet.id,
  wagerId: bet.wagerId,
  requestingUserId: bet.requestingUserId,
  requestingOdds: bet.requestingOdds,
  requestingAmount: bet.requestingAmount,
  allowedAcceptorIds: bet.allowedAcceptorIds,
  offerStatus: bet.offerStatus,
  acceptingUserId: bet.acceptingUserId,
  effectiveOdds: bet.effectiveOdds,
  effectiveAmount: bet.effectiveAmount,
  overrideOutcome: bet.overrideOutcome,
  settledOutcome: bet.settledOutcome,
  isActive: bet.isActive,
  expiresAt: bet.expiresAt,
  acceptedAt: bet.acceptedAt,
  timedOut: bet.timedOut,
  paidToRequester: paid.to(bet.id, bet.requestingUserId),
  paidToAcceptor: paid.to(bet.id, bet.acceptingUserId),
});
