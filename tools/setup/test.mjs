// Runs the compiled tests: `npm test`, or `npm test -- users` for those whose path holds "users". The last line counts them.
//
// Many tests break a part and hold the others to time limits, and a machine that others use can stand still at such a moment.
// So when all tests ran and few files failed, these run once more, alone, and the second result counts. They are named at the
// end: a test that fails beside others has a fault, or the product has one.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, runMain, setUp } from './setup.mjs';

/** @typedef {{ file: string, passed: number, failed: number, skipped: number }} FileResult */

/** With more, the fault is not the machine's. */
const MOST_FILES_RUN_AGAIN = 3;

await runMain(async () => {
  await setUp();
  // A Ctrl-C at the terminal reaches Jest too, which stops the services of its setup.
  process.on('SIGINT', () => undefined);
  const args = process.argv.slice(2);
  const { code, results } = await runJest(args);
  const failed = results.filter((each) => each.failed > 0).map(({ file }) => file);
  const isSecondRunDue = args.length === 0 && code === 1 && failed.length > 0 && failed.length <= MOST_FILES_RUN_AGAIN;
  if (!isSecondRunDue) return summarize(results, code);

  console.log(`\nOnce more, alone:\n${list(failed)}\n`);
  const again = await runJest(['--maxWorkers=1', '--runTestsByPath', ...failed]);
  const passedAlone = again.results.filter((each) => each.failed === 0).map(({ file }) => file);
  if (passedAlone.length > 0) {
    console.log(`\nFailed beside the others (above), passed alone; find out why:\n${list(passedAlone)}\n`);
  }
  return summarize([...results.filter(({ file }) => !failed.includes(file)), ...again.results], again.code);
});

/** @returns {Promise<{ code: number, results: FileResult[] }>} */
async function runJest(/** @type {string[]} */ args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'betting-ledger-results-'));
  const file = path.join(folder, 'results.json');
  try {
    const jest = [path.join(root, 'node_modules/jest/bin/jest.js'), '--config', 'build/jest.config.js', ...args];
    const env = { ...process.env, TEST_RESULTS_FILE: file };
    const child = spawn(process.execPath, jest, { cwd: root, stdio: 'inherit', env });
    const stop = () => child.kill('SIGTERM');
    process.on('SIGTERM', stop);
    const [code] = await once(child, 'exit');
    process.off('SIGTERM', stop);
    return { code: code ?? 1, results: readResults(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
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

function list(/** @type {string[]} */ files) {
  return files.map((file) => `  ${path.relative(root, file)}`).join('\n');
}

/** Prints the counts as the last line. */
function summarize(/** @type {FileResult[]} */ results, /** @type {number} */ code) {
  const count = (/** @type {'passed' | 'failed' | 'skipped'} */ kind) =>
    results.reduce((sum, result) => sum + result[kind], 0);
  const skipped = count('skipped');
  const counts = [`${count('passed')} passed`, `${count('failed')} failed`];
  if (skipped > 0) counts.push(`${skipped} skipped`);
  console.log(counts.join(', '));
  return code;
}
