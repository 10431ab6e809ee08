import { Prisma } from '#platform/database/database.js';

/** So many transactions before the id found by halving are looked at one by one. */
const LOOKED_AT = 100;

/**
 * Where periods begin and end, as CTEs of a WITH RECURSIVE. From `periods (user_id, number, moment, end_id)` it makes `bounds
 * (user_id, number, id)`: the user's smallest id whose time is not before the moment. `end_id` is behind the user's last
 * transaction; a NULL moment means that end.
 *
 * Ids of one user are in the order of their commits, so halving finds the bound in a few dozen look-ups by key. Times have
 * that order too, unless the clock was set back: the last step looks for a smaller id among the transactions just before.
 * Halving over one state of the ledger finds no earlier id for a later moment, so neighbouring periods fit together in any
 * case.
 */
export const periodBounds = (accountId: bigint): Prisma.Sql => Prisma.sql`
  search (user_id, number, moment, low, high) AS (
    SELECT p.user_id, p.number, p.moment, CASE WHEN p.moment IS NULL THEN p.end_id - 1 ELSE 0 END, p.end_id FROM periods p
    UNION ALL
    SELECT s.user_id, s.number, s.moment, CASE WHEN probe.created_at < s.moment THEN probe.id ELSE s.low END,
           CASE WHEN probe.created_at < s.moment THEN s.high ELSE s.middle END
      FROM (SELECT *, (low + high) / 2 AS middle FROM search WHERE high - low > 1) s
      LEFT JOIN LATERAL (
        SELECT t.id, t.created_at FROM transactions t
         WHERE t.account_id = ${accountId} AND t.user_id = s.user_id AND t.id >= s.middle ORDER BY t.id LIMIT 1) probe ON true
  ), bounds AS MATERIALIZED (
    SELECT s.user_id, s.number, coalesce((
             SELECT min(near.id) FROM (
               SELECT t.id, t.created_at FROM transactions t
                WHERE t.account_id = ${accountId} AND t.user_id = s.user_id AND t.id < s.high
                ORDER BY t.id DESC LIMIT ${LOOKED_AT}) near
              WHERE near.created_at >= s.moment), s.high) AS id
      FROM search s WHERE s.high - s.low = 1
  )`;

/** Behind the user's last transaction. */
export const endId = (accountId: bigint, userId: Prisma.Sql): Prisma.Sql => Prisma.sql`coalesce((
  SELECT t.id FROM transactions t WHERE t.account_id = ${accountId} AND t.user_id = ${userId}
   ORDER BY t.id DESC LIMIT 1), 0) + 1`;
