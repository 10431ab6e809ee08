import { parseArgs } from 'node:util';
import { AUDIT_DEADLINE_MS, type AuditProgress, runAudit } from '#audit/audit.js';
import { type AuditedAccounts, writeCommandAudits } from '#audit/command-audits.js';
import { differencesIn, textOf } from '#audit/report.js';
import type { Database } from '#platform/database/database.js';
import { connectDatabase } from '#platform/database/database.js';
import { createReads } from '#platform/database/reads.js';
import { StartError } from '#platform/errors/start-error.js';
import { assertMigrated } from '#platform/process/start-checks.js';
import { CORRECTION_USAGE, correctionAsked, runCorrection } from './correction.js';
import { type CommandContext, runCommand } from './run-command.js';

/** The audit has no result: neither that the books balance nor that they differ. */
const COULD_NOT_RUN = 2;
let exitCode = COULD_NOT_RUN;

const USAGE = `Usage: npm run audit [-- --from ACCOUNT_ID]
       ${CORRECTION_USAGE}`;

const OPTIONS = {
  from: { type: 'string' },
  correct: { type: 'boolean' },
  account: { type: 'string' },
  user: { type: 'string' },
  keep: { type: 'string' },
  reason: { type: 'string' },
} as const;

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch {
    throw new StartError(USAGE);
  }
}

/** The first account to audit; undefined: all. */
function firstAccountOf({ from, ...more }: ReturnType<typeof valuesOf>): bigint | undefined {
  if (Object.keys(more).length > 0) throw new StartError(USAGE);
  if (from === undefined) return undefined;
  if (!/^\d{1,18}$/.test(from)) throw new StartError(USAGE);
  return BigInt(from);
}

/** An audit of one group is over at once with its report. */
const progressLine = ({ lastAccountId, auditedAccounts, accounts, differing, tookMs }: AuditProgress): string | null =>
  auditedAccounts === accounts
    ? null
    : `${auditedAccounts} of ${accounts} accounts, ${differing} differences, ${(tookMs / 1000).toFixed(1)} s; ` +
      `to continue from here: npm run audit -- --from ${lastAccountId + 1n}`;

/** For the console and the API. What the audit has found stands all the same. */
async function record(audited: readonly AuditedAccounts[]): Promise<void> {
  await writeCommandAudits(audited).catch((error: unknown) => {
    process.stderr.write(`The verdict was not recorded: ${error instanceof Error ? error.message : String(error)}\n`);
  });
}

async function audit(database: Database, fromAccount: bigint | undefined, print: CommandContext['print']) {
  // Only the full audit: it is by far the longest read.
  const reads = createReads({
    primary: database,
    standbyUrl: process.env.READ_DATABASE_URL || undefined,
    connections: 1,
    deadlineMs: AUDIT_DEADLINE_MS,
  });
  try {
    const onProgress = (progress: AuditProgress) => {
      const line = progressLine(progress);
      if (line !== null) print(line);
    };
    const report = await runAudit(database, {
      ...(fromAccount !== undefined && { fromAccount }),
      onProgress,
      read: reads.run,
    });
    print(textOf(report));
    await record(report.audited);
    return differencesIn(report.findings) === 0 ? 0 : 1;
  } finally {
    await reads.close();
  }
}

await runCommand(async ({ databaseUrl, args, print }) => {
  const values = valuesOf(args);
  const correction = correctionAsked(values, USAGE);
  const fromAccount = correction === undefined ? firstAccountOf(values) : undefined;
  await assertMigrated(databaseUrl);
  const database = await connectDatabase({
    url: databaseUrl,
    connections: 1,
    // A correction holds locks that bets wait for.
    ...(correction === undefined && { deadlineMs: AUDIT_DEADLINE_MS }),
    onConnectionError: () => undefined,
  });
  try {
    if (correction === undefined) exitCode = await audit(database, fromAccount, print);
    else {
      print(await runCorrection(database, correction));
      exitCode = 0;
    }
  } finally {
    await database.disconnect();
  }
});
process.exitCode = exitCode;
