import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { runAudit } from '#audit/audit.js';
import { linesOfDifferences, verdictOf } from '#audit/report.js';
import { connectDatabase } from '#platform/database/database.js';
import { type History, wasTriedAgain } from '../history.js';
import { checkAnswers } from './answers/check-answers.js';
import { checkStatus } from './answers/check-status.js';
import { checkCoverage, figuresOf } from './check-coverage.js';
import { type Finding, findingsOf, type Queryable, textsIn } from './finding.js';
import { checkReplay } from './replay/check-replay.js';
import { checkLogs } from './stored/check-logs.js';
import { checkMails } from './stored/check-mails.js';
import { checkStoredAnswers } from './stored/check-stored-answers.js';
import { checkWebhooks } from './stored/check-webhooks.js';
import { compareEffects } from './stored/compare-effects.js';

export type { Finding } from './finding.js';

export interface CheckOptions {
  readonly history: History;
  readonly databaseUrl: string;
  readonly mailFolder: string;
  /** Factor by which the remaining work may take longer than usual. */
  readonly patience?: number;
}

export interface CheckReport {
  readonly findings: readonly Finding[];
  /** Lines of figures about what was checked. */
  readonly facts: readonly string[];
}

const PATIENCE_MS = 60_000;
const POLL_MS = 200;

/** Waits until all work is done, then audits the database, and compares the answers that clients got with it. */
export async function checkAll(options: CheckOptions): Promise<CheckReport> {
  const { databaseUrl, patience = 1 } = options;
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const late = await waitForWork(database, PATIENCE_MS * patience);
    const { findings, facts } = await compareWithRecord(options, database);
    const audit = await auditOf(databaseUrl);
    return { findings: [...late, ...findings, ...audit.findings], facts: [...facts, audit.verdict] };
  } finally {
    await database.end();
  }
}

/** Compares the answers that clients got with the database, in which all work is done. */
export async function compareWithRecord(
  { history, mailFolder }: Pick<CheckOptions, 'history' | 'mailFolder'>,
  database: Queryable,
): Promise<CheckReport> {
  const { operations } = history;
  const compared = await compareEffects(operations, database);
  const replay = await checkReplay(history, database);
  const mails = await checkMails(operations, { database, mailFolder });
  const logs = await checkLogs(history, database);
  const webhooks = await checkWebhooks(history, database);
  const figures = [
    ...figuresOf(history),
    ...compared.counts,
    ...replay.figures,
    ['mails', mails.arrived] as const,
    ['events followed', logs.followed] as const,
    ['webhooks taken', webhooks.taken] as const,
    ['webhooks sent again', webhooks.again] as const,
  ];
  const coverage = checkCoverage(history.seconds, new Map(figures));
  const findings = [
    ...checkAnswers(operations),
    ...checkStatus(operations),
    ...compared.findings,
    ...(await checkStoredAnswers(operations, database)),
    ...replay.findings,
    ...mails.findings,
    ...logs.findings,
    ...webhooks.findings,
    ...findingsOf('a hostile tenant harms nobody', history.hostility.findings),
    ...coverage.findings,
  ];
  const acknowledged = [...compared.counts, ...replay.figures].map(([name, count]) => `${count} ${name}`);
  const facts = [
    factOfRequests(history),
    `acknowledged: ${acknowledged.join(', ')}`,
    replay.fact,
    `${logs.followed} events were read by those who followed the logs`,
    `${webhooks.taken} webhooks came, ${webhooks.again} of them came again`,
    factOfHostility(history),
    `${mails.arrived} mails arrived, ${mails.repeated} of them more than once`,
    coverage.fact,
  ];
  return { findings, facts };
}

function factOfRequests({ operations }: History): string {
  const retried = operations.filter(wasTriedAgain);
  const tries = operations.reduce((sum, operation) => sum + operation.tries.length, 0);
  const again = operations.reduce((sum, { answers }) => sum + Math.max(0, answers.length - 1), 0);
  const crossTenant = operations.filter(({ kind }) => kind === 'cross-tenant').length;
  return `${operations.length} operations in ${tries} requests: ${retried.length} were retried, ${again} were answered more than once, ${crossTenant} named data of other accounts`;
}

const factOfHostility = ({ hostility: { sent, unread, asked } }: History): string =>
  `a hostile tenant sent ${sent} odd requests and left ${unread} connections unread, beside ${asked} requests of a bystander`;

/** Selects the texts of all work that is not done yet, or comes due during the checks. */
export const undone = `
  SELECT format('offer %s of account %s ends at %s', b.id, b.account_id, b.expires_at) AS text
    FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id AND w.outcome = 'undecided'
   WHERE b.expires_at < now() + interval '1 hour' AND b.offer_status = 'requesting' AND b.is_active
  UNION ALL
  SELECT format('wager %s of account %s closes at %s', reference, account_id, closes_at) FROM wagers
   WHERE closes_at < now() + interval '1 hour' AND status <> 'closed' AND outcome = 'undecided'
  UNION ALL
  SELECT format('outbox entry %s (%s) of account %s', id, topic, account_id) FROM outbox WHERE done_at IS NULL
  UNION ALL
  SELECT format('wager %s of account %s is settling', reference, account_id) FROM wagers WHERE settling_since IS NOT NULL
  UNION ALL
  SELECT format('webhook endpoint %s of account %s (%s) is at event %s of %s, and %s wait', e.id, e.account_id, e.state, e.cursor_seq,
                h.last_seq, count(d.seq))
    FROM webhook_endpoints e JOIN event_heads h USING (account_id)
         LEFT JOIN webhook_deliveries d ON d.account_id = e.account_id AND d.endpoint_id = e.id
   GROUP BY e.account_id, e.id, h.last_seq HAVING e.cursor_seq < h.last_seq OR count(d.seq) > 0`;

/** No new requests arrive, so the outbox, all settlements and all webhooks must come to an end. */
export async function waitForWork(database: Queryable, patienceMs: number): Promise<Finding[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const texts = await textsIn(database, undone);
    if (texts.length === 0) return [];
    if (performance.now() > deadline) return findingsOf(`all work is done within ${patienceMs / 1_000} s`, texts);
    await delay(POLL_MS);
  }
}

async function auditOf(url: string): Promise<{ readonly findings: readonly Finding[]; readonly verdict: string }> {
  const database = await connectDatabase({ url, connections: 1, onConnectionError: () => undefined });
  try {
    const report = await runAudit(database);
    return {
      findings: findingsOf('the books balance', linesOfDifferences(report.findings)),
      verdict: verdictOf(report),
    };
  } finally {
    await database.disconnect();
  }
}
