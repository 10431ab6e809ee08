import { eventKinds, stepKinds } from '#core/records.js';
import type { Pass } from './check.js';
import type { Scope } from './scope.js';

// Of each 1,024 events that are indexed the entries are counted, in the index and by the log, and their hashes added up.

const kindsOf = (condition: (kind: string) => boolean): string =>
  Object.entries(eventKinds)
    .flatMap(([kind, number]) => (condition(kind) ? [number] : []))
    .join();

const OF_USERS = kindsOf((kind) => kind.startsWith('user.'));
const OF_WAGERS = kindsOf((kind) => kind.startsWith('wager.'));

const summed = `count(*) AS entries, sum(hashint8extended(subject, seq * 256 + kind)) AS hash`;

/** A subject is four times the id of a user, of a wager and 1, or of a bet and 2. */
const subjects = `
  SELECT s.subject FROM bet_trails t JOIN bets b ON b.account_id = t.account_id AND b.id = t.bet_id
   CROSS JOIN LATERAL (VALUES (4 * b.id + 2), (4 * b.wager_id + 1), (4 * b.requesting_user_id),
                              (CASE WHEN t.effective_amount IS NOT NULL THEN 4 * b.accepting_user_id END)) AS s (subject)
   WHERE e.kind BETWEEN ${stepKinds.first} AND ${stepKinds.last} AND t.account_id = g.account_id AND t.id = e.ref
  UNION ALL
  SELECT 4 * x.user_id FROM transactions x
   WHERE e.kind = ${eventKinds['transaction.created']} AND x.account_id = g.account_id AND x.id = e.ref
  UNION ALL
  SELECT 4 * e.ref WHERE e.kind IN (${OF_USERS})
  UNION ALL
  SELECT 4 * e.ref + 1 WHERE e.kind IN (${OF_WAGERS})
  UNION ALL
  SELECT 4 * (g.extras #>> ARRAY[(e.place - 1)::text, 'canceling', 'user_id'])::bigint
   WHERE e.kind = ${eventKinds['wager.canceling']}`;

const logged = ({ eventGroups }: Scope): string => `
  SELECT account_id, (seq - 1) / 1024 AS part, ${summed}
    FROM (SELECT g.account_id, g.first_seq + e.place - 1 AS seq, e.kind, s.subject
            FROM marks m JOIN ${eventGroups} g ON g.account_id = m.account_id
           CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
           CROSS JOIN LATERAL (${subjects}) s
           WHERE g.first_seq + e.place - 1 <= m.indexed_seq AND s.subject IS NOT NULL) entry
   GROUP BY 1, 2`;

/** Of the blocks that the marks make valid: large ones up to the first mark, small ones from there to the second. */
const indexed = `
  SELECT account_id, (seq - 1) / 1024 AS part, ${summed}
    FROM (SELECT m.account_id, p.block * l.size + e.place / 256 + 1 AS seq, e.place % 256 AS kind, e.subject, m.first_seq
            FROM marks m CROSS JOIN LATERAL (VALUES (1, 131072::bigint, 0::bigint, m.merged_seq), (0, 1024, m.merged_seq, m.indexed_seq))
                                      AS l (level, size, after, until)
            JOIN event_index_pages p ON p.account_id = m.account_id AND p.level = l.level
                 AND p.block >= greatest(l.after, m.first_seq - 1) / l.size AND p.block < l.until / l.size
           CROSS JOIN LATERAL unnest(p.subjects, p.places) AS e (subject, place)) entry
   WHERE seq >= first_seq
   GROUP BY 1, 2`;

/** One row for each account with an index, and for each 1,024 of its events. */
export const indexesOfLogs: Pass = {
  things: 'parts of event indexes',
  readsByKey: true,
  checks: [
    { name: 'the index of a log ends with a block, within the log', column: 'mark' },
    { name: 'the index of a log has its events under their users, wagers and bets, and no others', column: 'entries' },
  ],
  rows: (scope) => `
    WITH marks AS MATERIALIZED (
      SELECT i.account_id, i.indexed_seq, i.merged_seq, coalesce(h.last_seq, 0) AS last_seq, coalesce(g.first_seq, h.last_seq + 1, 1) AS first_seq
        FROM ${scope.table('event_indexes')} i
        LEFT JOIN ${scope.table('event_heads')} h ON h.account_id = i.account_id
        LEFT JOIN (SELECT account_id, min(first_seq) AS first_seq FROM ${scope.eventGroups} g GROUP BY 1) g
          ON g.account_id = i.account_id),
    logged AS MATERIALIZED (${logged(scope)}),
    indexed AS MATERIALIZED (${indexed})
    SELECT account_id, 0 AS id, '' AS subject,
           CASE WHEN indexed_seq > last_seq OR indexed_seq % 1024 <> 0 OR merged_seq % 131072 <> 0 THEN
             format('is indexed up to event %s, in large blocks up to %s, and the log ends with %s', indexed_seq, merged_seq, last_seq) END AS mark,
           NULL AS entries
      FROM marks
    UNION ALL
    SELECT coalesce(l.account_id, i.account_id), coalesce(l.part, i.part),
           format('events %s to %s', coalesce(l.part, i.part) * 1024 + 1, coalesce(l.part, i.part) * 1024 + 1024), NULL,
           CASE WHEN (l.entries, l.hash) IS DISTINCT FROM (i.entries, i.hash) THEN
             format('have %s entries in the index, should have %s', coalesce(i.entries, 0), coalesce(l.entries, 0))
             || CASE WHEN l.entries = i.entries THEN ', of which some are others' ELSE '' END END
      FROM logged l FULL JOIN indexed i ON i.account_id = l.account_id AND i.part = l.part`,
};
