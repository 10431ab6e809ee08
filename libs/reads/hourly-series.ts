import { subjectOf, WHOLE_ACCOUNT } from '#events/event-index.js';
import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { sumsOfHours } from '#events/hourly-sums.js';
import { HOUR_MS } from '#platform/config/time-units.js';
import { type AccountTables, Prisma } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';

// What was matched and settled by hour, and what was at risk: the stored sums, and the events behind them, in one statement.

/** A request looks at so many events that are in no sum yet; at rest there are fewer than in a block. */
const MOST_UNSUMMED = 10_000n;

export interface SeriesRequest {
  readonly accountId: bigint;
  /** Undefined: the account itself. */
  readonly of: { readonly wager: string } | { readonly user: string } | undefined;
  /** Both are whole hours; `to` is not included. */
  readonly from: Date;
  readonly to: Date;
}

/** In micro-units. */
export interface HourOfSeries {
  readonly at: Date;
  readonly matchedBets: number;
  readonly matchedAmount: bigint;
  readonly settledBets: number;
  readonly settledAmount: bigint;
  /** At the end of the hour, or of the log. */
  readonly grossExposure: bigint;
}

export interface HourlySeries {
  /** Up to the present hour. */
  readonly hours: readonly HourOfSeries[];
  /** How many events of the log are in none of the hours yet. */
  readonly behind: bigint;
}

interface SumRow {
  /** Null: the state, of which there is one row. */
  readonly hour: Date | null;
  readonly matchedBets: bigint;
  /** As numeric text, like all sums that may pass 64 bits. */
  readonly matchedAmount: string;
  readonly settledBets: bigint;
  readonly settledAmount: string;
  /** Of a stored hour. */
  readonly grossExposure: string | null;
  /** Of events behind the stored hours. */
  readonly change: string;
  readonly logHead: string | null;
  readonly subject: bigint | null;
  readonly now: Date;
  readonly behind: bigint;
}

function subjectSql({ accountId, of }: SeriesRequest): Prisma.Sql {
  if (of === undefined) return Prisma.sql`${WHOLE_ACCOUNT}::bigint`;
  if ('wager' in of) {
    return Prisma.sql`(SELECT id * 4 + ${subjectOf('wager', 0n)}::bigint FROM wagers WHERE account_id = ${accountId} AND reference = ${of.wager})`;
  }
  return Prisma.sql`(SELECT id * 4 + ${subjectOf('user', 0n)}::bigint FROM users WHERE account_id = ${accountId} AND reference = ${of.user})`;
}

/** Of a statement that names it `state`: up to where the log goes, and the stored sums. */
export const stateOfSums = (accountId: bigint): Prisma.Sql => Prisma.sql`
  coalesce(max(h.last_seq), 0) AS head,
  coalesce((SELECT indexed_seq FROM event_indexes WHERE account_id = ${accountId}), 0) AS summed
    FROM event_heads h WHERE h.account_id = ${accountId}`;

/** The sums of the events behind the stored ones, in a statement with `state`. */
export const unstoredSums = (accountId: bigint): Prisma.Sql =>
  sumsOfHours(accountId, {
    from: Prisma.sql`(SELECT summed + 1 FROM state)`,
    until: Prisma.sql`(SELECT least(head, summed + ${MOST_UNSUMMED}) FROM state)`,
  });

/** The state, the last stored hour before the period, its stored hours, and those of the events behind them. */
function readSums(tables: AccountTables, request: SeriesRequest): Promise<SumRow[]> {
  const { accountId, from, to } = request;
  const stored = (condition: Prisma.Sql) => Prisma.sql`
    SELECT s.*, 0::numeric AS change FROM hourly_sums s
     WHERE s.account_id = ${accountId} AND s.subject = (SELECT subject FROM state) AND ${condition}`;
  return queryRows<SumRow>(
    tables,
    Prisma.sql`
    WITH state AS MATERIALIZED (
      SELECT ${logHeadOf(accountId)} AS log_head, ${subjectSql(request)} AS subject, ${stateOfSums(accountId)}),
    sums AS (
      SELECT hour, matched_bets, matched_amount, settled_bets, settled_amount, gross_exposure, change
        FROM (${stored(Prisma.sql`s.hour >= ${from}::timestamptz AND s.hour < ${to}::timestamptz`)}) stored
       UNION ALL
      SELECT hour, 0, 0, 0, 0, gross_exposure, change
        FROM (${stored(Prisma.sql`s.hour < ${from}::timestamptz`)} ORDER BY s.hour DESC LIMIT 1) before
       UNION ALL
      SELECT hour, matched_bets, matched_amount, settled_bets, settled_amount, NULL, change
        FROM (${unstoredSums(accountId)}) fresh WHERE subject = (SELECT subject FROM state))
    SELECT hour, coalesce(matched_bets, 0) AS "matchedBets", coalesce(matched_amount, 0)::text AS "matchedAmount", coalesce(settled_bets, 0) AS "settledBets",
           coalesce(settled_amount, 0)::text AS "settledAmount", gross_exposure::text AS "grossExposure", coalesce(change, 0)::text AS change,
           state.log_head AS "logHead", state.subject, statement_timestamp() AS now, greatest(state.head - state.summed - ${MOST_UNSUMMED}, 0) AS behind
      FROM state LEFT JOIN sums ON TRUE
     ORDER BY hour, gross_exposure NULLS LAST`,
  );
}

/** The rows of an hour come one after the other, first the stored one. */
function hoursFrom(rows: readonly SumRow[], { from, to }: SeriesRequest, now: Date): HourOfSeries[] {
  const hours: HourOfSeries[] = [];
  let grossExposure = 0n;
  let next = 0;
  const endMs = Math.min(to.getTime(), now.getTime());
  const add = (row: SumRow) => {
    grossExposure = row.grossExposure === null ? grossExposure + BigInt(row.change) : BigInt(row.grossExposure);
  };
  for (let startMs = from.getTime(); startMs < endMs; startMs += HOUR_MS) {
    const sums = { matchedBets: 0, matchedAmount: 0n, settledBets: 0, settledAmount: 0n };
    for (let row = rows[next]; row !== undefined && Number(row.hour) <= startMs; row = rows[++next]) {
      add(row);
      if (Number(row.hour) < startMs) continue;
      sums.matchedBets += Number(row.matchedBets);
      sums.matchedAmount += BigInt(row.matchedAmount);
      sums.settledBets += Number(row.settledBets);
      sums.settledAmount += BigInt(row.settledAmount);
    }
    hours.push({ at: new Date(startMs), ...sums, grossExposure });
  }
  return hours;
}

export async function readHourlySeries(tables: AccountTables, request: SeriesRequest): Promise<HourlySeries> {
  const rows = await readSums(tables, request);
  const [state] = rows;
  if (state === undefined || state.subject === null) {
    throw new Refusal(request.of !== undefined && 'user' in request.of ? 'user-not-found' : 'wager-not-found');
  }
  noteAsOf(tables, { accountId: request.accountId, head: state.logHead });
  const sums = rows.filter(({ hour }) => hour !== null);
  return { hours: hoursFrom(sums, request, state.now), behind: state.behind };
}
