import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

// Runs Jest on test files of its own, as `npm test` does on those of this repository.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const setup = path.join(root, 'tools/setup');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ledger-run-'));
  await mkdir(path.join(folder, 'node_modules/@jest'), { recursive: true });
  await symlink(path.join(setup, 'jest-globals'), path.join(folder, 'node_modules/@jest/globals'));
  await symlink(path.join(root, 'node_modules/fast-check'), path.join(folder, 'node_modules/fast-check'));
  const config = {
    rootDir: folder,
    testMatch: ['**/*.test.mjs'],
    transform: {},
    injectGlobals: false,
    runtime: path.join(setup, 'jest-runtime.mjs'),
    reporters: ['default', path.join(setup, 'jest-summary-reporter.mjs')],
  };
  await writeFile(path.join(folder, 'jest.config.json'), JSON.stringify(config));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A test that appends a line to the file `runs` and fails while that has fewer lines than `passesInRun`. */
async function writeTest(file: string, { line = `'run'`, passesInRun = 9 } = {}): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(
    path.join(folder, file),
    `import { appendFileSync, readFileSync } from 'node:fs';
     import { expect, it } from '@jest/globals';
     import fc from 'fast-check';
     it('is run', () => {
       appendFileSync(${JSON.stringify(path.join(folder, 'runs'))}, ${line} + '\\n');
       const runs = readFileSync(${JSON.stringify(path.join(folder, 'runs'))}, 'utf8').split('\\n').length - 1;
       expect(runs).toBeGreaterThanOrEqual(${passesInRun});
     });`,
  );
}

const linesOfRuns = async () => (await readFile(path.join(folder, 'runs'), 'utf8')).trimEnd().split('\n');

async function runTests(seed?: string, given: readonly string[] = []): Promise<{ code: number; output: string }> {
  // biome-ignore lint/style/noProcessEnv: a Jest in a Jest
  const { TEST_SEED: _outer, ...env } = process.env;
  const script = `import { runTests } from ${JSON.stringify(path.join(setup, 'run-tests.mjs'))};
    process.exitCode = await runTests(process.argv.slice(2), process.argv[1]);`;
  const args = ['--input-type=module', '-e', script, path.join(folder, 'jest.config.json'), ...given];
  const child = spawn(process.execPath, args, {
    env: { ...env, ...(seed !== undefined && { TEST_SEED: seed }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode ?? -1, output: output + errors };
}

describe('a long test file', () => {
  it('is left out, unless all are asked for or its name is given', async () => {
    await writeTest('apps/console/test/live.test.mjs', { line: `'long'`, passesInRun: 1 });
    await writeTest('short.test.mjs', { line: `'short'`, passesInRun: 1 });
    await runTests();
    expect(await linesOfRuns()).toEqual(['short']);
    await runTests(undefined, ['--all']);
    expect((await linesOfRuns()).slice(1).sort()).toEqual(['long', 'short']);
    await runTests(undefined, ['test/live']);
    expect((await linesOfRuns()).slice(3)).toEqual(['long']);
  });
});

describe('a test file that fails', () => {
  const CHOICES = `process.env.TEST_SEED + ' ' + fc.sample(fc.integer(), 5)`;

  it('makes the same choices in another run with the seed that is named', async () => {
    await writeTest('chance.test.mjs', { line: CHOICES });
    const { code, output } = await runTests();
    const [first = ''] = await linesOfRuns();
    const [, seed = ''] = /TEST_SEED=(\d+) npm test\n0 passed, 1 failed\n/.exec(output) ?? [];
    expect([code, seed]).toEqual([1, first.split(' ')[0]]);
    await runTests(seed);
    await runTests('8');
    const [, again, other = ''] = await linesOfRuns();
    expect(again).toBe(first);
    expect(other.split(' ')[1]).not.toBe(first.split(' ')[1]);
  });

  it.each([
    ['and measures time runs once more, alone', 'apps/api/routes/events/stream', 0, 2],
    ['and measures no time has failed', 'libs/core/late', 1, 1],
  ])('%s', async (_case, name, code, runs) => {
    await writeTest(`${name}.test.mjs`, { passesInRun: 2 });
    expect((await runTests()).code).toBe(code);
    expect(await linesOfRuns()).toHaveLength(runs);
  });
});

it('a seed that is no whole number is refused', async () => {
  const { code, output } = await runTests('x');
  expect([code, output]).toEqual([1, expect.stringContaining('TEST_SEED must be a whole number')]);
});
