import { Prisma } from '#platform/database/database.js';
import { received } from './read-transaction.js';

/** What the transactions of a user come to in a period. */
export interface UserPeriodRow {
  readonly userId: bigint;
  readonly userReference: string;
  /** The period has the user's transactions with ids from the first to before the last. */
  readonly firstId: bigint;
  readonly endId: bigint;
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  /** As numeric text, like all sums: they may pass 64 bits. */
  readonly funded: string;
  readonly withdrawn: string;
  readonly betCredits: string;
  readonly betDebits: string;
  /** With its sign. */
  readonly corrected: string;
  /** From all sources. */
  readonly credits: string;
  readonly debits: string;
  readonly transactions: bigint;
  readonly asOf: Date;
}

export interface UserPeriods {
  readonly accountId: bigint;
  /** A SELECT of `id` and `reference` of users. */
  readonly users: Prisma.Sql;
  readonly from: Date;
  /** Null: up to the last transaction. */
  readonly to: Date | null;
}

/** The balance of user `n` before a transaction of it. */
const balanceBefore = (accountId: bigint, id: Prisma.Sql): Prisma.Sql => Prisma.sql`coalesce((
  SELECT t.balance_after FROM transactions t
   WHERE t.account_id = ${accountId} AND t.user_id = n.id AND t.id < ${id} ORDER BY t.id DESC LIMIT 1), 0)`;

const sumOf = (condition: string): Prisma.Sql =>
  Prisma.sql`coalesce(sum(t.amount) FILTER (WHERE ${Prisma.raw(condition)}), 0)::text`;

/** One row for each of the users. */
export const userPeriods = ({ accountId, users, from, to }: UserPeriods): Prisma.Sql => Prisma.sql`
  WITH RECURSIVE given_users AS MATERIALIZED (${users}), periods AS (
    SELECT n.id AS user_id, given.number, given.moment, ${endId(accountId, Prisma.sql`n.id`)} AS end_id FROM given_users n
     CROSS JOIN (VALUES (1, ${from}::timestamptz), (2, ${to}::timestamptz)) AS given (number, moment)
  ), ${periodBounds(accountId)}
  SELECT n.id AS "userId", n.reference AS "userReference", f.id AS "firstId", e.id AS "endId",
         ${balanceBefore(accountId, Prisma.sql`f.id`)} AS "openingBalance",
         ${balanceBefore(accountId, Prisma.sql`e.id`)} AS "closingBalance", moved.*, now()::timestamptz(3) AS "asOf"
    FROM given_users n
    JOIN bounds f ON f.user_id = n.id AND f.number = 1
    JOIN bounds e ON e.user_id = n.id AND e.number = 2
   CROSS JOIN LATERAL (
     SELECT ${sumOf(`t.transaction_source = 'funding'`)} AS funded,
            ${sumOf(`t.transaction_source = 'withdrawal'`)} AS withdrawn,
            ${sumOf(`t.transaction_source = 'bet' AND t.transaction_type = 'credit'`)} AS "betCredits",
            ${sumOf(`t.transaction_source = 'bet' AND t.transaction_type = 'debit'`)} AS "betDebits",
            coalesce(sum(${received}) FILTER (WHERE t.transaction_source = 'correction'), 0)::text AS corrected,
            ${sumOf(`t.transaction_type = 'credit'`)} AS credits, ${sumOf(`t.transaction_type = 'debit'`)} AS debits,
            count(*) AS transactions
       FROM transactions t
      WHERE t.account_id = ${accountId} AND t.user_id = n.id AND t.id >= f.id AND t.id < e.id) moved
   ORDER BY n.id`;

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
const periodBounds = (accountId: bigint): Prisma.Sql => Prisma.sql`
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
const endId = (accountId: bigint, userId: Prisma.Sql): Prisma.Sql => Prisma.sql`coalesce((
  SELECT t.id FROM transactions t WHERE t.account_id = ${accountId} AND t.user_id = ${userId}
   ORDER BY t.id DESC LIMIT 1), 0) + 1`;
