import type { Changes } from '#core/changes.js';
import type { DecidedOutcome } from '#core/outcome.js';
import type { Bet, TrailEntry, Transaction } from '#core/records.js';

/** A bet that its wager's outcome settled for the first time: its trail entry and its transactions follow from it. */
export interface SettledBet {
  readonly bet: Bet;
  readonly outcome: DecidedOutcome;
  /** Positive: from the acceptor to the requester. */
  readonly movement: bigint;
  readonly description: string;
}

export interface CompactChanges extends Pick<Changes, 'updatedBets' | 'trails' | 'transactions'> {
  readonly settled: readonly SettledBet[];
}

const signs = { credit: 1n, debit: -1n, 'no-action': 0n } as const;

/** A settlement has thousands of such bets, so each is written as six figures instead of fifty. */
export function withoutSettled({ updatedBets, trails, transactions }: Changes): CompactChanges {
  if (transactions.every(({ trail }) => trail === null)) return { updatedBets, trails, transactions, settled: [] };
  const trailOf = new Map<bigint, TrailEntry | 'several'>();
  for (const trail of trails) trailOf.set(trail.betId, trailOf.has(trail.betId) ? 'several' : trail);
  const moves = new Map<TrailEntry | null, Transaction[]>();
  for (const transaction of transactions) {
    const pair = moves.get(transaction.trail);
    if (pair === undefined) moves.set(transaction.trail, [transaction]);
    else pair.push(transaction);
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
    transactions: transactions.filter(({ trail }) => trail === null || !settled.has(trail)),
    settled: [...settled.values()],
  };
}

/** Undefined unless `write_group` would write exactly this trail entry and these transactions. */
function settledBetOf(bet: Bet, trail: TrailEntry, pair: readonly Transaction[]): SettledBet | undefined {
  const [requester, acceptor, ...more] = pair;
  if (requester === undefined || acceptor === undefined || more.length > 0) return undefined;
  const { settledOutcome: outcome } = bet;
  const { description } = trail;
  const isByWager = outcome !== null && bet.overrideOutcome === null && trail.outcome === outcome;
  const isTold = requester.description === description && acceptor.description === description;
  if (!isByWager || !isTold || requester.userId !== bet.requestingUserId) return undefined;
  return { bet, outcome, movement: signs[requester.transactionType] * requester.amount, description };
}
