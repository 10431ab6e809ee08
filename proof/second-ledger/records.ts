import type { Outcome, TransactionSource, TransactionType } from '#core/records.js';
import type { Draft, Entry, FollowUp } from './draft.js';
import { sizeOf } from './figures.js';
import type { BetPicture, UserPicture } from './picture.js';

/* The append-only records that a task writes, in their order. */

export interface TransactionRecord {
  readonly userId: bigint;
  readonly amount: bigint;
  readonly transactionType: TransactionType;
  readonly transactionSource: TransactionSource;
  readonly betId: bigint | null;
  /** The user's balance after it. */
  readonly balanceAfter: bigint;
}

export interface TrailRecord {
  readonly betId: bigint;
  readonly offerStatus: BetPicture['offerStatus'];
  readonly outcome: Outcome | null;
  readonly overrideOutcome: Outcome | null;
  readonly effectiveAmount: bigint | null;
  readonly isByAdmin: boolean;
}

export interface Records {
  readonly transactions: readonly TransactionRecord[];
  readonly trails: readonly TrailRecord[];
  readonly followUps: readonly FollowUp[];
}

export const NO_RECORDS: Records = { transactions: [], trails: [], followUps: [] };

/** `before`: the users as they were before the task. */
export const recordsOf = (
  { entries, followUps }: Pick<Draft, 'entries' | 'followUps'>,
  before: readonly UserPicture[],
): Records => ({
  transactions: withBalances(entries.flatMap(transactionsOf), before),
  trails: entries.flatMap((entry) => (entry.kind === 'trail' ? [trailOf(entry)] : [])),
  followUps,
});

const trailOf = ({ bet, outcome, isByAdmin }: Extract<Entry, { kind: 'trail' }>): TrailRecord => ({
  betId: bet.id,
  offerStatus: bet.offerStatus,
  outcome,
  overrideOutcome: bet.overrideOutcome,
  effectiveAmount: bet.effectiveAmount,
  isByAdmin,
});

type Movement = Omit<TransactionRecord, 'balanceAfter'>;

/** Each balance is that of before the task and everything up to the transaction. */
const withBalances = (movements: readonly Movement[], before: readonly UserPicture[]): TransactionRecord[] => {
  const balances = new Map(before.map(({ id, balance }) => [id, balance]));
  return movements.map((movement) => {
    const balanceAfter = (balances.get(movement.userId) ?? 0n) + receivedIn(movement);
    balances.set(movement.userId, balanceAfter);
    return { ...movement, balanceAfter };
  });
};

export const receivedIn = ({ transactionType, amount }: Movement): bigint =>
  transactionType === 'debit' ? -amount : amount;

/** When a settlement changes, one pair of transactions reverses the former one; another pair is the new one. */
const transactionsOf = (entry: Entry): Movement[] => {
  if (entry.kind === 'payment') {
    const source = entry.amount > 0n ? 'funding' : 'withdrawal';
    return [transaction(entry.userId, entry.amount, source, null)];
  }
  const { bet, before } = entry;
  const wasSettled = before !== null && before.settledOutcome !== null;
  if ((before?.settledOutcome ?? null) === bet.settledOutcome) return [];
  return [
    ...(wasSettled ? pair(bet, -before.paidToRequester) : []),
    ...(bet.settledOutcome === null ? [] : pair(bet, bet.paidToRequester)),
  ];
};

const pair = ({ id, requestingUserId, acceptingUserId }: BetPicture, paidToRequester: bigint): Movement[] =>
  acceptingUserId === null
    ? []
    : [
        transaction(requestingUserId, paidToRequester, 'bet', id),
        transaction(acceptingUserId, -paidToRequester, 'bet', id),
      ];

const transaction = (
  userId: bigint,
  received: bigint,
  transactionSource: TransactionSource,
  betId: bigint | null,
): Movement => {
  const transactionType = received === 0n ? 'no-action' : received > 0n ? 'credit' : 'debit';
  return { userId, amount: sizeOf(received), transactionType, transactionSource, betId };
};
