import type { Micros } from '#core/money.js';
import { type Database, Prisma } from '#platform/database/database.js';
import { placementOf } from '#platform/database/placement.js';
import { type ListQuery, readList, sortedBy, type TotalRow } from './list-reader.js';

/** The sums of a user's bets on one wager, and the most that the wager can still cost the user. */
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
  /** Over all pages: the user's exposure. */
  readonly totalExposure: Micros;
}

interface PositionRow extends Omit<Position, 'wagerId'> {
  readonly id: bigint;
}

interface PositionTotalsRow extends TotalRow {
  readonly totalExposure: Micros;
}

/** Computes the core's `exposureOf` in SQL. */
const exposureIn = (position: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(0, -${position}.win, ${position}.offered - ${position}.loss)`;

/** Lists positions by wager, without those whose figures are all zero. */
export async function listPositions(
  database: Database,
  accountId: bigint,
  { userId, offset, limit }: PositionListRequest,
): Promise<PositionList> {
  // The list reader needs an id: within one user, the wager's id names the position.
  const from = Prisma.sql`(SELECT account_id, wager_id AS id, win, loss, offered FROM positions
    WHERE user_id = ${userId} AND (win, loss, offered) <> (0, 0, 0)) listed`;
  const query: ListQuery = {
    accountIds: [accountId],
    parts: [sortedBy(Prisma.sql`listed.id`, from, [])],
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
  const { items, totals } = await readList<PositionRow, PositionTotalsRow>(placementOf(database, accountId), query);
  return {
    positions: items.map(({ id, ...position }) => ({ wagerId: id, ...position })),
    total: Number(totals.total),
    totalExposure: totals.totalExposure,
  };
}
