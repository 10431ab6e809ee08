import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { LONG_TESTS } from './long-tests.mjs';
import { makeRunFolder } from './run-folder.mjs';
import { root, SetupError } from './setup.mjs';

/** @typedef {{ file: string, passed: number, failed: number, skipped: number }} FileResult */
/** @typedef {{ code: number, results: FileResult[] }} Run */

/**
 * They measure seconds or milliseconds, and a machine that others use can stand still as long. When these alone fail, they run
 * once more, alone, with the same choices made by chance. No other test file has a second run.
 */
const MEASURES_TIME = [
  'apps/api/routes/events/stream',
  'apps/api/test/large-requests',
  'apps/api/test/login-flood',
  'apps/api/test/silence',
  'apps/api/test/take-over',
  'apps/console/test/health',
  'apps/console/test/pages',
  'apps/console/test/wagers',
  'apps/worker/test/redis-cluster',
  'libs/platform/database/timed-client',
].map((name) => `/${name}.test.`);
/** fast-check's seeds have 32 bits and a sign. */
const HIGHEST_SEED = 2 ** 31 - 1;

/** The exit code of a run that was stopped. */
const STOPPED = 130;
const STOP_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** All test files, also the long ones. */
const ALL = '--all';

/** Returns the exit code. All temporary files are in one folder, which a run that is stopped deletes too. */
export async function runTests(/** @type {string[]} */ given, config = 'build/jest.config.js') {
  const seed = readSeed();
  const args = given.filter((arg) => arg !== ALL);
  const left = given.length === 0 ? withoutLong : [];
  const folder = makeRunFolder();
  try {
    const run = (/** @type {string[]} */ more) => runJest(['--config', config, ...left, ...more], { seed, folder });
    return summarize(
      await runOnceOrTwice(run, args),
      `TEST_SEED=${seed} npm ${given.includes(ALL) ? 'run test:all' : 'test'}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const withoutLong = LONG_TESTS.map((name) => {
  if (!existsSync(path.join(root, `${name}.test.ts`)))
    throw new SetupError(`long-tests.mjs names ${name}, which is no test.`);
  return `--testPathIgnorePatterns=/${name}\\.test\\.`;
});

/** @returns {Promise<Run>} */
async function runOnceOrTwice(/** @type {(args: string[]) => Promise<Run>} */ run, /** @type {string[]} */ args) {
  const first = await run(args);
  const failed = first.results.filter((each) => each.failed > 0).map(({ file }) => file);
  const measureTime = failed.every((file) => MEASURES_TIME.some((name) => file.includes(name)));
  if (args.length > 0 || first.code !== 1 || failed.length === 0 || !measureTime) return first;

  const list = failed.map((file) => `  ${path.relative(root, file)}`).join('\n');
  console.log(`\nOnce more, alone, for they measure time:\n${list}\n`);
  const again = await run(['--maxWorkers=1', '--runTestsByPath', ...failed]);
  const others = first.results.filter(({ file }) => !failed.includes(file));
  return { code: again.code, results: [...others, ...again.results] };
}

/** Of the choices that tests make by chance (`testing/test-seed.ts`, and fast-check's). */
function readSeed() {
  const { TEST_SEED: given } = process.env;
  if (given === undefined) return String(randomInt(HIGHEST_SEED));
  if (/^\d+$/.test(given) && Number(given) <= HIGHEST_SEED) return given;
  throw new SetupError(`TEST_SEED must be a whole number from 0 to ${HIGHEST_SEED}.`);
}

/** @returns {Promise<Run>} */
async function runJest(/** @type {string[]} */ args, /** @type {{ seed: string, folder: string }} */ { seed, folder }) {
  const file = path.join(folder, 'results.json');
  rmSync(file, { force: true });
  const jest = [path.join(root, 'node_modules/jest/bin/jest.js'), ...args];
  const env = { ...process.env, TMPDIR: folder, TEST_RESULTS_FILE: file, TEST_SEED: seed };
  // In a session of its own: a Ctrl-C at the terminal reaches this process alone, which stops all in order.
  const child = spawn(process.execPath, jest, { cwd: root, stdio: 'inherit', env, detached: true });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill('SIGTERM'); // Jest's global setup stops its services
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const [code] = await once(child, 'exit');
  for (const signal of STOP_SIGNALS) process.off(signal, stop);
  if (isStopped) killRest(child.pid);
  return { code: isStopped ? STOPPED : (code ?? 1), results: readResults(file) };
}

/** The processes that ran test files, and what they started; servers end with them. */
function killRest(/** @type {number | undefined} */ group) {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL');
  } catch {
    // All have ended.
  }
}

/** @returns {FileResult[]} None of a run that was stopped. */
function readResults(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}

/** Prints the counts as the last line. */
function summarize(/** @type {Run} */ { code, results }, /** @type {string} */ again) {
  const count = (/** @type {'passed' | 'failed' | 'skipped'} */ kind) =>
    results.reduce((sum, result) => sum + result[kind], 0);
  const skipped = count('skipped');
  const counts = [`${count('passed')} passed`, `${count('failed')} failed`];
  if (skipped > 0) counts.push(`${skipped} skipped`);
  if (code !== 0) console.log(`The same choices once more: ${again}`);
  console.log(counts.join(', '));
  return code;
}
