import { describe, expect, it } from '@jest/globals';
import type { ImportLine } from '#accounts/users/import-users.js';
import { Unauthorized } from '#http/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type ImportRun, runImport } from './run-import.js';

// What is answered when an import ends before its last line. A chunk has 50 lines.

const LINES = Array.from({ length: 120 }, (_, index) => ({ number: index + 1, bytes: Buffer.from(`{"at":${index}}`) }));

function runOf(given: Partial<ImportRun>): { readonly run: ImportRun; readonly failed: unknown[] } {
  const failed: unknown[] = [];
  const run: ImportRun = {
    deadline: { at: performance.now() + 60_000, isGone: () => false },
    parse: (value) => ({ user: { reference: JSON.stringify(value) }, funds: undefined }) as unknown as ImportLine,
    prove: async () => undefined,
    run: async (lines) => lines.map(() => new Refusal('user-reference-taken')),
    onFailed: (error) => failed.push(error),
    ...given,
  };
  return { run, failed };
}

const codesOf = (answer: string): readonly string[] =>
  answer
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).code);

const times = (count: number, code: string) => Array.from({ length: count }, () => code);
const second = <Result>(then: () => Result, first: Result) => {
  let calls = 0;
  return () => {
    calls += 1;
    return calls === 1 ? first : then();
  };
};

describe('an import', () => {
  it('that fails behind a chunk that is done tells what was done', async () => {
    const fault = new Error('PostgreSQL is away');
    let chunks = 0;
    const { run, failed } = runOf({
      run: async (lines) => {
        chunks += 1;
        if (chunks > 1) throw fault;
        return lines.map(() => new Refusal('user-reference-taken'));
      },
    });
    expect(codesOf(await runImport(LINES, run))).toEqual([
      ...times(50, 'user-reference-taken'),
      ...times(50, 'outcome-unknown'),
      ...times(20, 'overloaded'),
    ]);
    expect([failed, chunks]).toEqual([[fault], 2]);
  });

  it('that fails at its first chunk has no answer', async () => {
    const fault = new Error('PostgreSQL is away');
    const { run } = runOf({ run: () => Promise.reject(fault) });
    await expect(runImport(LINES, run)).rejects.toBe(fault);
  });

  it.each([
    ['unauthorized', new Unauthorized()],
    ['account-suspended', new Refusal('account-suspended')],
  ])('ends when its caller may not go on: %s', async (code, end) => {
    const { run, failed } = runOf({ prove: second(() => Promise.reject(end), Promise.resolve(undefined)) });
    expect(codesOf(await runImport(LINES, run))).toEqual([...times(100, 'user-reference-taken'), ...times(20, code)]);
    expect(failed).toEqual([]);
  });

  it('ends when its time is up', async () => {
    const isGone = second(() => true, false);
    const { run } = runOf({ deadline: { at: performance.now() + 60_000, isGone } });
    expect(codesOf(await runImport(LINES, run))).toEqual([
      ...times(50, 'user-reference-taken'),
      ...times(70, 'overloaded'),
    ]);
  });
});
