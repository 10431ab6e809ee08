import { eventKinds, stepKinds } from '#core/records.js';
import type { Pass } from './check.js';
import type { Scope } from './scope.js';

const OPENED = eventKinds['log.opened'];
const TRANSACTION = eventKinds['transaction.created'];
const IS_STEP = `BETWEEN ${stepKinds.first} AND ${stepKinds.last}`;

const groupsOf = ({ eventGroups, eventsBefore }: Scope): string => `
  SELECT account_id, min(first_seq) AS first_seq, max(last_seq) AS last_seq, max(at) AS last_at,
         count(*) FILTER (WHERE first_seq <> last_before + 1) AS gaps, count(*) FILTER (WHERE at < at_before) AS backward,
         count(*) FILTER (WHERE (operated, kinds, refs) <> (counted, counted, counted)) AS uneven
    FROM (SELECT g.account_id, g.first_seq, g.last_seq, g.at, g.last_seq - g.first_seq + 1 AS counted,
                 cardinality(g.kinds) AS kinds, cardinality(g.refs) AS refs,
                 lag(g.last_seq, 1, ${eventsBefore}) OVER log AS last_before, lag(g.at) OVER log AS at_before,
                 (SELECT coalesce(sum(split_part(o, ' ', 1)::bigint), 0)
                    FROM string_to_table(g.operations, E'\\n') AS o) AS operated
            FROM ${eventGroups} g WINDOW log AS (PARTITION BY g.account_id ORDER BY g.last_seq)) each
   GROUP BY account_id`;

/** Looked up by its key: an account at rest has no group among those of a fresh scope. */
const endsAsHead = `
  (SELECT (l.at, l.kinds[cardinality(l.kinds)], l.refs[cardinality(l.refs)]) = (h.last_at, h.last_kind, h.last_ref)
     FROM event_groups l WHERE l.account_id = h.account_id AND l.last_seq = h.last_seq)`;

/** One row for each account that has a log, or rows of one. */
export const logsOfAccounts: Pass = {
  things: 'event logs',
  checks: [
    { name: 'the head of the log = its last event', column: 'head' },
    { name: 'the numbers of the log have no gap, and each has one event and belongs to an operation', column: 'dense' },
    { name: 'the times of the log never go back', column: 'times' },
    { name: 'the decimals of the log = those of its account', column: 'decimals' },
  ],
  rows: (scope) => `
    SELECT coalesce(h.account_id, g.account_id) AS account_id, 0 AS id, '' AS subject,
           CASE WHEN h.account_id IS NULL THEN 'has events without a head'
                WHEN g.account_id IS NULL THEN
                  CASE WHEN h.last_seq > 0 AND (${endsAsHead}) IS NOT TRUE THEN 'has a head without its last event' END
                WHEN h.last_seq <> g.last_seq OR h.last_at <> g.last_at THEN
                  format('has the head %s of %s, and the last event %s of %s', h.last_seq, h.last_at, g.last_seq, g.last_at)
                WHEN (${endsAsHead}) IS NOT TRUE THEN 'has a head that is about another event than the last one'
           END AS head,
           CASE WHEN g.gaps > 0 THEN format('has %s gaps in the numbers of its events', g.gaps)
                WHEN g.uneven > 0 THEN format('has %s groups whose events or operations do not add up', g.uneven) END AS dense,
           CASE WHEN g.backward > 0 THEN format('has %s groups earlier than the one before', g.backward) END AS times,
           CASE WHEN h.decimals IS DISTINCT FROM a.decimals THEN
             format('counts with %s decimals, and its log with %s', coalesce(a.decimals::text, 'no'),
                    coalesce(h.decimals::text, 'none')) END AS decimals
      FROM ${scope.table('event_heads')} h FULL JOIN (${groupsOf(scope)}) g ON g.account_id = h.account_id
      LEFT JOIN ${scope.table('accounts')} a ON a.id = coalesce(h.account_id, g.account_id)`,
};

/** Rows up to these ids are older than the log. */
const openedOf = ({ eventGroups, closedIds }: Scope): string => `
  SELECT account_id, max(trail_id) AS trail_id, max(transaction_id) AS transaction_id
    FROM (SELECT account_id, (extras -> '0' ->> 'last_trail_id')::bigint AS trail_id,
                 (extras -> '0' ->> 'last_transaction_id')::bigint AS transaction_id
            FROM ${eventGroups} g WHERE g.kinds[1] = ${OPENED}
          UNION ALL ${closedIds}) ids
   GROUP BY account_id`;

const namedBy = (kinds: string, { eventGroups }: Scope): string => `
  SELECT DISTINCT g.account_id, e.ref FROM ${eventGroups} g
   CROSS JOIN LATERAL unnest(g.kinds, g.refs) AS e (kind, ref) WHERE e.kind ${kinds}`;

const compared = (thing: string, rows: string, { names, firstId }: { names: string; firstId: string }): string => `
  SELECT coalesce(r.account_id, n.account_id) AS account_id, coalesce(r.id, n.ref) AS id,
         '${thing} ' || coalesce(r.id, n.ref) AS subject,
         CASE WHEN n.ref IS NULL THEN 'has no event' WHEN r.id IS NULL THEN 'has an event, but does not exist' END AS logged
    FROM (${rows}) r FULL JOIN (${names}) n ON n.account_id = r.account_id AND n.ref = r.id
    LEFT JOIN opened o ON o.account_id = coalesce(r.account_id, n.account_id)
   WHERE coalesce(r.id, n.ref) > coalesce(o.${firstId}, 0)`;

export const rowsInLogs: Pass = {
  things: 'steps and movements',
  checks: [{ name: 'every trail entry, and all money in or out, is in the log', column: 'logged' }],
  rows: (scope) => `
    WITH opened AS (${openedOf(scope)})
    ${compared('trail entry', `SELECT account_id, id FROM ${scope.trails} t`, {
      names: namedBy(IS_STEP, scope),
      firstId: 'trail_id',
    })}
    UNION ALL
    ${compared('transaction', `SELECT account_id, id FROM ${scope.transactions} t WHERE t.bet_trail_id IS NULL`, {
      names: namedBy(`= ${TRANSACTION}`, scope),
      firstId: 'transaction_id',
    })}`,
};
