// Plants deliberate faults, one after the other, in a copy of the sources, and runs the tests that must catch each:
// `npm run faults`, or `npm run faults -- lock key` for those whose name contains "lock" or "key".

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runMain, SetupError, setUp } from '../../tools/setup/setup.mjs';
import { compileFile, copySources, plant } from './copy.mjs';
import { plantedFaults } from './planted-faults.mjs';

/** @typedef {import('./planted-faults.mjs').Fault} Fault */

const STORM_SECONDS = '60';
/** A slow machine must not count as a finding. */
const STORM_PATIENCE = '3';
/** A line of a failed test, or of a storm's finding. */
const FAILURE = /^\s*(?:●|FOUND) +(.*)$/m;
/** What Jest says of a test file that it could not load, which tells nothing of the tests. */
const NOT_LOADED = 'Test suite failed to run';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const faults = plantedFaults.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (faults.length === 0) throw new SetupError(`No fault has "${wanted.join('" or "')}" in its name.`);
  await setUp();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-faults-'));
  const copy = path.join(folder, 'copy');
  try {
    copySources(copy);
    const { status, output } = await runNode(copy, ['tools/setup/build.mjs']);
    if (status !== 0) throw new SetupError(`The build of a copy fails:\n\n${output}`);
    await assertSoundSourcesPass(copy, new Set(faults.map(({ caughtBy }) => caughtBy)));
    let caughtCount = 0;
    for (const fault of faults) if (await isCaught(fault, copy)) caughtCount += 1;
    console.log(`\n${caughtCount} of ${faults.length} faults are caught.`);
    return caughtCount === faults.length ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

/** Tests that fail without a fault would seem to catch every fault. */
async function assertSoundSourcesPass(/** @type {string} */ copy, /** @type {Set<string>} */ catchers) {
  for (const catcher of catchers) {
    const { status, output } = await runCatcher(copy, catcher);
    if (status !== 0) throw new SetupError(`Without any fault, ${catcher} already fails:\n\n${output.slice(-4_000)}`);
    console.log(`sound   passes without a fault  (${catcher})`);
  }
}

async function isCaught(/** @type {Fault} */ fault, /** @type {string} */ copy) {
  const startedAt = Date.now();
  const place = path.join(copy, fault.file);
  const sound = readFileSync(place, 'utf8');
  if (!plant(fault, copy))
    throw new SetupError(`The place of "${fault.name}" does not occur exactly once in ${fault.file}.`);
  await compileFile(fault.file, copy);
  const { status, output } = await runCatcher(copy, fault.caughtBy);
  writeFileSync(place, sound);
  await compileFile(fault.file, copy);
  const [, failure] = FAILURE.exec(output) ?? [];
  const isFound = status === 1 && failure !== undefined && failure !== NOT_LOADED;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(`${isFound ? 'caught' : 'MISSED'}  ${fault.name}  (${fault.caughtBy}, ${seconds} s)`);
  if (isFound) console.log(`        ${failure}`);
  return isFound;
}

function runCatcher(/** @type {string} */ copy, /** @type {string} */ catcher) {
  const storm = ['tools/setup/run.mjs', 'storm', '--seconds', STORM_SECONDS, '--patience', STORM_PATIENCE];
  return runNode(copy, catcher === 'storm' ? storm : ['tools/setup/test.mjs', catcher]);
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
