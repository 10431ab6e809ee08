import type { Pass } from './check.js';
import { PATIENCE } from './checks-bets.js';

/** A caller who asks for a delivery at once sets the time to 1970. */
const isAsked = `e.next_at > 'epoch'`;

/** Endpoints are positions in logs, and what waits to be delivered lies before them. */
export const webhookEndpoints: Pass = {
  things: 'webhook endpoints',
  checks: [
    { name: 'a webhook endpoint is a position in the log of its account', column: 'position' },
    { name: 'what waits for a webhook endpoint lies in the log before it', column: 'waiting' },
    { name: 'a webhook endpoint fails exactly while something that has failed waits', column: 'failing' },
    { name: 'a webhook endpoint is served within 15 minutes, and leased no longer', column: 'served' },
  ],
  rows: (scope) => `
    SELECT e.account_id, e.id, 'webhook endpoint ' || e.id AS subject,
           CASE WHEN e.cursor_seq > coalesce(h.last_seq, 0) THEN
             format('is at event %s, and the log ends with %s', e.cursor_seq, coalesce(h.last_seq, 0)) END AS position,
           CASE WHEN d.last_seq > e.cursor_seq THEN
             format('is at event %s, and event %s waits for it', e.cursor_seq, d.last_seq) END AS waiting,
           CASE WHEN e.state <> 'disabled' AND (e.state = 'failing') <> (coalesce(d.failed, 0) > 0) THEN
             format('is %s, and %s deliveries that have failed wait', e.state, coalesce(d.failed, 0)) END AS failing,
           CASE WHEN e.lease_until > now() + ${PATIENCE} THEN
                  format('is leased until %s', date_trunc('second', e.lease_until))
                WHEN e.state <> 'disabled' AND ${isAsked} AND coalesce(e.lease_until, 'epoch') < now()
                 AND greatest(e.next_at, e.not_before) < now() - ${PATIENCE} THEN
                  format('is due since %s', date_trunc('second', e.next_at)) END AS served
      FROM ${scope.table('webhook_endpoints')} e
      LEFT JOIN ${scope.table('event_heads')} h ON h.account_id = e.account_id
      LEFT JOIN (SELECT account_id, endpoint_id, max(seq) AS last_seq, count(*) FILTER (WHERE attempts > 0) AS failed
                   FROM ${scope.table('webhook_deliveries')} waiting GROUP BY account_id, endpoint_id) d
        ON d.account_id = e.account_id AND d.endpoint_id = e.id`,
};
