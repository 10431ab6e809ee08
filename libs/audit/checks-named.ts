import { type EventKind, eventKinds } from '#core/records.js';
import type { Pass } from './check.js';
import type { Scope } from './scope.js';

const kinds = (...names: readonly EventKind[]): string => `(${names.map((name) => eventKinds[name]).join()})`;

interface Told {
  /** Of the rows that the events name. */
  readonly kinds: string;
  readonly created: EventKind;
  /** Of events whose last one says how the row is now. */
  readonly states: string;
  /** What such an event says. */
  readonly said: string;
}

/**
 * What the log tells about each row, and the first row that it saw created since the log was opened: older ones may be
 * older than the log.
 */
const toldOf = ({ eventGroups }: Scope, told: Told): string => `
  SELECT each.*, min(each.id) FILTER (WHERE each.is_created_since) OVER (PARTITION BY each.account_id) AS first_id
    FROM (SELECT g.account_id, e.ref AS id, bool_or(e.kind = ${eventKinds[told.created]}) AS is_created,
                 bool_or(e.kind = ${eventKinds[told.created]} AND g.last_seq > o.seq) AS is_created_since,
                 (array_agg(${told.said} ORDER BY g.last_seq DESC, e.place DESC)
                    FILTER (WHERE e.kind IN ${told.states}))[1] AS said
            FROM ${eventGroups} g
            JOIN (SELECT account_id, coalesce(max(last_seq) FILTER (WHERE kinds[1] = ${eventKinds['log.opened']}), 0) AS seq
                    FROM ${eventGroups} g GROUP BY account_id) o ON o.account_id = g.account_id
           CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
           WHERE e.kind IN ${told.kinds} GROUP BY g.account_id, e.ref) each`;

/** `rows` has a column `state`, which the last event said. Only the whole log has the beginning of each row. */
const compared = (scope: Scope, thing: string, rows: string): string => `
  SELECT coalesce(r.account_id, t.account_id) AS account_id, coalesce(r.id, t.id) AS id,
         '${thing} ' || coalesce(r.id, t.id) AS subject,
         CASE WHEN r.id IS NULL THEN 'has events, but does not exist'
              WHEN ${scope.isWhole} AND t.is_created IS NOT TRUE AND r.id > f.first_id THEN 'has no event of its beginning'
              WHEN t.said <> r.state THEN format('is %s, its last event says %s', r.state, t.said) END AS logged
    FROM (${rows}) r FULL JOIN told t ON t.account_id = r.account_id AND t.id = r.id
    LEFT JOIN (SELECT DISTINCT account_id, first_id FROM told) f ON f.account_id = r.account_id`;

const ofWagers: Told = {
  kinds: kinds(...(Object.keys(eventKinds) as EventKind[]).filter((kind) => kind.startsWith('wager.'))),
  created: 'wager.created',
  states: kinds('wager.decided', 'wager.corrected'),
  said: `g.extras -> (e.place - 1)::text ->> 'outcome'`,
};

const ofUsers: Told = {
  kinds: kinds('user.created', 'user.updated', 'user.disputed', 'user.undisputed'),
  created: 'user.created',
  states: kinds('user.disputed', 'user.undisputed'),
  said: `CASE WHEN e.kind IN ${kinds('user.disputed')} THEN 'disputed' ELSE 'agreed' END`,
};

export const wagersInLogs: Pass = {
  things: 'wagers',
  checks: [{ name: 'every wager is in the log, with its outcome', column: 'logged' }],
  rows: (scope) => `
    WITH told AS (${toldOf(scope, ofWagers)})
    ${compared(scope, 'wager', `SELECT account_id, id, outcome AS state FROM ${scope.table('wagers')} w`)}`,
};

export const usersInLogs: Pass = {
  things: 'users',
  checks: [{ name: 'every user is in the log, with the state of its balance', column: 'logged' }],
  rows: (scope) => `
    WITH told AS (${toldOf(scope, ofUsers)})
    ${compared(
      scope,
      'user',
      `SELECT u.account_id, u.id, CASE WHEN b.disputed_since IS NULL THEN 'agreed' ELSE 'disputed' END AS state
               FROM ${scope.table('users')} u
               JOIN ${scope.table('balances')} b ON b.account_id = u.account_id AND b.user_id = u.id`,
    )}`,
};
