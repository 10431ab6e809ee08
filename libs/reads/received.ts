import { Prisma } from '#platform/database/database.js';

/** The change of the user's balance by transaction `t`. */
export const received = Prisma.sql`CASE t.transaction_type WHEN 'credit' THEN t.amount WHEN 'debit' THEN -t.amount ELSE 0 END`;
