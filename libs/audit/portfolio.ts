import type { Queryable, Tx } from '#platform/database/database.js';
import { exposuresFrom, positionsFromBets, received } from './facts.js';

export interface PortfolioChunk {
  readonly accountId: bigint;
  readonly userIds: readonly bigint[];
}

/** Something that was kept of a user and is not what the facts say, in micro-units. */
export interface PortfolioDifference {
  readonly userId: bigint;
  /** Of a position: in this wager. */
  readonly wagerId: bigint | null;
  readonly what: 'balance' | 'exposure' | 'win' | 'loss' | 'offered';
  readonly kept: bigint;
  readonly recomputed: bigint;
}

export interface TouchedUsersOptions {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  /** 0: from the first. */
  readonly afterUserId: bigint;
  readonly limit: number;
}

/** The next users with a position in the wager, by id. */
export async function touchedUsers(
  database: Queryable,
  { accountId, wagerId, afterUserId, limit }: TouchedUsersOptions,
): Promise<bigint[]> {
  const rows = await database.$queryRaw<{ userId: bigint }[]>`
    SELECT user_id AS "userId" FROM positions
     WHERE account_id = ${accountId} AND wager_id = ${wagerId} AND user_id > ${afterUserId}
     ORDER BY user_id LIMIT ${limit}`;
  return rows.map(({ userId }) => userId);
}

/**
 * Compares what is kept of some users with the facts, repairs what differs, and tells it.
 *
 * Looking takes no lock: one statement sees one moment, and whoever moves a user writes everything of it at once. Only
 * a difference is locked, in the order that everybody keeps (wagers, then balances): without its wager, somebody who
 * has read the position before would write over the repair. Then it is looked at again, for the locks may have been
 * waited for.
 */
export async function checkPortfolios(tx: Tx, { accountId, userIds }: PortfolioChunk): Promise<PortfolioDifference[]> {
  const seen = await compare(tx, { accountId, userIds });
  if (seen.length === 0) return [];
  const chunk = { accountId, userIds: unique(seen.map(({ userId }) => userId)) };
  const wagerIds = unique(seen.flatMap(({ wagerId }) => (wagerId === null ? [] : [wagerId])));
  await lock(tx, chunk, wagerIds);
  const differences = await compare(tx, chunk);
  if (differences.some(({ wagerId }) => wagerId !== null && !wagerIds.includes(wagerId))) {
    throw new Error('positions changed while they were about to be repaired');
  }
  if (differences.length > 0) await repair(tx, accountId, differences);
  return differences;
}

const unique = (ids: readonly bigint[]): bigint[] => [...new Set(ids)];

const arrayOf = (values: readonly (bigint | null)[]): string => `{${values.map((value) => value ?? 'NULL').join()}}`;

const bets = positionsFromBets((userColumn) => `AND b.account_id = $1 AND ${userColumn} = ANY ($2::bigint[])`);

const comparison = `
  WITH facts AS MATERIALIZED (${bets}),
  risked AS (${exposuresFrom('SELECT * FROM facts')}),
  moved AS (SELECT t.user_id, sum(${received}) AS total FROM transactions t
             WHERE t.account_id = $1 AND t.user_id = ANY ($2::bigint[]) GROUP BY t.user_id),
  compared AS (
    SELECT kept.user_id, NULL::bigint AS wager_id, said.what, said.kept, said.recomputed
      FROM balances kept
      LEFT JOIN moved ON moved.user_id = kept.user_id
      LEFT JOIN risked ON risked.user_id = kept.user_id
     CROSS JOIN LATERAL (VALUES ('balance', kept.balance, coalesce(moved.total, 0)),
                                ('exposure', kept.exposure, coalesce(risked.exposure, 0)))
                        AS said (what, kept, recomputed)
     WHERE kept.account_id = $1 AND kept.user_id = ANY ($2::bigint[])
    UNION ALL
    SELECT user_id, wager_id, said.what, coalesce(said.kept, 0), coalesce(said.recomputed, 0)
      FROM (SELECT * FROM positions WHERE account_id = $1 AND user_id = ANY ($2::bigint[])) kept
      FULL JOIN facts USING (user_id, wager_id)
     CROSS JOIN LATERAL (VALUES ('win', kept.win, facts.win), ('loss', kept.loss, facts.loss),
                                ('offered', kept.offered, facts.offered)) AS said (what, kept, recomputed))
  SELECT user_id AS "userId", wager_id AS "wagerId", what, kept, recomputed::bigint FROM compared
   WHERE kept <> recomputed ORDER BY user_id, wager_id NULLS FIRST, what`;

const compare = (tx: Tx, { accountId, userIds }: PortfolioChunk): Promise<PortfolioDifference[]> =>
  tx.$queryRawUnsafe(comparison, accountId, arrayOf(userIds));

async function lock(tx: Tx, { accountId, userIds }: PortfolioChunk, wagerIds: readonly bigint[]) {
  await tx.$queryRaw`
    SELECT 1 FROM wagers WHERE account_id = ${accountId} AND id = ANY (${arrayOf(wagerIds)}::bigint[])
     ORDER BY account_id, id FOR NO KEY UPDATE`;
  await tx.$queryRaw`
    SELECT 1 FROM balances WHERE account_id = ${accountId} AND user_id = ANY (${arrayOf(userIds)}::bigint[])
     ORDER BY account_id, user_id FOR NO KEY UPDATE`;
}

async function repair(tx: Tx, accountId: bigint, differences: readonly PortfolioDifference[]) {
  const ofUsers = differences.filter(({ wagerId }) => wagerId === null);
  const ofPositions = differences.filter(({ wagerId }) => wagerId !== null);
  const recomputed = (rows: readonly PortfolioDifference[], what: PortfolioDifference['what']) =>
    arrayOf(rows.map((row) => (row.what === what ? row.recomputed : null)));
  const users = arrayOf(ofUsers.map(({ userId }) => userId));
  await tx.$executeRaw`
    UPDATE balances kept
       SET balance = coalesce(due.balance, kept.balance), exposure = coalesce(due.exposure, kept.exposure)
      FROM (SELECT user_id, max(balance) AS balance, max(exposure) AS exposure
              FROM unnest(${users}::bigint[], ${recomputed(ofUsers, 'balance')}::bigint[],
                          ${recomputed(ofUsers, 'exposure')}::bigint[]) AS n (user_id, balance, exposure)
             GROUP BY user_id) due
     WHERE kept.account_id = ${accountId} AND kept.user_id = due.user_id`;
  const holders = arrayOf(ofPositions.map(({ userId }) => userId));
  const wagers = arrayOf(ofPositions.map(({ wagerId }) => wagerId));
  // What does not differ stays as it is; in a row that is missing, it is zero.
  await tx.$executeRaw`
    INSERT INTO positions AS kept (account_id, user_id, wager_id, win, loss, offered)
    SELECT ${accountId}, due.user_id, due.wager_id, coalesce(due.win, p.win, 0), coalesce(due.loss, p.loss, 0),
           coalesce(due.offered, p.offered, 0)
      FROM (SELECT user_id, wager_id, max(win) AS win, max(loss) AS loss, max(offered) AS offered
              FROM unnest(${holders}::bigint[], ${wagers}::bigint[], ${recomputed(ofPositions, 'win')}::bigint[],
                          ${recomputed(ofPositions, 'loss')}::bigint[], ${recomputed(ofPositions, 'offered')}::bigint[])
                   AS n (user_id, wager_id, win, loss, offered)
             GROUP BY user_id, wager_id) due
      LEFT JOIN positions p ON p.account_id = ${accountId} AND p.user_id = due.user_id AND p.wager_id = due.wager_id
    ON CONFLICT (account_id, user_id, wager_id)
      DO UPDATE SET win = excluded.win, loss = excluded.loss, offered = excluded.offered`;
}
