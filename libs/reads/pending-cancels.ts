import { Prisma } from '#platform/database/database.js';

// A cancel of many offers names those that the worker has still to cancel. They count as canceled from then on.

/** What pending cancels have left to the worker. `inScope` is a condition on the account of `listed`. */
export const pendingCancels = (inScope: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT listed.account_id, listed.id AS wager_id, canceling.*
    FROM wagers listed
   CROSS JOIN LATERAL jsonb_to_recordset(listed.pending_cancels)
         AS canceling (position bigint, user_id bigint, minimum_odds bigint, maximum_odds bigint, queue_place bigint,
                   bet_id bigint)
   WHERE ${inScope} AND listed.pending_cancels IS NOT NULL`;

/** Whether `canceling` holds the bet `listed`. */
export const isCanceling = Prisma.sql`listed.account_id = canceling.account_id AND listed.wager_id = canceling.wager_id
  AND listed.requesting_user_id = canceling.user_id AND greatest(listed.id, listed.spared_up_to) < canceling.position
  AND (listed.queue_place, listed.id) <= (canceling.queue_place, canceling.bet_id)
  AND (canceling.minimum_odds IS NULL OR listed.requesting_odds >= canceling.minimum_odds)
  AND (canceling.maximum_odds IS NULL OR listed.requesting_odds <= canceling.maximum_odds)`;
