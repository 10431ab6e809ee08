import { Prisma } from '#platform/database/database.js';

/**
 * The positions of users, stored or not: `account_id, user_id, wager_id, win, loss, offered`. A user's lone offer on a wager
 * is a position that is not stored. PostgreSQL uses the reader's conditions inside, and looks up by key.
 */
export const everyPosition = Prisma.sql`(
  SELECT account_id, user_id, wager_id, win, loss, offered FROM positions
  UNION ALL
  SELECT account_id, requesting_user_id, wager_id, 0, 0, requesting_amount FROM bets lone
   WHERE offer_status = 'requesting' AND is_active
     AND NOT EXISTS (SELECT FROM positions stored
                      WHERE stored.account_id = lone.account_id AND stored.user_id = lone.requesting_user_id
                        AND stored.wager_id = lone.wager_id))`;
