import { type Database, Prisma, type Queryable } from '#database/database.js';
import type { AuditReport, Difference, Finding, Pass } from './check.js';
import { settlingWagers, stateOfBets } from './checks-bets.js';
import { movementsOfBets } from './checks-movements.js';
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
  settlingWagers,
  waitingWork,
  totalsOfAccounts,
];

/** Enough to see what is wrong; the count says how much of it there is. */
const SHOWN_DIFFERENCES = 20;
/** Far more than the largest ledger needs; what takes longer is stuck. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const AUDIT_TIMEOUT_MS = 2 * 60 * 60_000;
const CONNECTION_WAIT_MS = 10_000;

/**
 * Few large sums instead of many small look-ups: memory to hash in, and no plan that would look up row by row because
 * what is known of the tables is old. One process only: more of them would each build the same hash tables, and
 * somebody may be betting meanwhile.
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
 * Compares all that the ledger keeps with what its facts say. Everything is read in one snapshot, so it is exact while
 * others write, and neither waits for anybody nor lets anybody wait.
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

/** The same on what one open transaction sees. It can write no more afterwards. */
export async function auditSnapshot(snapshot: Queryable): Promise<Finding[]> {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  await snapshot.$queryRawUnsafe(`SELECT ${calls.join(', ')}`);
  const findings: Finding[] = [];
  for (const pass of passes) findings.push(...(await look(snapshot, pass)));
  return findings;
}

/** Counts first, without making a text; only where something differs, the rows are gone through again to say what. */
async function look(snapshot: Queryable, pass: Pass): Promise<Finding[]> {
  const { things, rows, checks } = pass;
  const counts = checks.map(({ column }) => `count(${column}) AS ${column}`).join(', ');
  const [counted] = await snapshot.$queryRawUnsafe<[Record<string, bigint>]>(
    `SELECT count(*) AS compared, ${counts} FROM (${rows}) compared`,
  );
  const findings = checks.map(({ name, column }) => ({ name, column, differing: Number(counted[column]) }));
  const shown = findings.some(({ differing }) => differing > 0) ? await show(snapshot, pass) : [];
  return findings.map(({ name, column, differing }) => ({
    name,
    things,
    compared: Number(counted.compared),
    differing,
    differences: shown.filter((difference) => difference.column === column),
  }));
}

/** The first differences of each check. */
function show(snapshot: Queryable, { rows, checks }: Pass): Promise<(Difference & { readonly column: string })[]> {
  const texts = checks.map(({ column }) => `('${column}', ${column})`).join(', ');
  return snapshot.$queryRawUnsafe(`
    SELECT "column", account_id AS "accountId", subject, text
      FROM (SELECT said."column", account_id, subject, said.text,
                   row_number() OVER (PARTITION BY said."column" ORDER BY account_id, id) AS place
              FROM (${rows}) compared CROSS JOIN LATERAL (VALUES ${texts}) said ("column", text)
             WHERE said.text IS NOT NULL) listed
     WHERE place <= ${SHOWN_DIFFERENCES} ORDER BY "column", place`);
}
