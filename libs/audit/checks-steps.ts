import { eventKinds, type StepKind } from '#core/records.js';
import type { Pass } from './check.js';
import type { Scope } from './scope.js';

const kind = (name: StepKind): string => `${eventKinds[name]}::smallint`;
const CORRECTIONS = `(${[kind('bet.overridden'), kind('bet.activated'), kind('bet.deactivated')].join()})`;

/** Settling a bet writes two transactions, and so does giving back what an earlier outcome paid. */
const pairsOf = ({ transactions }: Scope): string => `
  SELECT account_id, bet_trail_id, count(*) / 2 AS pairs, min(id) AS first_id, max(id) AS last_id FROM ${transactions} t
   WHERE bet_trail_id IS NOT NULL GROUP BY account_id, bet_trail_id`;

const stepsOf = (scope: Scope): string => `
  SELECT r.account_id, r.id, r.offer_status, r.override_outcome, coalesce(p.pairs, 0) AS pairs,
         (r.first_transaction_id, r.last_transaction_id) IS DISTINCT FROM (p.first_id, p.last_id) AS names_others,
         sum(p.pairs) OVER (earlier ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS pairs_before,
         lag(r.offer_status) OVER earlier AS status_before, lag(r.override_outcome) OVER earlier AS override_before,
         lag(r.effective_amount) OVER earlier AS amount_before
    FROM ${scope.trails} r LEFT JOIN (${pairsOf(scope)}) p ON p.account_id = r.account_id AND p.bet_trail_id = r.id
  WINDOW earlier AS (PARTITION BY r.account_id, r.bet_id ORDER BY r.id)`;

/** After an odd number of pairs a bet is settled. */
const dueKinds = `
  CASE WHEN s.status_before IS NULL THEN ARRAY[${kind('offer.made')}] ELSE
    CASE WHEN s.offer_status = s.status_before OR s.amount_before IS NOT NULL THEN '{}'::smallint[] ELSE ARRAY[
      CASE s.offer_status WHEN 'requesting' THEN ${kind('offer.reopened')} WHEN 'accepted' THEN ${kind('offer.matched')}
                          WHEN 'expired' THEN ${kind('offer.expired')} ELSE ${kind('offer.canceled')} END] END ||
    CASE WHEN s.pairs = 0 THEN '{}'::smallint[]
         WHEN (s.pairs + coalesce(s.pairs_before, 0)) % 2 = 1 THEN ARRAY[${kind('bet.settled')}]
         ELSE ARRAY[${kind('bet.unsettled')}] END END`;

const loggedKinds = ({ eventGroups }: Scope): string => `
  SELECT g.account_id, e.ref, array_agg(e.kind ORDER BY g.last_seq, e.place) AS kinds
    FROM ${eventGroups} g CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
   WHERE e.kind BETWEEN ${kind('offer.made')} AND ${kind('bet.deactivated')} GROUP BY g.account_id, e.ref`;

/** A correction of the bet itself comes first; the trail shows of it only a changed override. */
export const eventsOfSteps: Pass = {
  things: 'steps',
  checks: [
    { name: 'the events of a step = what its trail entry changed', column: 'kinds' },
    { name: 'a trail entry names its first and its last transaction', column: 'named' },
  ],
  rows: (scope) => `
    SELECT s.account_id, s.id, 'trail entry ' || s.id AS subject,
           CASE WHEN s.logged_due <> s.due THEN format('has events of the kinds %s, should have %s', s.logged, s.due)
                WHEN s.is_overridden AND s.logged[1] <> ${kind('bet.overridden')} THEN
                  format('changes the override, and has events of the kinds %s', s.logged) END AS kinds,
           CASE WHEN s.names_others THEN 'names other transactions than those that name it' END AS named
      FROM (SELECT s.account_id, s.id, s.names_others, l.kinds AS logged, ${dueKinds} AS due,
                   CASE WHEN l.kinds[1] IN ${CORRECTIONS} THEN l.kinds[2:] ELSE l.kinds END AS logged_due,
                   s.status_before IS NOT NULL AND s.override_before IS DISTINCT FROM s.override_outcome AS is_overridden
              FROM (${stepsOf(scope)}) s
              JOIN (${loggedKinds(scope)}) l ON l.account_id = s.account_id AND l.ref = s.id) s`,
};
