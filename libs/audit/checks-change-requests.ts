import { eventKinds } from '#core/records.js';
import type { Pass } from './check.js';
import { PATIENCE } from './checks-bets.js';
import type { Scope } from './scope.js';

const kindOf = (state: string): number => eventKinds[`change_request.${state}` as keyof typeof eventKinds];
const [CREATED, APPROVED, EXECUTED] = [kindOf('created'), kindOf('approved'), kindOf('executed')];

const endStates = ['executed', 'rejected', 'withdrawn', 'expired', 'failed'];
const ENDS = endStates.map(kindOf).join();
/** The event that says how a request has ended. */
const kindOfState = `CASE r.state ${endStates.map((state) => `WHEN '${state}' THEN ${kindOf(state)}`).join(' ')} END`;

const EFFECTS: Readonly<Record<string, readonly (keyof typeof eventKinds)[]>> = {
  update_wager_outcome: ['wager.decided', 'wager.corrected'],
  force_update_outcome: ['wager.decided', 'wager.corrected'],
  correct_wager_outcome: ['wager.corrected'],
  override_bet_outcome: ['bet.overridden'],
  force_update_override_outcome: ['bet.overridden'],
  set_inactive: ['bet.deactivated'],
  set_active: ['bet.activated'],
  withdraw_user: ['transaction.created'],
  update_preferences: ['account.updated'],
};
/** What an executed request did, by the events of its transaction. */
const effectsOfKind = `CASE q.kind ${Object.entries(EFFECTS)
  .map(([kind, events]) => `WHEN '${kind}' THEN '{${events.map((event) => eventKinds[event]).join()}}'::smallint[]`)
  .join(' ')} END`;

/** What the log says of each request. Of what came before a closing it says nothing. */
const toldOf = ({ eventGroups, table }: Scope): string => `
  SELECT q.account_id, q.id, count(*) FILTER (WHERE e.kind = ${CREATED}) AS created,
         count(*) FILTER (WHERE e.kind = ${APPROVED}) AS approved, count(*) FILTER (WHERE e.kind IN (${ENDS})) AS ended,
         max(e.kind) FILTER (WHERE e.kind IN (${ENDS})) AS end_kind,
         sum((SELECT count(*) FROM unnest(g.kinds) other (kind) WHERE other.kind = ANY (${effectsOfKind})))
           FILTER (WHERE e.kind = ${EXECUTED}) AS effects
    FROM ${eventGroups} g CROSS JOIN LATERAL unnest(g.kinds, g.refs) e (kind, ref)
    JOIN ${table('change_requests')} q ON q.account_id = g.account_id AND q.id = e.ref
   WHERE g.kinds && '{${CREATED},${APPROVED},${ENDS}}'::smallint[] AND e.kind IN (${CREATED}, ${APPROVED}, ${ENDS})
   GROUP BY q.account_id, q.id`;

/** Each change of a request's state has its event, and an executed one has its effect, once. */
export const changeRequests: Pass = {
  things: 'change requests',
  checks: [
    { name: 'each state of a change request has its event, once', column: 'told' },
    { name: 'an executed change request has exactly one effect, in the transaction of its event', column: 'done' },
    { name: 'another person than its maker decides a change request', column: 'decider' },
    { name: 'a change request expires when its time has come', column: 'overdue' },
  ],
  rows(scope) {
    const isFromStart = scope.isWhole ? 'true' : 'e.created > 0';
    return `
    SELECT r.account_id, r.id, 'change request ' || r.id AS subject,
           CASE WHEN ${isFromStart} AND coalesce(e.created, 0) <> 1 THEN
                  format('was made, and has %s such events', coalesce(e.created, 0))
                WHEN (${isFromStart} OR e.ended > 0) AND (r.state <> 'pending')::int <> coalesce(e.ended, 0) THEN
                  format('is %s, and has %s events of an end', r.state, coalesce(e.ended, 0))
                WHEN e.end_kind <> ${kindOfState} THEN format('is %s, and its end was of kind %s', r.state, e.end_kind)
                WHEN ${isFromStart} AND (r.approved_by IS NOT NULL)::int <> coalesce(e.approved, 0) THEN
                  format('has %s events of a first approval', coalesce(e.approved, 0)) END AS told,
           CASE WHEN r.state = 'executed' AND (${isFromStart} OR e.ended > 0) AND coalesce(e.effects, 0) <> 1 THEN
             format('has %s effects', coalesce(e.effects, 0)) END AS done,
           CASE WHEN r.state IN ('executed', 'rejected', 'failed') AND r.decided_by IS NOT DISTINCT FROM r.made_by THEN
                  'was decided by its maker'
                WHEN r.approved_by = r.made_by THEN 'was approved by its maker' END AS decider,
           CASE WHEN r.state = 'pending' AND r.expires_at < now() - ${PATIENCE} THEN
             format('should have expired at %s', r.expires_at) END AS overdue
      FROM ${scope.table('change_requests')} r
      LEFT JOIN (${toldOf(scope)}) e ON e.account_id = r.account_id AND e.id = r.id`;
  },
};
