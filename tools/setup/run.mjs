// `node tools/setup/run.mjs NAME [arguments]` runs a tool, a server of apps/, or a command of apps/cli. Servers and commands
// use the services of DATABASE_URL and REDIS_URL; without these, those of an `npm start` that runs on the same data folder.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, runMain, SetupError, setUp } from './setup.mjs';

const TOOLS = {
  start: 'tools/launcher/main.js',
  bench: 'tools/bench/main.js',
  demo: 'tools/demo/main.js',
  screenshots: 'tools/screenshots/main.js',
  simulate: 'proof/simulation/main.js',
  storm: 'proof/storm/main.js',
  nights: 'proof/nights/main.js',
  'proof-citus': 'proof/citus/main.js',
};
/** With the folders of their main files. */
const SERVERS = new Map([
  ['api', 'api'],
  ['worker', 'worker'],
  ['dashboard', 'console'],
]);
const [name = '', ...args] = process.argv.slice(2);
// The audit exits with 1 when the books differ, so its other failures have a code of their own.
const failureCode = name === 'audit' ? 2 : 1;

await runMain(async () => {
  await setUp();
  if (Object.hasOwn(TOOLS, name)) return runTool();
  return SERVERS.has(name) ? runServer() : runCommand();
}, failureCode);

/** A tool reads its own arguments and starts the services that it needs. */
async function runTool() {
  process.argv.splice(2, 1);
  process.env.DATA_DIR = dataFolder();
  await import(`../../build/${TOOLS[name]}`);
}

async function runServer() {
  if (process.env.NODE_ENV === 'production') await assertProductionConfig();
  const { dataDir, databaseUrl } = await useRunningServices();
  for (const variable of ['DATABASE_URL', 'REDIS_URL']) {
    if (process.env[variable] === '') {
      throw new SetupError(`${variable} is not set, and no \`npm start\` runs on ${dataDir}: set it, or start that.`);
    }
  }
  await migrate(databaseUrl);
  await import(`../../build/apps/${SERVERS.get(name)}/main.js`);
}

async function runCommand() {
  const file = path.join(root, 'build/apps/cli', `${name}.js`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(file)) throw new SetupError(`There is no part or command "${name}".`);
  const { dataDir, databaseUrl } = await useRunningServices();
  return databaseUrl === '' ? withPrivatePostgres(dataDir, () => runFile(file)) : runFile(file);
}

/** A production server must have its own configuration: it never uses the services of an `npm start`. */
async function assertProductionConfig() {
  const { CONFIG_EXIT_CODE, readConfig } = await import('../../build/libs/platform/config/config.js');
  try {
    readConfig(process.env);
  } catch (error) {
    console.error(error.message);
    process.exit(CONFIG_EXIT_CODE);
  }
}

function dataFolder() {
  return path.resolve(root, process.env.DATA_DIR || '.data');
}

/** Fills DATABASE_URL, REDIS_URL and API_URL, where unset, from the running `npm start`; empty when none runs. */
async function useRunningServices() {
  const { readRunningServices } = await import('../../build/tools/services/data-folder.js');
  const dataDir = dataFolder();
  const running = await readRunningServices(dataDir);
  const databaseUrl = process.env.DATABASE_URL || running?.databaseUrl || '';
  if (running !== undefined && databaseUrl === '') {
    throw new SetupError('`npm start` is just starting: try again when it is ready.');
  }
  // Only with the database that it owns.
  if (!process.env.DATABASE_URL) process.env.MIGRATE_DATABASE_URL = running?.ownerUrl ?? '';
  const redisUrl = process.env.REDIS_URL || running?.redisUrl || '';
  const apiUrl = process.env.API_URL || running?.apiUrl || '';
  Object.assign(process.env, { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, API_URL: apiUrl });
  return { dataDir, databaseUrl };
}

/** Starts the private PostgreSQL for one command. */
async function withPrivatePostgres(/** @type {string} */ dataDir, /** @type {() => Promise<number>} */ work) {
  const { claimDataFolder } = await import('../../build/tools/services/data-folder.js');
  const { startPrivatePostgres } = await import('../../build/tools/services/private-postgres.js');
  const claim = await claimDataFolder(dataDir);
  try {
    const postgres = await startPrivatePostgres({ dataDir: path.join(dataDir, 'postgres'), log: console.error });
    try {
      process.env.DATABASE_URL = postgres.url;
      await migrate(postgres.url, { replacesLater: true });
      return await work();
    } finally {
      await postgres.stop();
    }
  } finally {
    claim.release();
  }
}

async function migrate(/** @type {string} */ databaseUrl, /** @type {{ replacesLater?: boolean }} */ options = {}) {
  const { admitApplication, applyMigrations } = await import('../../build/libs/platform/database/migrations.js');
  const ownerUrl = process.env.MIGRATE_DATABASE_URL;
  try {
    // Past a pooler: the lock of a migration belongs to a connection.
    await applyMigrations(ownerUrl || process.env.DATABASE_LISTEN_URL || databaseUrl, options);
    if (ownerUrl) await admitApplication(ownerUrl, databaseUrl);
    process.env.MIGRATE_DATABASE_URL = '';
  } catch (error) {
    throw new SetupError(
      `The database of DATABASE_URL could not be brought up to date: ${error.message || error.code}`,
    );
  }
}

async function runFile(/** @type {string} */ file) {
  // A Ctrl-C at the terminal reaches the command too: this process waits for its end, and then cleans up.
  const waitForCommand = () => undefined;
  process.on('SIGINT', waitForCommand);
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? failureCode;
}
