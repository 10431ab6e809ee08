// Plants deliberate faults, each in its own copy of the sources, and runs the tests that must catch it: `npm run faults`,
// or `npm run faults -- lock key` for those whose name contains "lock" or "key".

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runMain, SetupError, setUp } from '../../tools/setup/setup.mjs';
import { copySources, plant } from './copy.mjs';
import { plantedFaults } from './planted-faults.mjs';

/** @typedef {import('./planted-faults.mjs').Fault} Fault */

const STORM = 'storm';
const STORM_SECONDS = '60';
/** A slow machine must not count as a finding. */
const STORM_PATIENCE = '3';
/** A line of a failed test, or of a storm's finding. */
const FAILURE = /^\s*(?:●|FOUND) +(.*)$/m;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const faults = plantedFaults.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (faults.length === 0) throw new SetupError(`No fault has "${wanted.join('" or "')}" in its name.`);
  await setUp();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-faults-'));
  try {
    await assertSoundSourcesPass(folder, new Set(faults.map(({ caughtBy }) => caughtBy)));
    let caughtCount = 0;
    for (const [index, fault] of faults.entries()) {
      if (await isCaught(fault, path.join(folder, String(index)))) caughtCount += 1;
    }
    console.log(`\n${caughtCount} of ${faults.length} faults are caught.`);
    return caughtCount === faults.length ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** Tests that fail without a fault would seem to catch every fault. */
async function assertSoundSourcesPass(/** @type {string} */ folder, /** @type {Set<string>} */ catchers) {
  const sound = path.join(folder, 'sound');
  await makeCopy(sound);
  const tests = [...catchers].filter((catcher) => catcher !== STORM);
  await assertPasses(sound, tests);
  if (catchers.has(STORM)) await assertPasses(sound, [STORM]);
  rmSync(sound, { recursive: true, force: true, maxRetries: 5 });
}

async function assertPasses(/** @type {string} */ folder, /** @type {string[]} */ catchers) {
  if (catchers.length === 0) return;
  const { status, output } = await runCatchers(folder, catchers);
  if (status !== 0) throw new SetupError(`Without any fault, tests already fail:\n\n${output.slice(-4_000)}`);
  console.log(`sound   passes without a fault  (${catchers.join(', ')})`);
}

async function isCaught(/** @type {Fault} */ fault, /** @type {string} */ folder) {
  const startedAt = Date.now();
  await makeCopy(folder, fault);
  const { status, output } = await runCatchers(folder, [fault.caughtBy]);
  const [, failure] = FAILURE.exec(output) ?? [];
  const isFound = status === 1 && failure !== undefined;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(`${isFound ? 'caught' : 'MISSED'}  ${fault.name}  (${fault.caughtBy}, ${seconds} s)`);
  if (isFound) console.log(`        ${failure}`);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return isFound;
}

async function makeCopy(/** @type {string} */ folder, /** @type {Fault | undefined} */ fault = undefined) {
  copySources(folder);
  if (fault !== undefined && !plant(fault, folder))
    throw new SetupError(`The place of "${fault.name}" does not occur exactly once in ${fault.file}.`);
  // `npm run check` has compiled all faults with their types.
  const { status, output } = await runNode(folder, ['tools/setup/build.mjs', '--unchecked']);
  if (status !== 0) throw new SetupError(`With "${fault?.name}" the build fails:\n\n${output}`);
}

function runCatchers(/** @type {string} */ folder, /** @type {string[]} */ catchers) {
  const storm = ['tools/setup/run.mjs', STORM, '--seconds', STORM_SECONDS, '--patience', STORM_PATIENCE];
  return runNode(folder, catchers.includes(STORM) ? storm : ['tools/setup/test.mjs', ...catchers]);
}

async function runNode(/** @type {string} */ cwd, /** @type {string[]} */ args) {
  stopping.signal.throwIfAborted();
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => child.kill('SIGTERM');
  stopping.signal.addEventListener('abort', stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const [status] = await once(child, 'close');
  stopping.signal.removeEventListener('abort', stop);
  stopping.signal.throwIfAborted();
  return { status, output };
}
