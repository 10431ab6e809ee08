import type { FollowedLog, History } from '../../history.js';
import { type Finding, findingsOf, type Queryable } from '../finding.js';
import { cursorsIn } from './log-cursors.js';

export interface LogsReport {
  readonly findings: readonly Finding[];
  readonly followed: number;
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
