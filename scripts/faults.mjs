// Plants deliberate faults, one after the other, each in a copy of the sources, and runs what has to catch it:
// `npm run faults`, or `npm run faults -- lock` for those whose name holds "lock".

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { plantedFaults } from './planted-faults.mjs';
import { root, runMain, SetupError, setUp } from './setup.mjs';

const STORM_SECONDS = '60';
const COPIED = ['apps', 'libs', 'clients', 'prisma', 'scripts', 'docs'];
const COPIED_FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'jest.config.ts', 'prisma.config.ts'];

await runMain(async () => {
  const [wanted = ''] = process.argv.slice(2);
  const faults = plantedFaults.filter(({ name }) => name.includes(wanted));
  if (faults.length === 0) throw new SetupError(`No fault has "${wanted}" in its name.`);
  await setUp();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-faults-'));
  try {
    const missed = faults.filter((fault, index) => !isCaught(fault, path.join(folder, String(index))));
    console.log(`\n${faults.length - missed.length} of ${faults.length} faults are caught.`);
    return missed.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function isCaught(/** @type {import('./planted-faults.mjs').Fault} */ fault, /** @type {string} */ folder) {
  const startedAt = Date.now();
  copySources(folder);
  plant(fault, folder);
  runNode(folder, ['scripts/build.mjs'], (result) => {
    if (result.status !== 0) throw new SetupError(`With "${fault.name}" nothing is built:\n\n${result.output}`);
  });
  const args =
    fault.caughtBy === 'storm'
      ? ['scripts/storm.mjs', '--seconds', STORM_SECONDS]
      : ['scripts/test.mjs', fault.caughtBy];
  const caught = runNode(folder, args, ({ status }) => status !== 0);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(`${caught ? 'caught' : 'MISSED'}  ${fault.name}  (${fault.caughtBy}, ${seconds} s)`);
  return caught;
}

function copySources(/** @type {string} */ folder) {
  mkdirSync(folder);
  for (const place of [...COPIED, ...COPIED_FILES]) {
    cpSync(path.join(root, place), path.join(folder, place), { recursive: true });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
}

function plant(
  /** @type {import('./planted-faults.mjs').Fault} */ { name, file, from, to },
  /** @type {string} */ folder,
) {
  const place = path.join(folder, file);
  const text = readFileSync(place, 'utf8');
  if (text.split(from).length !== 2) throw new SetupError(`"${name}" has no single place in ${file} any more.`);
  writeFileSync(
    place,
    text.replace(from, () => to),
  );
}

/** @template Result */
function runNode(
  /** @type {string} */ cwd,
  /** @type {string[]} */ args,
  /** @type {(result: { status: number | null, output: string }) => Result} */ judge,
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  return judge({ status, output: `${stdout}${stderr}` });
}
