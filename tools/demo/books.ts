import type { components, LedgerClient } from '#clients/typescript/client.js';
import { asMicros, formatMicros, type Micros, ZERO } from '#core/money.js';
import { micros } from '#tools/shared/amounts.js';
import type { Bettor } from './evening.js';
import type { FollowedLog } from './followed-log.js';

/** The money of one bettor, or of all. */
export interface BookLine {
  readonly name: string;
  readonly paidIn: Micros;
  readonly paidOut: Micros;
  /** The gain from bets; negative for a loss. */
  readonly won: Micros;
  readonly balance: Micros;
}

export interface Books {
  /** Ordered by gain, the highest first. */
  readonly lines: readonly BookLine[];
  readonly total: BookLine;
  /** Differences, in words; empty when the books are right. */
  readonly faults: readonly string[];
}

/** Reads balances and transactions separately, and compares them with each other and with the plan of the evening. */
export async function readBooks(business: LedgerClient, bettors: readonly Bettor[]): Promise<Books> {
  const sums = new Map<string, Sums>();
  for await (const transaction of business.transactions.list()) add(sums, transaction);
  const users = new Map<string, components['schemas']['User']>();
  for await (const user of business.users.list()) users.set(user.reference, user);
  const faults: string[] = [];
  const lines = bettors.map(({ name, reference, funds, won: planned }) => {
    const { paidIn, paidOut, won } = sums.get(reference) ?? noSums();
    const user = users.get(reference);
    const line = { name, paidIn, paidOut, won, balance: micros(user?.balance ?? 0) };
    if (paidIn - paidOut + won !== line.balance) faults.push(`${name}: the transactions do not sum to the balance`);
    if (paidIn !== micros(funds)) faults.push(`${name}: has not paid in what was planned`);
    if (won !== planned) faults.push(`${name}: has won ${formatMicros(won)}, and ${formatMicros(planned)} by the plan`);
    if (user?.exposure !== 0) faults.push(`${name}: still has exposure, although all bets are settled`);
    return line;
  });
  const total: BookLine = {
    name: `All ${lines.length}`,
    paidIn: sumOf(lines, ({ paidIn }) => paidIn),
    paidOut: sumOf(lines, ({ paidOut }) => paidOut),
    won: sumOf(lines, ({ won }) => won),
    balance: sumOf(lines, ({ balance }) => balance),
  };
  if (total.won !== ZERO) faults.push('what some have won is not what others have lost');
  if (total.paidIn !== total.paidOut + total.balance) faults.push('money in is not money out and money left');
  return { lines: lines.sort(byWinnings), total, faults };
}

/** A bettor's statement, compared with the bettor's line of the books. */
export interface StatementCheck {
  readonly name: string;
  readonly lineCount: number;
  readonly closingBalance: Micros;
  /** In words; empty when the statement says what the books say. */
  readonly faults: readonly string[];
}

/** Adds up the lines of a statement, and compares the result with the books. */
export async function checkStatement(
  business: LedgerClient,
  reference: string,
  line: BookLine,
): Promise<StatementCheck> {
  const sums = noSums();
  const faults: string[] = [];
  let [balance, lineCount] = [ZERO, 0];
  for await (const { type, source, amount, signed_amount, balance: after } of business.users.statement({ reference })) {
    addMovement(sums, { amount, transaction_source: source, transaction_type: type });
    balance = asMicros(balance + micros(signed_amount));
    lineCount += 1;
    if (micros(after) !== balance) faults.push(`${line.name}: the lines of the statement do not chain`);
  }
  const { paidIn, paidOut, won } = sums;
  if (paidIn !== line.paidIn || paidOut !== line.paidOut || won !== line.won || balance !== line.balance) {
    faults.push(`${line.name}: the statement does not say what the books say`);
  }
  return { name: line.name, lineCount, closingBalance: balance, faults };
}

export interface LogCheck {
  readonly eventCount: number;
  readonly faults: readonly string[];
}

/** Adds up the money of the followed events, which is all that it reads, and compares the sums with the books. */
export async function checkLog(log: FollowedLog, { lines }: Books): Promise<LogCheck> {
  await log.caughtUp();
  const names = new Map<number, string>();
  const sums = new Map<string, Sums>();
  const faults: string[] = [];
  let eventCount = 0;
  for (const { seq, user, transactions = [] } of log.events) {
    eventCount += 1;
    if (seq !== eventCount) faults.push(`the event log has number ${seq} at place ${eventCount}`);
    if (user?.name !== undefined) names.set(user.id, user.name);
    for (const { user_id: id, ...movement } of transactions) {
      const name = names.get(id) ?? '';
      const sum = sums.get(name) ?? noSums();
      sums.set(name, sum);
      addMovement(sum, movement);
    }
  }
  for (const { name, paidIn, paidOut, won } of lines) {
    const sum = sums.get(name) ?? noSums();
    if (sum.paidIn === paidIn && sum.paidOut === paidOut && sum.won === won) continue;
    faults.push(`${name}: the event log does not say what the books say`);
  }
  return { eventCount, faults };
}

interface Sums {
  paidIn: Micros;
  paidOut: Micros;
  won: Micros;
}

const noSums = (): Sums => ({ paidIn: ZERO, paidOut: ZERO, won: ZERO });

type Transaction = components['schemas']['Transaction'];
type Movement = Pick<Transaction, 'amount' | 'transaction_source' | 'transaction_type'>;

function add(sums: Map<string, Sums>, transaction: Transaction): void {
  const sum = sums.get(transaction.user_reference) ?? noSums();
  sums.set(transaction.user_reference, sum);
  addMovement(sum, transaction);
}

function addMovement(sum: Sums, { amount, transaction_source, transaction_type }: Movement): void {
  const moved = micros(amount);
  if (transaction_source === 'funding') sum.paidIn = asMicros(sum.paidIn + moved);
  else if (transaction_source === 'withdrawal') sum.paidOut = asMicros(sum.paidOut + moved);
  else if (transaction_type === 'credit') sum.won = asMicros(sum.won + moved);
  else if (transaction_type === 'debit') sum.won = asMicros(sum.won - moved);
}

const sumOf = (lines: readonly BookLine[], figureOf: (line: BookLine) => Micros): Micros =>
  asMicros(lines.reduce((sum, line) => sum + figureOf(line), 0n));

function byWinnings(one: BookLine, other: BookLine): number {
  if (one.won === other.won) return one.name < other.name ? -1 : 1;
  return one.won > other.won ? -1 : 1;
}
