// Runs one thing: `node tools/setup/run.mjs NAME [arguments]`. NAME is a developer's tool, a server of apps, or a command
// of apps/cli. Where DATABASE_URL and REDIS_URL are not set, servers and commands use those of the `npm start` that runs on
// the same data folder.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, runMain, SetupError, setUp } from './setup.mjs';

const TOOLS = {
  start: 'tools/launcher/main.js',
  bench: 'tools/bench/main.js',
  demo: 'tools/demo/main.js',
  simulate: 'proof/simulation/main.js',
  storm: 'proof/storm/main.js',
};
const SERVERS = ['api', 'worker', 'dashboard'];
const [name = '', ...args] = process.argv.slice(2);
// Where 1 is an answer, not having come so far is something else.
const failureCode = name === 'audit' ? 2 : 1;

await runMain(async () => {
  await setUp();
  if (name in TOOLS) return runTool();
  if (process.env.NODE_ENV === 'production' && SERVERS.includes(name)) await assertProductionIsWhole();
  const { readRunningServices } = await import('../../build/tools/services/data-folder.js');
  process.env.DATA_DIR = path.resolve(root, process.env.DATA_DIR || '.data');
  const running = readRunningServices(process.env.DATA_DIR);
  process.env.DATABASE_URL ||= running?.databaseUrl ?? '';
  process.env.REDIS_URL ||= running?.redisUrl ?? '';
  if (running !== undefined && process.env.DATABASE_URL === '') {
    throw new SetupError('`npm start` is just starting: try again when it is ready.');
  }
  return SERVERS.includes(name) ? runServer() : runCommand();
}, failureCode);

/** A tool reads its own arguments and starts the services it needs. */
async function runTool() {
  process.argv.splice(2, 1);
  await import(`../../build/${TOOLS[name]}`);
}

/** Nothing stands in for what a production start was not told. */
async function assertProductionIsWhole() {
  const { CONFIG_EXIT_CODE, readConfig } = await import('../../build/libs/platform/config/config.js');
  try {
    readConfig(process.env);
  } catch (error) {
    console.error(error.message);
    process.exit(CONFIG_EXIT_CODE);
  }
}

async function runServer() {
  for (const variable of ['DATABASE_URL', 'REDIS_URL']) {
    if (process.env[variable] === '') {
      throw new SetupError(
        `${variable} is not set, and no \`npm start\` runs on ${process.env.DATA_DIR}: set it, or start that.`,
      );
    }
  }
  await migrate(process.env.DATABASE_URL);
  await import(`../../build/apps/${name}/main.js`);
}

async function runCommand() {
  const file = path.join(root, 'build/apps/cli', `${name}.js`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(file)) throw new SetupError(`There is no part or command "${name}".`);
  return process.env.DATABASE_URL === '' ? withOwnPostgres(() => runFile(file)) : runFile(file);
}

/** Nothing runs: the private PostgreSQL is started just for this command. */
async function withOwnPostgres(/** @type {() => Promise<number>} */ work) {
  const { claimDataFolder } = await import('../../build/tools/services/data-folder.js');
  const { startPrivatePostgres } = await import('../../build/tools/services/private-postgres.js');
  const dataDir = process.env.DATA_DIR;
  const claim = await claimDataFolder(dataDir);
  try {
    const postgres = await startPrivatePostgres({ dataDir: path.join(dataDir, 'postgres'), log: console.error });
    try {
      process.env.DATABASE_URL = postgres.url;
      await migrate(postgres.url);
      return await work();
    } finally {
      await postgres.stop();
    }
  } finally {
    claim.release();
  }
}

async function migrate(/** @type {string} */ databaseUrl) {
  const { applyMigrations } = await import('../../build/libs/platform/database/migrations.js');
  try {
    await applyMigrations(databaseUrl);
  } catch (error) {
    throw new SetupError(
      `The database of DATABASE_URL could not be brought up to date: ${error.message || error.code}`,
    );
  }
}

async function runFile(/** @type {string} */ file) {
  // A Ctrl-C at the terminal reaches the command as well: this process waits for its end, to clean up after it.
  const waitForCommand = () => undefined;
  process.on('SIGINT', waitForCommand);
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? failureCode;
}
