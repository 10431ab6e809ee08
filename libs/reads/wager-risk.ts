import { isUnsettled, movementSql } from '#audit/facts.js';
import type { OddsMicros } from '#core/money.js';
import { logHeadOf } from '#events/event-position.js';
import { timeOfAccount } from '#ledger/clock.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { isCancelPending, isOpenSql, listedBets, pendingCancels } from './bet-conditions.js';
import { inAccounts, literal } from './list-reader.js';
import { matchedByHour } from './matched-by-hour.js';
import { wagerColumns } from './read-wager.js';
import type { ShownWager } from './wager.js';

// What the undecided wagers of an account can still cost. A wager whose bets are as they were when they were summed last keeps
// its figures. The others follow from the positions of all users, or from the bets of these wagers, whichever are fewer rows:
// an index has bets by wager, and positions by user; one by wager would cost each first bet of a user on a wager.

/** So many of the newest undecided wagers are looked at, and so many of these, with the most matched, are on the board. */
const LOOKED_AT = 20_000;
export const MOST_WAGERS = 2_000;
/** A board sums so many matched bets. */
const MOST_BETS = 250_000;
/** Of each statement. */
export const RISK_TIMEOUT_MS = 3_000;

/** At a `win` requesters are paid, at a `loss` acceptors. */
type Result = 'win' | 'loss';

/** What the matched bets of a wager can still cost those who lose. */
interface WorstCase {
  readonly outcome: Result;
  readonly amount: bigint;
  /** Of one user; null: nobody loses. */
  readonly largestLoss: LargestLoss | null;
}

export interface LargestLoss {
  readonly userId: bigint;
  readonly outcome: Result;
  readonly amount: bigint;
}

export interface RiskyUser {
  readonly id: bigint;
  readonly reference: string;
  readonly name: string;
}

export interface WagerAtRisk extends ShownWager {
  readonly matchedBets: bigint;
  readonly matchedAmount: bigint;
  readonly openAmount: bigint;
  readonly openOffers: number;
  readonly lastOdds: OddsMicros | null;
  /** Undefined: not known yet. */
  readonly worstCase: WorstCase | undefined;
  /** In micro-units, of each of the last 24 hours, the present one last. */
  readonly matchedByHour: readonly bigint[];
}

/** The figures of a wager, as long as its bets are as this says. */
interface KnownCase {
  readonly bets: string;
  readonly worstCase: WorstCase;
}

export type KnownCases = ReadonlyMap<bigint, KnownCase>;

export interface WagerRisk {
  readonly asOf: Date;
  readonly head: string | null;
  readonly wagers: readonly WagerAtRisk[];
  readonly users: ReadonlyMap<bigint, RiskyUser>;
  /** Whether no undecided wager is missing, and the worst case of each is known. */
  readonly isComplete: boolean;
  /** For the next board. */
  readonly known: KnownCases;
}

interface BoardRow {
  readonly asOf: Date;
  readonly head: string | null;
  readonly undecided: bigint;
}

interface WagerRow extends ShownWager {
  readonly matchedBets: bigint;
  /** As numeric text, like all sums: they may pass 64 bits. */
  readonly matchedAmount: string;
  readonly lastOdds: OddsMicros | null;
}

interface OffersRow {
  readonly wagerId: bigint;
  readonly amount: string;
  readonly offers: bigint;
}

const newestUndecided = (accountId: bigint): Prisma.Sql => Prisma.sql`
  SELECT id, matched_amount FROM wagers WHERE account_id = ${accountId} AND outcome = 'undecided'
   ORDER BY created_at DESC, id DESC LIMIT ${literal(LOOKED_AT + 1)}`;

const boardWagers = (accountId: bigint): Prisma.Sql => Prisma.sql`
  WITH chosen AS MATERIALIZED (
    SELECT id FROM (${newestUndecided(accountId)}) newest ORDER BY matched_amount DESC, id DESC LIMIT ${literal(MOST_WAGERS)})
  SELECT ${wagerColumns}, w.matched_bets AS "matchedBets", w.matched_amount::text AS "matchedAmount",
         matched.requesting_odds AS "lastOdds"
    FROM chosen JOIN wagers w ON w.account_id = ${accountId} AND w.id = chosen.id
    LEFT JOIN bets matched ON matched.account_id = ${accountId} AND matched.id = w.last_matched_bet_id
   ORDER BY w.matched_amount DESC, w.id DESC`;

/**
 * As in the order book: what a pending cancel takes, or whose time has come, is not open. An index alone has the sums of all
 * offers, and others the few that are taken off.
 */
const openOffers = (accountId: bigint): Prisma.Sql => Prisma.sql`
  WITH cancels AS MATERIALIZED (${pendingCancels(inAccounts([accountId]))}),
  gone AS (
    SELECT listed.id, listed.wager_id, listed.requesting_amount FROM ${listedBets}
     WHERE listed.account_id = ${accountId} AND ${isOpenSql}
       AND listed.expires_at <= ${timeOfAccount(Prisma.sql`${accountId}::bigint`)}
     UNION
    SELECT listed.id, listed.wager_id, listed.requesting_amount
      FROM (SELECT DISTINCT wager_id FROM cancels) AS canceling
      JOIN ${listedBets} ON listed.account_id = ${accountId} AND listed.wager_id = canceling.wager_id
     WHERE ${isOpenSql} AND EXISTS (SELECT FROM cancels AS cancel WHERE ${isCancelPending}))
  SELECT wager_id AS "wagerId", sum(amount)::text AS amount, sum(offers)::bigint AS offers
    FROM (SELECT listed.wager_id, sum(listed.requesting_amount) AS amount, count(*) AS offers
            FROM ${listedBets} WHERE listed.account_id = ${accountId} AND ${isOpenSql} GROUP BY listed.wager_id
          UNION ALL SELECT wager_id, -requesting_amount, -1 FROM gone) AS parts
   GROUP BY wager_id`;

interface CaseRow {
  readonly wagerId: bigint;
  readonly onWin: string;
  readonly onLoss: string;
  readonly lost: string;
  readonly userId: bigint;
  readonly isOnWin: boolean;
}

/** What each user loses on each wager at either result, by its bets. */
const lossesOfBets = (accountId: bigint, wagerIds: readonly bigint[]): Prisma.Sql => Prisma.sql`
  matched AS MATERIALIZED (
    SELECT b.wager_id, b.requesting_user_id, b.accepting_user_id, b.effective_amount AS staked,
           (${Prisma.raw(movementSql(`'win'`))})::bigint AS won
      FROM unnest(${wagerIds}::bigint[]) AS asked (id)
      JOIN bets b ON b.account_id = ${accountId} AND b.wager_id = asked.id AND ${Prisma.raw(isUnsettled)}
      LEFT JOIN accounts a ON a.id = ${accountId}),
  losses AS (
    SELECT wager_id, user_id, -sum(win) AS on_win, -sum(loss) AS on_loss
      FROM (SELECT wager_id, requesting_user_id AS user_id, won AS win, -staked AS loss FROM matched
            UNION ALL SELECT wager_id, accepting_user_id, -won, staked FROM matched) AS sides
     GROUP BY wager_id, user_id)`;

/** The same, as the ledger keeps it. */
const lossesOfPositions = (accountId: bigint, wagerIds: readonly bigint[]): Prisma.Sql => Prisma.sql`
  losses AS (
    SELECT wager_id, user_id, -win AS on_win, -loss AS on_loss FROM positions
     WHERE account_id = ${accountId} AND wager_id = ANY(${wagerIds}::bigint[]) AND (win < 0 OR loss < 0))`;

/** Each bet takes from one side what it gives the other: at each result the losers of a wager pay what its winners get. */
const casesOf = (losses: Prisma.Sql): Prisma.Sql => Prisma.sql`
  WITH ${losses},
  summed AS (
    SELECT wager_id, sum(greatest(0, on_win)) AS on_win, sum(greatest(0, on_loss)) AS on_loss,
           max(ARRAY[greatest(on_win, on_loss), -user_id, (on_win >= on_loss)::int]) AS largest
      FROM losses GROUP BY wager_id)
  SELECT wager_id AS "wagerId", on_win::text AS "onWin", on_loss::text AS "onLoss", largest[1]::text AS lost,
         -largest[2]::bigint AS "userId", largest[3] = 1 AS "isOnWin"
    FROM summed`;

/** A bet is a read of its own, while many positions stand on a page. */
const POSITIONS_FOR_A_BET = 2;

async function hasFewPositions(snapshot: Tx, accountId: bigint, bets: number): Promise<boolean> {
  const most = literal(bets * POSITIONS_FOR_A_BET);
  const [row] = await queryRows<{ readonly isFew: boolean }>(
    snapshot,
    Prisma.sql`SELECT count(*) <= ${most} AS "isFew"
      FROM (SELECT FROM positions WHERE account_id = ${accountId} LIMIT ${most} + 1) AS few`,
  );
  return row?.isFew === true;
}

const NOTHING_TO_LOSE: WorstCase = { outcome: 'win', amount: 0n, largestLoss: null };

function caseOf({ onWin, onLoss, lost, userId, isOnWin }: CaseRow): WorstCase {
  const sums = { win: BigInt(onWin), loss: BigInt(onLoss) };
  const outcome = sums.win >= sums.loss ? 'win' : 'loss';
  const largest: LargestLoss = { userId, outcome: isOnWin ? 'win' : 'loss', amount: BigInt(lost) };
  return { outcome, amount: sums[outcome], largestLoss: largest.amount > 0n ? largest : null };
}

/** What the sums of a wager's matched bets change with: an acceptance, a correction or an override, and the worker's moves. */
const betsOf = ({ matchedBets, revision, settlingSince }: WagerRow): string =>
  `${matchedBets} ${revision} ${settlingSince === null ? '' : settlingSince.getTime()}`;

/** While the worker moves the bets of a wager, nothing else tells that they change. */
const isKnown = (known: KnownCases, wager: WagerRow): boolean =>
  wager.settlingSince === null && known.get(wager.id)?.bets === betsOf(wager);

/** Those with the most matched first, up to a number of bets: the next board has the others. */
function wagersToSum(wagers: readonly WagerRow[], known: KnownCases) {
  let bets = 0;
  const ids = wagers
    .filter((wager) => {
      if (wager.matchedBets === 0n || isKnown(known, wager) || bets + Number(wager.matchedBets) > MOST_BETS)
        return false;
      bets += Number(wager.matchedBets);
      return true;
    })
    .map(({ id }) => id);
  return { ids, bets };
}

async function sumCases(snapshot: Tx, accountId: bigint, { ids, bets }: ReturnType<typeof wagersToSum>) {
  if (ids.length === 0) return [];
  const losses = (await hasFewPositions(snapshot, accountId, bets)) ? lossesOfPositions : lossesOfBets;
  return queryRows<CaseRow>(snapshot, casesOf(losses(accountId, ids)));
}

async function readCases(snapshot: Tx, accountId: bigint, wagers: readonly WagerRow[], before: KnownCases) {
  const toSum = wagersToSum(wagers, before);
  const summed = new Map(toSum.ids.map((id) => [id, NOTHING_TO_LOSE]));
  for (const row of await sumCases(snapshot, accountId, toSum)) summed.set(row.wagerId, caseOf(row));
  const known = new Map<bigint, KnownCase>();
  for (const wager of wagers) {
    const kept = isKnown(before, wager) ? before.get(wager.id)?.worstCase : undefined;
    const worstCase = wager.matchedBets === 0n ? NOTHING_TO_LOSE : (kept ?? summed.get(wager.id));
    if (worstCase !== undefined) known.set(wager.id, { bets: betsOf(wager), worstCase });
  }
  return known;
}

const readUsers = (snapshot: Tx, accountId: bigint, ids: readonly bigint[]): Promise<RiskyUser[]> =>
  queryRows<RiskyUser>(
    snapshot,
    Prisma.sql`SELECT id, reference, name FROM users WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`,
  );

/** The planner cannot know how few wagers are open: other joins than by key would read all bets of the account, and all there are. */
const boundPlans = (snapshot: Tx): Promise<unknown> =>
  queryRows(
    snapshot,
    Prisma.sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('work_mem', '16MB', true),
      set_config('statement_timeout', '${literal(RISK_TIMEOUT_MS)}', true)`,
  );

/** All of one snapshot (RepeatableRead). `known` is what the board before it has found. */
export async function readWagerRisk(snapshot: Tx, accountId: bigint, known: KnownCases): Promise<WagerRisk> {
  await boundPlans(snapshot);
  const [board] = await queryRows<BoardRow>(
    snapshot,
    Prisma.sql`SELECT now()::timestamptz(3) AS "asOf", ${logHeadOf(accountId)} AS head, count(*) AS undecided
      FROM (${newestUndecided(accountId)}) newest`,
  );
  const { asOf, head, undecided } = board as BoardRow;
  const wagers = await queryRows<WagerRow>(snapshot, boardWagers(accountId));
  const found = await readCases(snapshot, accountId, wagers, known);
  const losers = [...found.values()].flatMap(({ worstCase: { largestLoss } }) => largestLoss?.userId ?? []);
  const offers = await queryRows<OffersRow>(snapshot, openOffers(accountId));
  const offersBy = new Map(offers.map((row) => [row.wagerId, row]));
  const users = await readUsers(snapshot, accountId, [...new Set(losers)]);
  const matchedIn = await matchedByHour(snapshot, { accountId, wagerIds: wagers.map(({ id }) => id), asOf });
  return {
    asOf,
    head,
    wagers: wagers.map((wager) => ({
      ...wager,
      matchedAmount: BigInt(wager.matchedAmount),
      openAmount: BigInt(offersBy.get(wager.id)?.amount ?? 0),
      openOffers: Number(offersBy.get(wager.id)?.offers ?? 0),
      worstCase: found.get(wager.id)?.worstCase,
      matchedByHour: matchedIn(wager.id),
    })),
    users: new Map(users.map((user) => [user.id, user])),
    isComplete: undecided <= BigInt(MOST_WAGERS) && found.size === wagers.length,
    known: found,
  };
}
