import { sumOf } from './figures.js';
import { receivedIn, type TransactionRecord } from './records.js';

/** A transaction with the moment at which the ledger stored it, in milliseconds. */
export interface TimedTransaction extends TransactionRecord {
  readonly at: number;
}

export interface Period {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface SecondStatement {
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  readonly funded: bigint;
  readonly withdrawn: bigint;
  readonly betCredits: bigint;
  readonly betDebits: bigint;
  readonly lines: readonly TimedTransaction[];
}

/** A user's statement from all transactions of the ledger, in their order: the balances are summed again. */
export const statementOf = (
  all: readonly TimedTransaction[],
  userId: bigint,
  { from, to }: Period,
): SecondStatement => {
  const own = all.filter((transaction) => transaction.userId === userId);
  const lines = own.filter(({ at }) => at >= from && at < to);
  const comeTo = (transactions: readonly TimedTransaction[]) => sumOf(transactions.map(receivedIn));
  const openingBalance = comeTo(own.filter(({ at }) => at < from));
  const sumWhere = (isMeant: (line: TimedTransaction) => boolean) =>
    sumOf(lines.filter(isMeant).map(({ amount }) => amount));
  return {
    openingBalance,
    closingBalance: openingBalance + comeTo(lines),
    funded: sumWhere((line) => line.transactionSource === 'funding'),
    withdrawn: sumWhere((line) => line.transactionSource === 'withdrawal'),
    betCredits: sumWhere((line) => line.betId !== null && line.transactionType === 'credit'),
    betDebits: sumWhere((line) => line.betId !== null && line.transactionType === 'debit'),
    lines,
  };
};
