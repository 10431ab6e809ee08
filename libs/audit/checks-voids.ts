import { eventKinds } from '#core/records.js';
import type { Pass } from './check.js';
import type { Scope } from './scope.js';

const DECISIONS = `'{${[eventKinds['wager.decided'], eventKinds['wager.corrected']].join()}}'::smallint[]`;
const extra = `g.extras -> (e.place - 1)::text`;

/** The decisions that void. Once their wager has settled, only the log knows the moment. */
const voidingDecisions = ({ eventGroups }: Scope): string => `
  SELECT g.account_id, e.ref AS wager_id, g.at, g.refs, (${extra} ->> 'void_matched_after')::bigint AS void_from
    FROM ${eventGroups} g CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
   WHERE g.kinds && ${DECISIONS} AND e.kind = ANY (${DECISIONS}) AND ${extra} ? 'void_matched_after'`;

/** Not `min(t.id)`: see the checks of matches. */
const acceptance = `
  SELECT min(t.id + 0) AS id FROM bet_trails t
   WHERE t.account_id = b.account_id AND t.bet_id = b.id AND t.accepting_amount IS NOT NULL`;

/**
 * Bets of settled wagers that were matched before the decision: those of its own group may be matched after it, on a wager that
 * is open again. An override may have followed the `void`, which the trail has still. The log has PostgreSQL's time: the clock
 * of a sandbox that is ahead leaves its bets out.
 */
export const lateVoids: Pass = {
  things: 'bets of decisions that void',
  readsByKey: true,
  checks: [{ name: 'what a decision voids has been voided', column: 'left_out' }],
  rows: (scope) => `
    SELECT b.account_id, b.id, 'bet ' || b.id AS subject,
           CASE WHEN NOT EXISTS (SELECT FROM bet_trails t WHERE t.account_id = b.account_id AND t.bet_id = b.id
                                    AND t.override_outcome = 'void') THEN
             format('is matched at %s, and was never voided (wager %s)', b.accepted_at, b.wager_id) END AS left_out
      FROM (${voidingDecisions(scope)}) d
      JOIN ${scope.table('wagers')} w ON w.account_id = d.account_id AND w.id = d.wager_id AND w.settling_since IS NULL
      JOIN ${scope.allBets} b ON b.account_id = d.account_id AND b.wager_id = d.wager_id
       AND NOT (b.offer_status = 'requesting' AND b.is_active)
       AND b.accepted_at < d.at AND (extract(epoch FROM b.accepted_at) * 1000000)::bigint >= d.void_from
     CROSS JOIN LATERAL (${acceptance}) accepted
     WHERE accepted.id <> ALL (d.refs)`,
};
