import { asMicros, type Micros, microsFromNumber, ZERO } from '#core/money.js';
import type { DemoApi, ListedTransaction } from './demo-api.js';
import type { Bettor } from './evening.js';

/** What a bettor, or all of them, brought, took and won. */
export interface BookLine {
  readonly name: string;
  readonly paidIn: Micros;
  readonly paidOut: Micros;
  /** Won on bets, or lost. */
  readonly won: Micros;
  readonly balance: Micros;
}

export interface Books {
  /** Who has won most stands first. */
  readonly lines: readonly BookLine[];
  readonly total: BookLine;
  /** Where the sums do not fit; empty when all is well. */
  readonly faults: readonly string[];
}

/** Balances as the users have them, sums as the transactions say: read apart, and compared. */
export async function readBooks(house: DemoApi, bettors: readonly Bettor[]): Promise<Books> {
  const sums = new Map<string, Sums>();
  for await (const transaction of house.transactions()) add(sums, transaction);
  const users = new Map((await house.users()).map((user) => [user.reference, user]));
  const faults: string[] = [];
  const lines = bettors.map(({ name, reference }) => {
    const { paidIn, paidOut, won } = sums.get(reference) ?? noSums();
    const user = users.get(reference);
    const line = { name, paidIn, paidOut, won, balance: microsOf(user?.balance ?? 0) };
    if (paidIn - paidOut + won !== line.balance) faults.push(`${name}: the transactions do not sum to the balance`);
    if (user?.exposure !== 0) faults.push(`${name}: something is still at risk, although all is settled`);
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

interface Sums {
  paidIn: Micros;
  paidOut: Micros;
  won: Micros;
}

const noSums = (): Sums => ({ paidIn: ZERO, paidOut: ZERO, won: ZERO });

function add(sums: Map<string, Sums>, transaction: ListedTransaction): void {
  const { user_reference, amount, transaction_source, transaction_type } = transaction;
  const sum = sums.get(user_reference) ?? noSums();
  sums.set(user_reference, sum);
  const micros = microsOf(amount);
  if (transaction_source === 'funding') sum.paidIn = asMicros(sum.paidIn + micros);
  else if (transaction_source === 'withdrawal') sum.paidOut = asMicros(sum.paidOut + micros);
  else if (transaction_type === 'credit') sum.won = asMicros(sum.won + micros);
  else if (transaction_type === 'debit') sum.won = asMicros(sum.won - micros);
}

function microsOf(amount: number): Micros {
  const micros = microsFromNumber(amount);
  if (micros === undefined) throw new Error(`${amount} is no amount of money`);
  return micros;
}

const sumOf = (lines: readonly BookLine[], figureOf: (line: BookLine) => Micros): Micros =>
  asMicros(lines.reduce((sum, line) => sum + figureOf(line), 0n));

function byWinnings(one: BookLine, other: BookLine): number {
  if (one.won === other.won) return one.name < other.name ? -1 : 1;
  return one.won > other.won ? -1 : 1;
}
