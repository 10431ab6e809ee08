import type { Changes } from '#core/changes.js';
import type { Bet, TrailEntry, Transaction } from '#core/records.js';
import type { RowOf } from '#platform/database/statements.js';
import type { settledBet } from './row-types.js';

/**
 * A bet that its wager's outcome settled for the first time: its trail entry and its transactions follow from it. The movement is
 * positive from the acceptor to the requester.
 */
interface SettledBet extends Omit<RowOf<typeof settledBet>, 'accountId'> {
  readonly trail: TrailEntry;
}

/** A transaction and its number among all that are written together: ids have the order in which transactions arose. */
export interface NumberedTransaction {
  readonly transaction: Transaction;
  readonly number: number;
}

interface NumberedChanges extends Pick<Changes, 'updatedBets' | 'trails'> {
  readonly transactions: readonly NumberedTransaction[];
}

/** Of one account. */
export interface CompactChanges extends NumberedChanges {
  readonly accountId: bigint;
  readonly settled: readonly SettledBet[];
}

const signs = { credit: 1n, debit: -1n, 'no-action': 0n } as const;

/** A settlement has thousands of such bets, so each is written as eight figures instead of fifty. */
export function withoutSettled(
  accountId: bigint,
  { updatedBets, trails, transactions }: NumberedChanges,
): CompactChanges {
  const trailOf = new Map<bigint, TrailEntry | 'several'>();
  for (const trail of trails) trailOf.set(trail.betId, trailOf.has(trail.betId) ? 'several' : trail);
  const moves = new Map<TrailEntry | null, NumberedTransaction[]>();
  for (const one of transactions) {
    const { trail } = one.transaction;
    const pair = moves.get(trail);
    if (pair === undefined) moves.set(trail, [one]);
    else pair.push(one);
  }
  const settled = new Map<TrailEntry | null, SettledBet>();
  const others: Bet[] = [];
  for (const bet of updatedBets) {
    const trail = trailOf.get(bet.id);
    const found = typeof trail === 'object' ? settledBetOf(bet, trail, moves.get(trail) ?? []) : undefined;
    if (found === undefined) others.push(bet);
    else settled.set(trail as TrailEntry, found);
  }
  return {
    accountId,
    updatedBets: others,
    trails: trails.filter((trail) => !settled.has(trail)),
    transactions: transactions.filter(({ transaction: { trail } }) => trail === null || !settled.has(trail)),
    settled: [...settled.values()],
  };
}

/** Undefined unless `write_group` would write exactly this trail entry and these transactions. */
function settledBetOf(bet: Bet, trail: TrailEntry, pair: readonly NumberedTransaction[]): SettledBet | undefined {
  const [first, second, ...more] = pair;
  if (first === undefined || second?.number !== first.number + 1 || more.length > 0) return undefined;
  const [requester, acceptor] = [first.transaction, second.transaction];
  const { settledOutcome: outcome } = bet;
  const { description } = trail;
  const isByWager = outcome !== null && bet.overrideOutcome === null && trail.outcome === outcome;
  const isTold = requester.description === description && acceptor.description === description;
  if (!isByWager || !isTold || requester.userId !== bet.requestingUserId) return undefined;
  return {
    number: first.number,
    id: bet.id,
    trail,
    outcome,
    movement: signs[requester.transactionType] * requester.amount,
    description,
    requesterBalance: requester.balanceAfter,
    acceptorBalance: acceptor.balanceAfter,
  };
}
