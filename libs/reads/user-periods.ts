import { Prisma } from '#platform/database/database.js';
import { endId, periodBounds } from './period-bounds.js';
import { received } from './received.js';

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
