import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

// Compares docs/security.md with the files and tests it names: a claim needs an existing test.

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const page = read('docs/security.md');

/** A file, and the names of tests in it: `file` “name”, “name”. */
const EVIDENCE = /`((?:apps|libs|proof|testing|tools)\/[\w./-]+)`((?:,? “[^”]+”)*)/g;
const evidence = [...page.matchAll(EVIDENCE)].map(([, file = '', names = '']) => ({
  file,
  names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
}));

const rowsOf = (heading: string) => {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
};

describe('docs/security.md', () => {
  it('points to files and tests that exist', () => {
    expect(evidence.length).toBeGreaterThan(60);
    for (const { file, names } of evidence) {
      expect([file, existsSync(path.join(root, file))]).toEqual([file, true]);
      const missing = names.filter((name) => !read(file).includes(name));
      expect([file, missing]).toEqual([file, []]);
    }
  });

  it('names a test of each test file, or all of it by saying so', () => {
    const unnamed = evidence.filter(({ file, names }) => file.endsWith('.test.ts') && names.length === 0);
    expect(unnamed.map(({ file }) => file).sort()).toEqual([
      'apps/api/test/reset-codes.test.ts',
      'apps/api/test/settlement-hammer.test.ts',
    ]);
  });

  it('has a row for each risk of the API Top 10', () => {
    const risks = rowsOf('OWASP API Security Top 10').map(([risk = '']) => /^API\d+/.exec(risk)?.[0]);
    expect(risks).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
  });

  it('has rows for each chapter of ASVS 5.0', () => {
    const named = rowsOf('ASVS 5.0').flatMap(([section = '']) => section.match(/V\d+/g) ?? []);
    const chapters = Array.from({ length: 17 }, (_, index) => `V${index + 1}`);
    expect(chapters.filter((chapter) => !named.includes(chapter))).toEqual([]);
  });

  it('says in each row what is done, and what shows it or why nothing does', () => {
    for (const [subject = '', done = '', shown = ''] of [...rowsOf('OWASP API'), ...rowsOf('ASVS')]) {
      const isToldApart = /there are none|left to the proxy/.test(done);
      expect([subject, done !== '', shown !== '' || isToldApart]).toEqual([subject, true, true]);
    }
  });
});
