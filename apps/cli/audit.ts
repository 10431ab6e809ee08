import { AUDIT_DEADLINE_MS, type AuditProgress, runAudit } from '#audit/audit.js';
import { differencesIn, textOf } from '#audit/report.js';
import { connectDatabase, disconnectDatabase } from '#platform/database/placement.js';
import { createReads } from '#platform/database/reads.js';
import { StartError } from '#platform/errors/start-error.js';
import { assertMigrated } from '#platform/process/start-checks.js';
import { runCommand } from './run-command.js';

/** The audit has no result: neither that the books balance nor that they differ. */
const COULD_NOT_RUN = 2;
let exitCode = COULD_NOT_RUN;

const USAGE = 'Usage: npm run audit [-- --from ACCOUNT_ID]';

/** The first account to audit; undefined: all. */
function firstAccountOf([option, id, ...more]: readonly string[]): bigint | undefined {
  if (option === undefined) return undefined;
  if (option !== '--from' || !/^\d{1,18}$/.test(id ?? '') || more.length > 0) throw new StartError(USAGE);
  return BigInt(id ?? '');
}

/** An audit of one group is over at once with its report. */
const progressLine = ({ lastAccountId, auditedAccounts, accounts, differing, tookMs }: AuditProgress): string | null =>
  auditedAccounts === accounts
    ? null
    : `${auditedAccounts} of ${accounts} accounts, ${differing} differences, ${(tookMs / 1000).toFixed(1)} s; ` +
      `to go on from here: npm run audit -- --from ${lastAccountId + 1n}`;

await runCommand(async ({ databaseUrl, args, print }) => {
  const fromAccount = firstAccountOf(args);
  await assertMigrated(databaseUrl);
  const database = await connectDatabase({
    url: databaseUrl,
    connections: 1,
    deadlineMs: AUDIT_DEADLINE_MS,
    onConnectionError: () => undefined,
  });
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
    exitCode = differencesIn(report.findings) === 0 ? 0 : 1;
  } finally {
    await reads.close();
    await disconnectDatabase(database);
  }
});
process.exitCode = exitCode;
