import { Prisma } from '#platform/database/database.js';

// A cancel of many offers names those that the worker has still to cancel. They count as canceled from then on.

/** What cancels have named. `inScope` is a condition on the account of `listed`. */
export const pendingCancels = (inScope: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT listed.account_id, listed.id AS wager_id, named.*
    FROM wagers listed
   CROSS JOIN LATERAL jsonb_to_recordset(listed.pending_cancels)
         AS named (position bigint, user_id bigint, minimum_odds bigint, maximum_odds bigint, queue_place bigint,
                   bet_id bigint)
   WHERE ${inScope} AND listed.pending_cancels IS NOT NULL`;

/** Whether `named` names the bet `listed`. */
export const isNamed = Prisma.sql`listed.account_id = named.account_id AND listed.wager_id = named.wager_id
  AND listed.requesting_user_id = named.user_id AND greatest(listed.id, listed.spared_up_to) < named.position
  AND (listed.queue_place, listed.id) <= (named.queue_place, named.bet_id)
  AND (named.minimum_odds IS NULL OR listed.requesting_odds >= named.minimum_odds)
  AND (named.maximum_odds IS NULL OR listed.requesting_odds <= named.maximum_odds)`;
