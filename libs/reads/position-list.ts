import type { Micros } from '#core/money.js';
import { type Database, Prisma } from '#platform/database/database.js';
import { type ListQuery, readList } from './list-reader.js';

/** What a user's bets on one wager come to, and what the wager can still cost. */
export interface Position {
  readonly wagerId: bigint;
  readonly wagerReference: string;
  readonly win: Micros;
  readonly loss: Micros;
  readonly offered: Micros;
  readonly exposure: Micros;
}

export interface PositionListRequest {
  readonly userId: bigint;
  readonly offset: number;
  readonly limit: number;
}

export interface PositionList {
  readonly positions: readonly Position[];
  readonly total: number;
  /** Of all pages: the user's exposure. */
  readonly totalExposure: Micros;
}

interface Row extends Omit<Position, 'wagerId'> {
  readonly id: bigint;
}

interface Totals {
  readonly total: bigint;
  readonly totalExposure: Micros;
}

/** As the core's `exposureOf`, of a table by its alias. */
const exposureIn = (position: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(0, -${position}.win, ${position}.offered - ${position}.loss)`;

/** By wager. What came to nothing stays stored and is not shown. */
export async function listPositions(
  database: Database,
  accountId: bigint,
  { userId, offset, limit }: PositionListRequest,
): Promise<PositionList> {
  // To the list a position is what the user has in a wager: it goes by the wager's id.
  const from = Prisma.sql`(SELECT account_id, wager_id AS id, win, loss, offered FROM positions
    WHERE user_id = ${userId} AND (win, loss, offered) <> (0, 0, 0)) listed`;
  const order = Prisma.sql`listed.id`;
  const query: ListQuery = {
    accountIds: [accountId],
    stretches: [{ from, conditions: [], orderedBy: order, sortKey: order }],
    isNarrow: false,
    order: { descending: false },
    offset,
    limit,
    totals: Prisma.sql`SELECT count(*) AS total, coalesce(sum(${exposureIn(Prisma.sql`listed`)}), 0)::bigint AS "totalExposure"
      FROM ${from} WHERE listed.account_id = ${accountId}`,
    columns: Prisma.sql`w.id, w.reference AS "wagerReference", p.win, p.loss, p.offered,
      ${exposureIn(Prisma.sql`p`)} AS exposure`,
    joined: Prisma.sql`JOIN positions p
      ON p.account_id = page.account_id AND p.user_id = ${userId} AND p.wager_id = page.id
      JOIN wagers w ON w.account_id = p.account_id AND w.id = p.wager_id`,
  };
  const { rows, totals } = await readList<Row, Totals>(database, query);
  return {
    positions: rows.map(({ id, ...position }) => ({ wagerId: id, ...position })),
    total: Number(totals.total),
    totalExposure: totals.totalExposure,
  };
}
