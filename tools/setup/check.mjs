// Checks all that must hold besides the tests. Prints a line for each step; exits with 1 when one fails.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findUncompiled } from '../../proof/faults/copy.mjs';
import { plantedFaults } from '../../proof/faults/planted-faults.mjs';
import { findWrongArrows } from '../check/areas.mjs';
import { root, runMain, setUp } from './setup.mjs';

const CODE = ['apps', 'libs', 'clients', 'proof', 'testing', 'tools'];

/** Each step returns a description of the faults; empty without any. @type {[string, () => Promise<string> | string][]} */
const steps = [
  [
    'format, lint and import circles (biome)',
    () => runNode('node_modules/@biomejs/biome/bin/biome', ['ci', '--colors=off', '.']),
  ],
  ['imports point one way between areas', () => findWrongArrows(root).join('\n')],
  [
    'functions and files are short enough',
    async () => {
      const { findTooLong } = await import('../check/limits.mjs'); // needs a package, so after the setup
      return sourceFiles()
        .flatMap((file) => findTooLong(file))
        .join('\n');
    },
  ],
  ['no name is exported with two meanings', findRepeated],
  ['no marks of unfinished work', findMarks],
  [
    'packages have hashes; image and compose hold only what they need',
    () => runNode('build/tools/check/check-supply.js', []),
  ],
  [
    'the client and the document agree with the endpoints',
    () => runNode('build/tools/client/generate-client.js', ['--check']),
  ],
  ['each planted fault has its place and its tests', findLostFaults],
  ['each planted fault compiles', () => findUncompiled().join('\n')],
  ['dist holds the product alone', findForeignFiles],
  ['migrations and functions build prisma/schema.prisma and prisma/catalogue.txt', checkMigrations],
];

await runMain(async () => {
  await setUp(); // types are checked by the build
  console.log('ok      types (tsc)');
  let failed = false;
  for (const [name, run] of steps) {
    const fault = await run();
    console.log(`${fault === '' ? 'ok    ' : 'FAILED'}  ${name}`);
    if (fault !== '') console.log(`\n${fault}\n`);
    failed ||= fault !== '';
  }
  return failed ? 1 : 0;
});

function runNode(/** @type {string} */ file, /** @type {string[]} */ args, env = process.env) {
  const result = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return result.status === 0 ? '' : `${result.stdout}${result.stderr}`.trim() || `exit code ${result.status}`;
}

function findLostFaults() {
  const tests = sourceFiles()
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.relative(root, file));
  return plantedFaults
    .flatMap(({ name, file, from, caughtBy }) => [
      ...(existsSync(path.join(root, file)) && readFileSync(path.join(root, file), 'utf8').split(from).length === 2
        ? []
        : [`"${name}" has no single place in ${file}`]),
      ...(caughtBy === 'storm' || tests.some((test) => test.startsWith(caughtBy))
        ? []
        : [`"${name}" would be caught by ${caughtBy}, which is not there`]),
    ])
    .join('\n');
}

/** The files of these folders, without generated ones. */
function filesIn(/** @type {string[]} */ folders) {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('/generated')),
  );
}

function sourceFiles() {
  return filesIn(CODE).filter((file) => /\.tsx?$/.test(file));
}

async function findRepeated() {
  const { findRepeatedNames } = await import('../../build/tools/check/exported-names.js');
  const sources = sourceFiles().map(
    (file) => /** @type {const} */ ([path.relative(root, file), readFileSync(file, 'utf8')]),
  );
  return findRepeatedNames(new Map(sources)).join('\n');
}

function findMarks() {
  const marks = /\b(T[O]DO|F[I]XME|X[X]X)\b/;
  return filesIn([...CODE, 'prisma', 'docs', '.ci'])
    .filter((file) => !file.endsWith('.png'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line, index) => `${path.relative(root, file)}:${index + 1}: ${line.trim()}`)
        .filter((line) => marks.test(line)),
    )
    .join('\n');
}

/** The image holds dist: no test, proof or tool may be compiled into it. */
function findForeignFiles() {
  const files = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => !/^((apps|libs)(\/|$)|package\.json$)/.test(file) || file.endsWith('.test.js'))
    .map((file) => `dist/${file} does not belong to the product`)
    .join('\n');
}

async function checkMigrations() {
  const command = 'build/tools/check/check-migrations.js';
  if (process.env.DATABASE_URL) return runNode(command, []);
  const { startPrivatePostgres } = await import('../../build/tools/services/private-postgres.js');
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'ledger-check-'));
  try {
    const postgres = await startPrivatePostgres({ dataDir, durable: false });
    try {
      return runNode(command, [], { ...process.env, DATABASE_URL: postgres.url });
    } finally {
      await postgres.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
