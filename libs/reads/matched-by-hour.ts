import { subjectOf } from '#events/event-index.js';
import { HOUR_MS } from '#platform/config/time-units.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { stateOfSums, unstoredSums } from './hourly-series.js';

// What was matched on many wagers by hour, in one statement: the stored sums, and the events behind them.

export const HOURS_SHOWN = 24;

interface SumRow {
  readonly subject: bigint;
  readonly hour: Date;
  /** Numeric text: a sum may pass 64 bits. */
  readonly amount: string;
}

export interface MatchedByHourRequest {
  readonly accountId: bigint;
  readonly wagerIds: readonly bigint[];
  readonly asOf: Date;
}

const subjectOfWager = (id: bigint): bigint => subjectOf('wager', id);

function readSums(snapshot: Tx, { accountId, wagerIds }: MatchedByHourRequest, from: Date): Promise<SumRow[]> {
  return queryRows<SumRow>(
    snapshot,
    Prisma.sql`
    WITH state AS MATERIALIZED (SELECT ${stateOfSums(accountId)})
    SELECT s.subject, s.hour, s.matched_amount::text AS amount
      FROM unnest(${wagerIds.map(subjectOfWager)}::bigint[]) AS asked (subject)
      JOIN hourly_sums s ON s.account_id = ${accountId} AND s.subject = asked.subject
     WHERE s.hour >= ${from}::timestamptz AND s.matched_amount > 0
     UNION ALL
    SELECT fresh.subject, fresh.hour, fresh.matched_amount::text FROM (${unstoredSums(accountId)}) AS fresh
     WHERE fresh.hour >= ${from}::timestamptz AND fresh.matched_amount > 0`,
  );
}

/** What was matched on a wager in each of the last hours, the present one last. */
export async function matchedByHour(
  snapshot: Tx,
  request: MatchedByHourRequest,
): Promise<(wagerId: bigint) => readonly bigint[]> {
  const present = Math.floor(request.asOf.getTime() / HOUR_MS);
  const first = present - HOURS_SHOWN + 1;
  const none = Array.from({ length: HOURS_SHOWN }, () => 0n);
  const matched = new Map<bigint, bigint[]>();
  for (const { subject, hour, amount } of await readSums(snapshot, request, new Date(first * HOUR_MS))) {
    const hours = matched.get(subject) ?? [...none];
    const place = Math.min(present, hour.getTime() / HOUR_MS) - first;
    hours[place] = (hours[place] ?? 0n) + BigInt(amount);
    matched.set(subject, hours);
  }
  return (wagerId) => matched.get(subjectOfWager(wagerId)) ?? none;
}
