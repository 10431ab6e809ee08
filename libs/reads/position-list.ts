import type { Micros } from '#core/money.js';
import { joinLoneOffer } from '#ledger/lone-offers.js';
import { type Database, Prisma, type Tx } from '#platform/database/database.js';
import { wagerIdsOf } from './ids-by-reference.js';
import { isOneOf, type ListQuery, readList, readListIn, sortedBy, type TotalRow } from './list-reader.js';
import type { List, PageRequest } from './page.js';

/** The sums of a user's bets on one wager, and the most that the wager can still cost the user. */
export interface ShownPosition {
  /** The wager's. */
  readonly id: bigint;
  readonly wagerReference: string;
  readonly win: Micros;
  readonly loss: Micros;
  readonly offered: Micros;
  readonly exposure: Micros;
}

export interface PositionListRequest {
  readonly userId: bigint;
  /** Undefined: in all wagers. */
  readonly wagerReferences?: readonly string[] | undefined;
  readonly page: PageRequest;
  readonly descending?: boolean;
}

export interface PositionTotals extends TotalRow {
  /** Over all pages: the user's exposure. */
  readonly totalExposure: Micros;
}

/** Computes the core's `exposureOf` in SQL. */
const exposureIn = (position: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(0, -${position}.win, ${position}.offered - ${position}.loss)`;

/** Without those whose figures are all zero. */
const storedOf = (userId: bigint): Prisma.Sql => Prisma.sql`(
  SELECT account_id, wager_id AS id, win, loss, offered FROM positions
   WHERE user_id = ${userId} AND (win, loss, offered) <> (0, 0, 0)) listed`;

/** With OFFSET 0, PostgreSQL looks up each row of `positions` by its key, in the order of the wagers, whatever it knows of them. */
const loneOf = (userId: bigint): Prisma.Sql => Prisma.sql`(
  SELECT b.account_id, b.wager_id AS id, 0::bigint AS win, 0::bigint AS loss, b.requesting_amount AS offered FROM bets b
   WHERE b.requesting_user_id = ${userId} AND b.offer_status = 'requesting' AND b.is_active
     AND NOT EXISTS (SELECT FROM positions stored
                      WHERE stored.account_id = b.account_id AND stored.user_id = b.requesting_user_id
                        AND stored.wager_id = b.wager_id OFFSET 0)) listed`;

/** Positions by wager. */
function positionQuery(
  accountId: bigint,
  { userId, page, descending = false }: PositionListRequest,
  wagerIds?: readonly bigint[],
): ListQuery {
  const conditions = wagerIds === undefined ? [] : [isOneOf(Prisma.sql`listed.id`, wagerIds)];
  const parts = [storedOf(userId), loneOf(userId)].map((from) =>
    sortedBy({ column: Prisma.sql`listed.id`, keyType: 'bigint' }, from, conditions),
  );
  const all = parts.map(
    ({ from }) => Prisma.sql`
    SELECT win, loss, offered FROM ${from}
     WHERE ${Prisma.join([Prisma.sql`listed.account_id = ${accountId}`, ...conditions], ' AND ')}`,
  );
  const totals = Prisma.sql`SELECT count(*) AS total,
    coalesce(sum(${exposureIn(Prisma.sql`each`)}), 0)::bigint AS "totalExposure"
    FROM (${Prisma.join(all, ' UNION ALL ')}) each`;
  return {
    accountIds: [accountId],
    parts,
    isNarrow: wagerIds !== undefined,
    order: { descending },
    page,
    totals: page.withTotals ? totals : undefined,
    columns: Prisma.sql`w.id, w.reference AS "wagerReference", p.win, p.loss, p.offered,
      ${exposureIn(Prisma.sql`p`)} AS exposure`,
    joined: Prisma.sql`JOIN wagers w ON w.account_id = page.account_id AND w.id = page.id
      LEFT JOIN positions stored
        ON stored.account_id = page.account_id AND stored.user_id = ${userId} AND stored.wager_id = page.id
      ${joinLoneOffer(Prisma.sql`${userId}`, Prisma.sql`page.id`, accountId)}
      CROSS JOIN LATERAL (SELECT coalesce(stored.win, 0) AS win, coalesce(stored.loss, 0) AS loss,
                                 coalesce(stored.offered, lone.requesting_amount) AS offered) p`,
  };
}

type PositionList = List<ShownPosition, PositionTotals>;

export async function listPositions(
  database: Database,
  accountId: bigint,
  request: PositionListRequest,
): Promise<PositionList> {
  const tables = database.of(accountId);
  const wagerIds = await wagerIdsOf(tables, [accountId], request.wagerReferences);
  return readList(tables, positionQuery(accountId, request, wagerIds));
}

/** All of them, inside the caller's snapshot. */
export const listPositionsIn = (snapshot: Tx, accountId: bigint, request: PositionListRequest): Promise<PositionList> =>
  readListIn(snapshot, positionQuery(accountId, request));
