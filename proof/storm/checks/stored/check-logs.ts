import { encodePosition } from '#events/event-position.js';
import type { FollowedLog, History } from '../../history.js';
import { type Finding, findingsOf, type Queryable } from '../finding.js';

export interface LogsReport {
  readonly findings: readonly Finding[];
  readonly followed: number;
}

/** The cursors of all events of an account, which name their numbers and what they are about. */
export async function cursorsIn(database: Queryable, accountId: number): Promise<string[]> {
  const { rows } = await database.query<Record<'seq' | 'at' | 'kind' | 'ref', string>>(
    `SELECT g.first_seq + e.place - 1 AS seq, (extract(epoch FROM g.at) * 1000000)::bigint AS at, e.kind, e.ref
       FROM event_groups g CROSS JOIN LATERAL unnest(g.kinds, g.refs) WITH ORDINALITY AS e (kind, ref, place)
      WHERE g.account_id = $1 ORDER BY 1`,
    [accountId],
  );
  return rows.map(({ seq, at, kind, ref }) =>
    encodePosition(BigInt(accountId), { seq: BigInt(seq), at: BigInt(at), kind: Number(kind), ref: BigInt(ref) }),
  );
}

function faultOf({ name, way, cursors, refusal }: FollowedLog, stored: readonly string[]): string[] {
  const who = `the reader of ${name} (${way})`;
  if (refusal !== undefined) return [`${who} was refused after ${cursors.length} events: ${refusal}`];
  const place = cursors.findIndex((cursor, index) => cursor !== stored[index]);
  return place < 0 ? [] : [`${who} read another event than number ${place + 1} of the log`];
}

/** What readers have followed is the log from its first event on. The audit compares the log with the ledger. */
export async function checkLogs({ logs }: Pick<History, 'logs'>, database: Queryable): Promise<LogsReport> {
  const texts: string[] = [];
  for (const log of logs) texts.push(...faultOf(log, await cursorsIn(database, log.accountId)));
  return {
    findings: findingsOf('readers of the event log miss nothing and read nothing twice', texts),
    followed: logs.reduce((sum, { cursors }) => sum + cursors.length, 0),
  };
}
