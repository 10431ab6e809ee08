import { Prisma } from '#platform/database/database.js';

/** The change of the user's balance by transaction `t`. */
export const received = Prisma.sql`CASE t.transaction_type WHEN 'credit' THEN t.amount WHEN 'debit' THEN -t.amount ELSE 0 END`;

/**
 * The user's balance after transaction `t`. A row from before the column has none until the worker has filled it: then it is
 * the sum of the user's transactions up to it.
 */
export const balanceAfter = Prisma.sql`coalesce(t.balance_after, (
  SELECT sum(CASE s.transaction_type WHEN 'credit' THEN s.amount WHEN 'debit' THEN -s.amount ELSE 0 END)::bigint
    FROM transactions s WHERE s.account_id = t.account_id AND s.user_id = t.user_id AND s.id <= t.id))`;
