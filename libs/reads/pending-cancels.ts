import { Prisma } from '#platform/database/database.js';

// A cancel of many offers stores which the worker has still to cancel. They count as canceled from then on.

/** The pending cancels that the worker has not done yet. `inScope` is a condition on the account of `listed`. */
export const pendingCancels = (inScope: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT listed.account_id, listed.id AS wager_id, cancel.*
    FROM wagers listed
   CROSS JOIN LATERAL jsonb_to_recordset(listed.pending_cancels)
         AS cancel (position bigint, user_id bigint, minimum_odds bigint, maximum_odds bigint, queue_place bigint,
                    bet_id bigint, only_on_suspend boolean)
   WHERE ${inScope} AND listed.pending_cancels IS NOT NULL`;

/** Whether `cancel` cancels the bet `listed`. */
export const isCancelPending = Prisma.sql`listed.account_id = cancel.account_id AND listed.wager_id = cancel.wager_id
  AND (cancel.user_id IS NULL OR listed.requesting_user_id = cancel.user_id)
  AND (cancel.only_on_suspend IS NOT TRUE OR listed.cancel_on_suspend) AND greatest(listed.id, listed.spared_up_to) < cancel.position
  AND (listed.queue_place, listed.id) <= (cancel.queue_place, cancel.bet_id)
  AND (cancel.minimum_odds IS NULL OR listed.requesting_odds >= cancel.minimum_odds)
  AND (cancel.maximum_odds IS NULL OR listed.requesting_odds <= cancel.maximum_odds)`;
