// Copies of the sources, in which faults are planted.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiler, root } from '../../tools/setup/setup.mjs';
import { plantedFaults } from './planted-faults.mjs';

/** @typedef {import('./planted-faults.mjs').Fault} Fault */

const COPIED = [
  ...['apps', 'libs', 'clients', 'prisma', 'proof', 'testing', 'tools', 'docs'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'jest.config.ts', 'prisma.config.ts'],
];
const CONFIGURATION = 'tsconfig.json';
const CONSOLE_UI = 'apps/console/ui';
const PROJECTS = ['.', CONSOLE_UI];
/** Otherwise the next command would build everything again. */
const STAMP_SCRIPT = "import('./tools/setup/setup.mjs').then(({ stampBuild }) => stampBuild())";

const isTypeScript = (/** @type {string} */ file) => /\.tsx?$/.test(file);

/** The project that compiles the file. */
const projectOf = (/** @type {string} */ file) => (file.startsWith(`${CONSOLE_UI}/`) ? CONSOLE_UI : '.');

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

/** Compiles one file of a copy that is built. Its types are not looked at: `npm run check` compiles the files of all faults. */
export async function compileFile(/** @type {string} */ file, /** @type {string} */ folder) {
  // SQL is read as it stands.
  if (isTypeScript(file)) {
    const { transform } = await import('esbuild'); // needs a package, so after the setup
    const { code } = await transform(readFileSync(path.join(folder, file), 'utf8'), {
      loader: file.endsWith('x') ? 'tsx' : 'ts',
      target: 'es2023',
      sourcefile: path.join(folder, file),
      sourcemap: 'inline',
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' } },
    });
    for (const output of ['build', 'dist']) {
      const target = path.join(folder, output, file.replace(/\.tsx?$/, '.js'));
      if (existsSync(target)) writeFileSync(target, code);
    }
  }
  const scripts = [
    ...(projectOf(file) === CONSOLE_UI ? [['tools/setup/bundle-console.mjs']] : []),
    ['-e', STAMP_SCRIPT],
  ];
  for (const args of scripts) {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${file} could not be compiled:\n\n${stderr}`);
  }
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
  const planted = new Set(faults.filter((fault) => !left.includes(fault)).map(({ file }) => file));
  const outputs = PROJECTS.flatMap((project) => {
    // Only the files with faults, and what they import: to compile all takes three times as long.
    const files = [...planted].filter((file) => isTypeScript(file) && projectOf(file) === project);
    if (files.length === 0) return [];
    const config = path.join(folder, project, 'tsconfig.faults.json');
    const absolute = files.map((file) => path.join(folder, file));
    writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include: [], files: absolute }));
    const args = [...compiler, '--noEmit', '-p', config];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? [] : `${stdout}${stderr}` || `the compiler ended with ${status}`;
  });
  return left.length === 0 ? outputs : [...outputs, ...compile(left, `${folder}+`)];
}
