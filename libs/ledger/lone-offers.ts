import { Prisma } from '#platform/database/database.js';

// A lone offer, a user's only open offer on a wager of which `positions` has no row of the user, is the position itself.

/** Joins the lone offer of the user on the wager, by its key, as `lone`. `stored` is the row of `positions`, or NULL. */
export const joinLoneOffer = (userId: Prisma.Sql, wagerId: Prisma.Sql, accountId: bigint): Prisma.Sql => Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT b.requesting_amount FROM bets b
     WHERE stored.user_id IS NULL AND b.account_id = ${accountId} AND b.requesting_user_id = ${userId}
       AND b.wager_id = ${wagerId} AND b.offer_status = 'requesting' AND b.is_active
     ORDER BY b.queue_place, b.id LIMIT 1) lone ON TRUE`;
