import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { applyMigrations, distributeDatabase } from '#platform/database/migrations.js';
import { readOptions as readDemoOptions } from '#tools/demo/options.js';
import { runDemo } from '#tools/demo/run.js';
import { formCluster } from '#tools/services/citus-databases.js';
import { claimDataFolder } from '#tools/services/data-folder.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { compareWithAll } from './coverage.js';
import { proveEvents } from './events.js';
import { openAccounts, proveOutage, proveRebalance } from './faults.js';
import { type ProofLedger, type Setting, withCitusDatabase, withLedger } from './ledger-on-citus.js';
import type { Step } from './options.js';
import { commandLine } from './record.js';

/** The state of an earlier release, which is distributed before the later migrations. */
const EARLIER = '20261130000000_baseline';
const OF_EARLIER_FUNCTIONS = `COMMENT ON FUNCTION load_group IS 'Made from prisma/functions: of an earlier version'`;

/**
 * Patterns for the names of the test files that together run every route, command and job. `--tests` runs others on the
 * cluster; some of them are about one PostgreSQL, or write rows by SQL that Citus cannot plan.
 */
const testsOnCitus: readonly string[] = [
  'apps/api/openapi/answers',
  // Who may enter is changed on the coordinator.
  'apps/api/routes/(accounts|admin/(end|update)|api-keys|sessions|webhook-endpoints)',
  'apps/api/test/(idempotency|isolation|large-requests|settlement-bound|tenants)',
  'apps/cli/',
  'apps/worker/sweep',
  'apps/worker/test/(audit|exports-in-turn|https-webhooks|mail|previews|settlement|traces)',
];

const proofs: Record<Step, (setting: Setting) => Promise<readonly string[]>> = {
  migrations: (setting) => withCitusDatabase(setting, (url) => proveMigrations(setting, url)),
  tests: (setting) => withCitusDatabase(setting, (url, workers) => proveTests(setting, url, workers)),
  demo: onLedger(proveDemo),
  filled: (setting) => withCitusDatabase(setting, (url, workers) => proveFilled(setting, url, workers), true),
  outage: onLedger(async (setting, ledger) => proveOutage(setting, ledger, await openAccounts(ledger.apiUrl))),
  events: onLedger(async (setting, ledger) => proveEvents(setting, ledger, await openAccounts(ledger.apiUrl))),
  rebalance: onLedger(async (setting, ledger) => proveRebalance(setting, ledger, await openAccounts(ledger.apiUrl))),
};

function onLedger(prove: (setting: Setting, ledger: ProofLedger) => Promise<readonly string[]>) {
  return (setting: Setting) =>
    withCitusDatabase(setting, (url) => withLedger(setting, url, (ledger) => prove(setting, ledger)));
}

/** Returns whether all steps found nothing wrong. */
export async function runProof(setting: Setting): Promise<boolean> {
  const { options, print } = setting;
  let isSound = true;
  for (const step of options.steps) {
    print(`\n${step}`);
    const faults = await proofs[step](setting);
    for (const fault of faults) print(`  ${fault}`);
    print(faults.length === 0 ? `${step}: nothing is wrong.` : `${step}: ${faults.length} faults.`);
    isSound &&= faults.length === 0;
  }
  return isSound;
}

const columnsOf = (url: string) =>
  withPostgresClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ columns: string }>(`
      SELECT string_agg(table_name || '.' || column_name || ' ' || data_type, ', ' ORDER BY table_name, column_name) AS columns
        FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name IN (SELECT relname FROM pg_class WHERE relkind = 'r')`);
    return rows[0]?.columns;
  });

/** All at once, and later migrations and functions on a cluster that an earlier release has distributed: the same result. */
async function proveMigrations(setting: Setting, url: string): Promise<string[]> {
  await applyMigrations(url);
  const once = await columnsOf(url);
  const again = await distributeDatabase(url, () => undefined);
  const later = await withCitusDatabase(setting, async (other) => {
    await applyMigrations(other, { until: EARLIER });
    await withPostgresClient({ connectionString: other }, (client) => client.query(OF_EARLIER_FUNCTIONS));
    const applied = await applyMigrations(other);
    setting.print(`Applied to a cluster distributed before: ${applied.join(', ')}.`);
    return columnsOf(other);
  });
  return [
    ...(later === once ? [] : ['later migrations give other tables']),
    ...(again === 0 ? [] : ['a second distribution changes something']),
  ];
}

/** The name of a command of `apps/cli`, and its options. */
type Command = readonly [name: string, ...args: string[]];

/** Runs it as a process, and returns what it printed. */
async function runCommand({ env }: Setting, command: Command, databaseUrl: string): Promise<string> {
  const [name, ...args] = command;
  const file = fileURLToPath(new URL(`../../apps/cli/${name}.js`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    env: { ...env, DATABASE_URL: databaseUrl },
  });
  return stdout;
}

/** The tests of the API, the commands and the worker; together they must run all there is. */
async function proveTests(setting: Setting, url: string, workers: readonly string[]): Promise<string[]> {
  const { options, env, print } = setting;
  const script = fileURLToPath(new URL('../../../tools/setup/test.mjs', import.meta.url));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-record-'));
  const recordFile = path.join(folder, 'record');
  try {
    const commands: Command[] = [['migrate'], ['migrate', '--functions'], ['distribute']];
    for (const command of commands) print((await runCommand(setting, command, url)).trim());
    const settings = {
      ...env,
      DATABASE_URL: url,
      TEST_CITUS_NODES: workers.join(','),
      TEST_RECORD_FILE: recordFile,
    };
    const args = options.tests === undefined ? testsOnCitus : [options.tests];
    const child = spawn(process.execPath, [script, ...args], { env: settings, stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    const failed = code === 0 ? [] : ['tests failed'];
    if (options.tests !== undefined) return failed;
    const recorded = (await readFile(recordFile, 'utf8')).trimEnd().split('\n');
    const { figures, faults } = compareWithAll([
      ...commands.map(([name, ...args]) => commandLine(name, args)),
      ...recorded,
    ]);
    print(`Ran with success: ${figures}.`);
    return [...failed, ...faults];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A database that was in use becomes a cluster, and is used again. */
async function proveFilled(setting: Setting, url: string, workers: readonly string[]): Promise<string[]> {
  const before = await withLedger(setting, url, (ledger) => proveDemo(setting, ledger));
  await formCluster(url, workers);
  setting.print((await runCommand(setting, ['distribute'], url)).trim());
  return [...before, ...(await withLedger(setting, url, (ledger) => proveDemo(setting, ledger)))];
}

async function proveDemo({ stopping, env }: Setting, ledger: ProofLedger): Promise<string[]> {
  const claim = await claimDataFolder(ledger.folder);
  const { databaseUrl, redisUrl, apiUrl } = ledger;
  claim.publish({ databaseUrl, redisUrl, apiUrl, dashboardUrl: apiUrl, workerMetricsUrl: apiUrl });
  const where = { dataDir: ledger.folder, path: env.PATH, screen: process.stdout, stopping };
  return (await runDemo({ options: readDemoOptions([]), ...where })) ? [] : ['the demo found faults'];
}
