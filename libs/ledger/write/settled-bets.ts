import type { Changes } from '#core/changes.js';
import type { DecidedOutcome } from '#core/outcome.js';
import type { Bet, TrailEntry, Transaction } from '#core/records.js';

/** A bet that its wager's outcome settled for the first time: its trail entry and its transactions follow from it. */
export interface SettledBet {
  readonly bet: Bet;
  readonly trail: TrailEntry;
  readonly outcome: DecidedOutcome;
  /** Positive: from the acceptor to the requester. */
  readonly movement: bigint;
  readonly description: string;
  /** The balances of both parties after it. */
  readonly requesterBalance: bigint;
  readonly acceptorBalance: bigint;
  /** Of the requester's transaction; that of the acceptor is the next. */
  readonly place: number;
}

/** A transaction and its place among all that are written together: ids have the order in which transactions arose. */
export interface PlacedTransaction {
  readonly transaction: Transaction;
  readonly place: number;
}

export interface CompactChanges extends Pick<Changes, 'updatedBets' | 'trails'> {
  readonly transactions: readonly PlacedTransaction[];
  readonly settled: readonly SettledBet[];
}

const signs = { credit: 1n, debit: -1n, 'no-action': 0n } as const;

/**
 * A settlement has thousands of such bets, so each is written as nine figures instead of fifty. The places of the
 * transactions count from `firstPlace`.
 */
export function withoutSettled({ updatedBets, trails, transactions }: Changes, firstPlace: number): CompactChanges {
  const placed = transactions.map((transaction, index) => ({ transaction, place: firstPlace + index }));
  if (transactions.every(({ trail }) => trail === null)) {
    return { updatedBets, trails, transactions: placed, settled: [] };
  }
  const trailOf = new Map<bigint, TrailEntry | 'several'>();
  for (const trail of trails) trailOf.set(trail.betId, trailOf.has(trail.betId) ? 'several' : trail);
  const moves = new Map<TrailEntry | null, PlacedTransaction[]>();
  for (const one of placed) {
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
    updatedBets: others,
    trails: trails.filter((trail) => !settled.has(trail)),
    transactions: placed.filter(({ transaction: { trail } }) => trail === null || !settled.has(trail)),
    settled: [...settled.values()],
  };
}

/** Undefined unless `write_group` would write exactly this trail entry and these transactions. */
function settledBetOf(bet: Bet, trail: TrailEntry, pair: readonly PlacedTransaction[]): SettledBet | undefined {
  const [first, second, ...more] = pair;
  if (first === undefined || second?.place !== first.place + 1 || more.length > 0) return undefined;
  const [requester, acceptor] = [first.transaction, second.transaction];
  const { settledOutcome: outcome } = bet;
  const { description } = trail;
  const isByWager = outcome !== null && bet.overrideOutcome === null && trail.outcome === outcome;
  const isTold = requester.description === description && acceptor.description === description;
  if (!isByWager || !isTold || requester.userId !== bet.requestingUserId) return undefined;
  // A literal that begins with a spread costs V8 a hidden class each time.
  return {
    bet,
    trail,
    outcome,
    movement: signs[requester.transactionType] * requester.amount,
    description,
    requesterBalance: requester.balanceAfter,
    acceptorBalance: acceptor.balanceAfter,
    place: first.place,
  };
}
