import type { OfferStatus, Outcome } from '#core/records.js';
import type { BetFacts, Facts, WagerFacts } from './facts.js';
import { receivedBy, sumOf } from './figures.js';

/* Everything visible in a ledger, computed from its facts. */

export interface UserPicture {
  readonly id: bigint;
  readonly balance: bigint;
  readonly exposure: bigint;
}

export interface WagerPicture extends Readonly<Omit<WagerFacts, 'isForced' | 'voidFrom' | 'pendingCancels'>> {
  /** The number of cancels that are not done. */
  readonly pendingCancels: number;
}

export interface BetPicture {
  readonly id: bigint;
  readonly wagerId: bigint;
  readonly requestingUserId: bigint;
  readonly requestingOdds: bigint;
  readonly requestingAmount: bigint;
  readonly allowedAcceptorIds: readonly bigint[];
  readonly offerStatus: OfferStatus;
  readonly acceptingUserId: bigint | null;
  readonly effectiveOdds: bigint | null;
  readonly effectiveAmount: bigint | null;
  readonly overrideOutcome: Outcome | null;
  readonly settledOutcome: Outcome | null;
  readonly isActive: boolean;
  readonly expiresAt: bigint | null;
  readonly acceptedAt: bigint | null;
  readonly timedOut: boolean;
  /** The sums of the bet's transactions with each of its two users. */
  readonly paidToRequester: bigint;
  readonly paidToAcceptor: bigint;
}

export interface PositionPicture {
  readonly userId: bigint;
  readonly wagerId: bigint;
  readonly win: bigint;
  readonly loss: bigint;
  readonly offered: bigint;
}

export interface Picture {
  readonly users: readonly UserPicture[];
  readonly wagers: readonly WagerPicture[];
  readonly bets: readonly BetPicture[];
  /** Sorted by user and wager, without those that are zero throughout. */
  readonly positions: readonly PositionPicture[];
}

export const isDecided = (outcome: Outcome | undefined): boolean => outcome !== undefined && outcome !== 'undecided';

export const statusOf = (bet: BetFacts): OfferStatus => {
  if (bet.isCanceled) return 'canceled';
  if (bet.acceptance !== null)
    return bet.override?.isForced && isDecided(bet.override.outcome) ? 'expired' : 'accepted';
  if (bet.isTimedOut) return 'expired';
  return isDecided(bet.reachedBy) || isDecided(bet.override?.outcome) ? 'expired' : 'requesting';
};

/** The outcome by which the bet is settled now; null: it is not settled. */
export const settledOutcomeOf = (bet: BetFacts): Outcome | null => {
  const effective = bet.override === null ? bet.reachedBy : bet.override.outcome;
  return bet.acceptance !== null && bet.isActive && isDecided(effective) ? effective : null;
};

/** Whether the bet would look different if its wager's outcome had reached it. */
export const isBehind = (bet: BetFacts, outcome: Outcome): boolean => {
  const reached = { ...bet, reachedBy: outcome };
  return statusOf(bet) !== statusOf(reached) || settledOutcomeOf(bet) !== settledOutcomeOf(reached);
};

export const pictureOf = (facts: Facts): Picture => {
  const { decimals } = facts;
  const bets = facts.bets.map((bet) => betPictureOf(bet, decimals));
  const betsOf = new Map(facts.wagers.map(({ id }): [bigint, BetPicture[]] => [id, []]));
  for (const bet of bets) betsOf.get(bet.wagerId)?.push(bet);
  const positions = facts.users.flatMap(({ id: userId }) =>
    facts.wagers.map(({ id: wagerId }) => positionOf(betsOf.get(wagerId) ?? [], { userId, wagerId, decimals })),
  );
  return {
    users: facts.users.map(({ id, startBalance }) => ({
      id,
      balance: startBalance + sumOf([...paymentsOf(facts, id), ...settlementsOf(bets, id)]),
      exposure: sumOf(positions.filter(({ userId }) => userId === id).map(worstOf)),
    })),
    wagers: facts.wagers.map(({ isForced: _forced, voidFrom: _voidFrom, pendingCancels, ...shown }) => ({
      ...shown,
      pendingCancels: pendingCancels.length,
    })),
    bets,
    positions: positions.filter(({ win, loss, offered }) => win !== 0n || loss !== 0n || offered !== 0n),
  };
};

export const betPictureOf = (bet: BetFacts, decimals: Facts['decimals']): BetPicture => {
  const settledOutcome = settledOutcomeOf(bet);
  const effectiveAmount = bet.acceptance?.amount ?? null;
  const terms = { odds: bet.odds, amount: effectiveAmount ?? 0n, decimals };
  const paidToRequester = settledOutcome === null ? 0n : receivedBy(settledOutcome, terms);
  return {
    id: bet.id,
    wagerId: bet.wagerId,
    requestingUserId: bet.requesterId,
    requestingOdds: bet.odds,
    requestingAmount: bet.amount,
    allowedAcceptorIds: bet.allowedAcceptorIds,
    offerStatus: statusOf(bet),
    acceptingUserId: bet.acceptance?.acceptorId ?? null,
    effectiveOdds: bet.acceptance === null ? null : bet.odds,
    effectiveAmount,
    overrideOutcome: bet.override?.outcome ?? null,
    settledOutcome,
    isActive: bet.isActive,
    expiresAt: bet.expiresAt,
    acceptedAt: bet.acceptance?.at ?? null,
    timedOut: bet.isTimedOut,
    paidToRequester,
    paidToAcceptor: -paidToRequester,
  };
};

const paymentsOf = (facts: Facts, userId: bigint): bigint[] =>
  facts.payments.filter((payment) => payment.userId === userId).map(({ amount }) => amount);

const settlementsOf = (bets: readonly BetPicture[], userId: bigint): bigint[] => [
  ...bets.filter((bet) => bet.requestingUserId === userId).map((bet) => bet.paidToRequester),
  ...bets.filter((bet) => bet.acceptingUserId === userId).map((bet) => bet.paidToAcceptor),
];

const positionOf = (
  bets: readonly BetPicture[],
  { userId, wagerId, decimals }: { userId: bigint; wagerId: bigint; decimals: Facts['decimals'] },
): PositionPicture => {
  const counting = bets.filter((bet) => bet.isActive);
  const atStake = counting.filter((bet) => bet.acceptingUserId !== null && bet.settledOutcome === null);
  const resultOf = ({ requestingOdds: odds, effectiveAmount }: BetPicture, outcome: Outcome): bigint =>
    receivedBy(outcome, { odds, amount: effectiveAmount ?? 0n, decimals });
  const comeTo = (outcome: Outcome) =>
    sumOf(atStake.filter((bet) => bet.requestingUserId === userId).map((bet) => resultOf(bet, outcome))) -
    sumOf(atStake.filter((bet) => bet.acceptingUserId === userId).map((bet) => resultOf(bet, outcome)));
  const open = counting.filter((bet) => bet.requestingUserId === userId && bet.offerStatus === 'requesting');
  return {
    userId,
    wagerId,
    win: comeTo('win'),
    loss: comeTo('loss'),
    offered: sumOf(open.map(({ requestingAmount }) => requestingAmount)),
  };
};

/** The most that a wager can still cost: if it is won, or if it is lost and all open offers are matched before. */
const worstOf = ({ win, loss, offered }: PositionPicture): bigint => {
  const results = [0n, win, loss - offered];
  return -results.reduce((worst, result) => (result < worst ? result : worst));
};
