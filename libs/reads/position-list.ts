import type { Micros } from '#core/money.js';
import { everyPosition } from '#ledger/every-position.js';
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

/** Positions by wager, without those whose figures are all zero. */
function positionQuery(
  accountId: bigint,
  { userId, page, descending = false }: PositionListRequest,
  wagerIds?: readonly bigint[],
): ListQuery {
  const conditions = wagerIds === undefined ? [] : [isOneOf(Prisma.sql`listed.id`, wagerIds)];
  const from = Prisma.sql`(SELECT account_id, wager_id AS id, win, loss, offered FROM ${everyPosition} every
    WHERE user_id = ${userId} AND (win, loss, offered) <> (0, 0, 0)) listed`;
  const totals = Prisma.sql`SELECT count(*) AS total,
    coalesce(sum(${exposureIn(Prisma.sql`listed`)}), 0)::bigint AS "totalExposure"
    FROM ${from} WHERE ${Prisma.join([Prisma.sql`listed.account_id = ${accountId}`, ...conditions], ' AND ')}`;
  return {
    accountIds: [accountId],
    parts: [sortedBy({ column: Prisma.sql`listed.id`, keyType: 'bigint' }, from, conditions)],
    isNarrow: wagerIds !== undefined,
    order: { descending },
    page,
    totals: page.withTotals ? totals : undefined,
    columns: Prisma.sql`w.id, w.reference AS "wagerReference", p.win, p.loss, p.offered,
      ${exposureIn(Prisma.sql`p`)} AS exposure`,
    // Because of OFFSET, PostgreSQL looks up each position of the page by its key.
    joined: Prisma.sql`CROSS JOIN LATERAL (SELECT * FROM ${everyPosition} every
       WHERE account_id = page.account_id AND user_id = ${userId} AND wager_id = page.id OFFSET 0) p
      JOIN wagers w ON w.account_id = p.account_id AND w.id = p.wager_id`,
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
