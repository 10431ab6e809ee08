// Copies of the sources, in which faults are planted.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../tools/setup/setup.mjs';
import { plantedFaults } from './planted-faults.mjs';

/** @typedef {import('./planted-faults.mjs').Fault} Fault */

const COPIED = [
  ...['apps', 'libs', 'clients', 'prisma', 'proof', 'testing', 'tools', 'docs'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'jest.config.ts', 'prisma.config.ts'],
];
const CONFIGURATION = 'tsconfig.json';
const PROJECTS = ['.', 'apps/console/ui'];

/** Makes the folder. A fault may leave a name without a use there. */
export function copySources(/** @type {string} */ folder) {
  mkdirSync(folder);
  for (const place of COPIED) cpSync(path.join(root, place), path.join(folder, place), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const file = path.join(folder, CONFIGURATION);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/("noUnused\w+"): true/g, '$1: false'));
}

/** False: its place does not occur exactly once in the file. */
export function plant(/** @type {Fault} */ { file, from, to }, /** @type {string} */ folder) {
  const place = path.join(folder, file);
  const text = readFileSync(place, 'utf8');
  if (text.split(from).length !== 2) return false;
  writeFileSync(
    place,
    text.replace(from, () => to),
  );
  return true;
}

/** What the compiler says of the faults, all in one copy; those that overlap others are in a further one. */
export function findUncompiled() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-faults-'));
  try {
    return compile(plantedFaults, path.join(folder, 'copy'));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @returns {string[]} */
function compile(/** @type {readonly Fault[]} */ faults, /** @type {string} */ folder) {
  copySources(folder);
  const left = faults.filter((fault) => !plant(fault, folder));
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const outputs = PROJECTS.flatMap((project) => {
    const args = [compiler, '--noEmit', '-p', project];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? [] : `${stdout}${stderr}` || `the compiler ended with ${status}`;
  });
  return left.length === 0 ? outputs : [...outputs, ...compile(left, `${folder}+`)];
}
