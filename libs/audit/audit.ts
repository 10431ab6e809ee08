import { type Database, Prisma, type Queryable } from '#platform/database/database.js';
import type { AuditReport, Check, Finding, Pass } from './check.js';
import { effectsOfAnswers } from './checks-answers.js';
import { settlingWagers, stateOfBets } from './checks-bets.js';
import { movementsOfBets } from './checks-movements.js';
import { partsOfOffers } from './checks-parts.js';
import { totalsOfAccounts } from './checks-totals.js';
import { trailsOfBets } from './checks-trails.js';
import { moneyOfUsers, positionsOfUsers } from './checks-users.js';
import { waitingWork } from './checks-work.js';

const passes: readonly Pass[] = [
  moneyOfUsers,
  positionsOfUsers,
  stateOfBets,
  movementsOfBets,
  trailsOfBets,
  partsOfOffers,
  effectsOfAnswers,
  settlingWagers,
  waitingWork,
  totalsOfAccounts,
];

/** Enough to see the fault; the count says how many there are. */
const SHOWN_DIFFERENCES = 20;
/** Far more than the largest ledger needs: a longer statement is stuck. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const AUDIT_TIMEOUT_MS = 2 * 60 * 60_000;
const CONNECTION_WAIT_MS = 10_000;

/**
 * The audit computes few large sums instead of many small look-ups. It needs memory for hash tables, and no nested loops,
 * which old statistics would suggest. It uses one process, because parallel ones would each build the same hash tables
 * while the service works.
 */
const settings = {
  transaction_read_only: 'on',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  work_mem: '128MB',
  enable_nestloop: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
} as const;

/**
 * Compares all figures that the ledger stores with the facts they derive from. It reads one snapshot, so it is exact while
 * others write, takes no locks and waits for none.
 */
export async function runAudit(database: Database): Promise<AuditReport> {
  const startedAt = performance.now();
  const findings = await database.$transaction(auditSnapshot, {
    isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
    maxWait: CONNECTION_WAIT_MS,
    timeout: AUDIT_TIMEOUT_MS,
  });
  return { findings, tookMs: Math.round(performance.now() - startedAt) };
}

/** Audits the snapshot of an open transaction, which becomes read-only. */
export async function auditSnapshot(snapshot: Queryable): Promise<Finding[]> {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  await snapshot.$queryRawUnsafe(`SELECT ${calls.join(', ')}`);
  const findings: Finding[] = [];
  for (const pass of passes) findings.push(...(await runPass(snapshot, pass)));
  return findings;
}

interface CheckRow {
  readonly column: string;
  readonly compared: bigint;
  readonly differing: bigint;
  /** The first ones only. */
  readonly differences: readonly { readonly account: string; readonly subject: string; readonly text: string }[] | null;
}

async function runPass(snapshot: Queryable, { things, rows, checks }: Pass): Promise<Finding[]> {
  const results = await snapshot.$queryRawUnsafe<CheckRow[]>(passQuery(rows, checks));
  return checks.map(({ name, column }) => {
    const { compared, differing, differences } = results.find((each) => each.column === column) as CheckRow;
    return {
      name,
      things,
      compared: Number(compared),
      differing: Number(differing),
      differences: (differences ?? []).map(({ account, ...rest }) => ({ accountId: BigInt(account), ...rest })),
    };
  });
}

/** Computes each row once. All rows without a difference collapse into one that counts them, so only others use memory. */
function passQuery(rows: string, checks: readonly Check[]): string {
  const columns = checks.map(({ column }) => column);
  const texts = columns.map((column) => `('${column}', ${column})`).join(', ');
  const isWrong = `num_nonnulls(${columns.join(', ')}) > 0`;
  return `
    WITH compared AS MATERIALIZED (
      SELECT CASE WHEN ${isWrong} THEN account_id END AS account_id, CASE WHEN ${isWrong} THEN id END AS id,
             CASE WHEN ${isWrong} THEN subject END AS subject, ${columns.join(', ')}, count(*) AS rows
        FROM (${rows} OFFSET 0) looked GROUP BY 1, 2, 3, ${columns.join(', ')}),
    listed AS (
      SELECT said."column", account_id, id, subject, said.text, rows,
             row_number() OVER (PARTITION BY said."column" ORDER BY account_id, id) AS place
        FROM compared CROSS JOIN LATERAL (VALUES ${texts}) said ("column", text) WHERE said.text IS NOT NULL)
    SELECT known."column", (SELECT coalesce(sum(rows), 0)::bigint FROM compared) AS compared,
           coalesce(sum(rows), 0)::bigint AS differing,
           jsonb_agg(jsonb_build_object('account', account_id::text, 'subject', subject, 'text', text) ORDER BY place)
             FILTER (WHERE place <= ${SHOWN_DIFFERENCES}) AS differences
      FROM unnest('{${columns.join()}}'::text[]) known ("column") LEFT JOIN listed ON listed."column" = known."column"
     GROUP BY known."column"`;
}
