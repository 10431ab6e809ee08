import { eventKinds } from '#core/records.js';
import type { Pass } from './check.js';
import { movementSql, withAccount } from './facts.js';
import type { Scope } from './scope.js';

// The hourly sums of the events that are indexed, added up again. Of what came after a closing: the hours that begin after it.

const numbers = (...kinds: readonly (keyof typeof eventKinds)[]): string =>
  kinds.map((kind) => eventKinds[kind]).join();
const MATCHED = eventKinds['offer.matched'];
const PAID = numbers('bet.settled', 'bet.unsettled');

/** A bet is at risk from its match on, but while it is settled or inactive. Two more payments take a settlement back. */
const turn = `
  CASE WHEN e.kind IN (${numbers('offer.matched', 'bet.unsettled', 'bet.activated')}) THEN 1
       WHEN e.kind = ${numbers('bet.settled')} AND paid.payments > 2 THEN 0 ELSE -1 END`;

const counted = ({ eventGroups }: Scope): string => `
  SELECT g.account_id, date_trunc('hour', g.at, 'UTC') AS hour, e.kind, e.ref
    FROM marks m JOIN ${eventGroups} g ON g.account_id = m.account_id AND g.at >= m.first_hour
   CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
   WHERE g.first_seq + e.place - 1 <= m.indexed_seq AND e.kind IN (${MATCHED}, ${PAID}, ${numbers('bet.activated', 'bet.deactivated')})`;

/** Each event's entry and bet are looked up by their keys. */
const logged = `
  SELECT e.account_id, s.subject, e.hour, count(*) FILTER (WHERE e.kind = ${MATCHED}) AS matched_bets,
         coalesce(sum(b.effective_amount) FILTER (WHERE e.kind = ${MATCHED}), 0) AS matched_amount,
         count(*) FILTER (WHERE e.kind = ${numbers('bet.settled')}) AS settled_bets, coalesce(sum(paid.amount), 0) AS settled_amount,
         sum(${turn} * s.at_risk) AS change
    FROM events e
   CROSS JOIN LATERAL (
     SELECT t.id, t.first_transaction_id, t.last_transaction_id, b.wager_id, b.requesting_user_id, b.accepting_user_id,
            b.effective_amount, ${movementSql(`'win'`)} AS won
       FROM bet_trails t JOIN bets b ON b.account_id = t.account_id AND b.id = t.bet_id ${withAccount}
      WHERE t.account_id = e.account_id AND t.id = e.ref AND t.effective_amount IS NOT NULL OFFSET 0) b
   CROSS JOIN LATERAL (
     SELECT count(*) AS payments, sum(x.amount) FILTER (WHERE x.transaction_type = 'credit') AS amount FROM transactions x
      WHERE e.kind IN (${PAID}) AND x.account_id = e.account_id AND x.bet_trail_id = b.id
        AND x.id BETWEEN b.first_transaction_id AND b.last_transaction_id) paid
   CROSS JOIN LATERAL (
     VALUES (3, b.effective_amount + b.won), (4 * b.wager_id + 1, b.effective_amount + b.won), (4 * b.requesting_user_id, b.effective_amount),
            (4 * b.accepting_user_id, b.won)) AS s (subject, at_risk)
   GROUP BY 1, 2, 3`;

const stored = (scope: Scope): string => `
  SELECT h.account_id, h.subject, h.hour, h.matched_bets, h.matched_amount, h.settled_bets, h.settled_amount,
         h.gross_exposure - coalesce((SELECT p.gross_exposure FROM hourly_sums p
                                       WHERE p.account_id = h.account_id AND p.subject = h.subject AND p.hour < h.hour
                                       ORDER BY p.hour DESC LIMIT 1), 0) AS change
    FROM marks m JOIN ${scope.table('hourly_sums')} h ON h.account_id = m.account_id AND h.hour >= m.first_hour`;

const figures = (of: string): string =>
  `${of}.matched_bets, ${of}.matched_amount, ${of}.settled_bets, ${of}.settled_amount, ${of}.change`;

/** One row for each hour of an account, a wager and a user. */
export const hoursOfLogs: Pass = {
  things: 'hours of accounts, wagers and users',
  readsByKey: true,
  checks: [{ name: 'the hourly sums of a log = those of its events', column: 'sums' }],
  rows: (scope) => `
    WITH marks AS MATERIALIZED (
      SELECT i.account_id, i.indexed_seq,
             ${scope.isWhole ? `'-infinity'::timestamptz` : `date_trunc('hour', g.at, 'UTC') + interval '1 hour'`} AS first_hour
        FROM ${scope.table('event_indexes')} i
        JOIN (SELECT account_id, min(at) AS at FROM ${scope.eventGroups} g GROUP BY 1) g ON g.account_id = i.account_id),
    events AS MATERIALIZED (${counted(scope)}),
    logged AS MATERIALIZED (${logged}),
    stored AS MATERIALIZED (${stored(scope)})
    SELECT account_id, subject AS id,
           format('%s in the hour of %s', CASE subject % 4 WHEN 3 THEN 'the account' WHEN 1 THEN 'wager ' || subject / 4
                                               ELSE 'user ' || subject / 4 END, to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')) AS subject,
           CASE WHEN (${figures('s')}) IS DISTINCT FROM (${figures('l')}) THEN
             format('has %s, should have %s', ROW(${figures('s')}), ROW(${figures('l')})) END AS sums
      FROM logged l FULL JOIN stored s USING (account_id, subject, hour)`,
};
