import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type Quota, quotaNames, quotas } from '#platform/quotas/quotas.js';
import { testNamesIn } from '#testing/test-names.js';

// Checks security-evidence.tsv against the two lists, and against the files and tests it names: a claim needs an existing
// test. Compares docs/security.md with the quotas.

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const page = read('docs/security.md');

interface Row {
  readonly requirement: string;
  readonly state: string;
  readonly how: string;
  readonly evidence: readonly { readonly file: string; readonly names: readonly string[] }[];
}

/** A file and names of tests in it: file “name”, “name”; the next file “name”. */
const evidenceIn = (text: string) =>
  (text === '' ? [] : text.split(/(?<=”); /)).map((part) => ({
    file: part.split(' ', 1)[0] ?? '',
    names: [...part.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
  }));

const rows: readonly Row[] = read('apps/api/test/security-evidence.tsv')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([requirement = '', state = '', how = '', shown = '']) => ({
    requirement,
    state,
    how,
    evidence: evidenceIn(shown),
  }));

const asvs = rows.filter(({ requirement }) => /^\d/.test(requirement));

const MIB = 1_024 * 1_024;
const GIB = 1_024 * MIB;
function shownNumber(value: number): string {
  if (value < MIB) return value.toLocaleString('en-US');
  return value < GIB ? `${value / MIB} MiB` : `${value / GIB} GiB`;
}

/** The number of requirements of levels 1 and 2 in each section of ASVS 5.0: they come before those of level 3. */
const REQUIREMENTS: Readonly<Record<string, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};

const requirements = Object.entries(REQUIREMENTS).flatMap(([chapter, sections]) =>
  sections.flatMap((count, section) =>
    Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
  ),
);

/** The requirements of a row: `1.2.3`, `1.2.3, 1.2.4` or `1.2.3 to 1.3.1`. */
function requirementsOf(cell: string): string[] {
  const [from = '', to] = cell.split(' to ');
  if (to === undefined) return cell.split(', ');
  return requirements.slice(requirements.indexOf(from), requirements.indexOf(to) + 1);
}

describe('security-evidence.tsv', () => {
  it('points to files that exist, and to tests by their full names', () => {
    const evidence = rows.flatMap((row) => row.evidence);
    expect(evidence.length).toBeGreaterThan(150);
    const names = new Map<string, Set<string>>();
    for (const { file, names: named } of evidence) {
      expect([file, existsSync(path.join(root, file))]).toEqual([file, true]);
      if (!names.has(file)) names.set(file, testNamesIn(read(file)));
      expect([file, named.length > 0]).toEqual([file, true]);
      expect([file, named.filter((name) => !names.get(file)?.has(name))]).toEqual([file, []]);
    }
  });

  it('would not take a part of a name, nor the name of no test', () => {
    const source = read('apps/api/test/tenants.test.ts');
    const found = testNamesIn(source);
    expect(found.has('another account’s names are as good as missing: %s')).toBe(true);
    for (const name of ['are as good as missing: %s', 'another account’s names', ''])
      expect(found.has(name)).toBe(false);
  });

  it('has a row for each risk of the API Top 10', () => {
    const risks = rows.map(({ requirement }) => requirement).filter((requirement) => requirement.startsWith('API'));
    expect(risks).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
  });

  it('has one row for each requirement of ASVS 5.0, levels 1 and 2, in their order', () => {
    expect(requirements).toHaveLength(253);
    expect(asvs.flatMap(({ requirement }) => requirementsOf(requirement))).toEqual(requirements);
  });

  it('says of each row whether it is met, how or why not, and what shows it', () => {
    for (const { requirement, state, how, evidence } of rows) {
      const known = ['met', 'not met', 'none here'].includes(state);
      expect([requirement, known, how !== '']).toEqual([requirement, true, true]);
      if (state === 'met') expect([requirement, evidence.length > 0]).toEqual([requirement, true]);
    }
  });

  it('has a row for each quota', () => {
    const names = rows.map(({ requirement }) => /^quota (.+)/.exec(requirement)?.[1]).filter(Boolean);
    expect(names).toEqual(quotaNames);
  });
});

describe('docs/security.md', () => {
  it('has the numbers of each quota', () => {
    const table = page.split('\n').filter((line) => /^\| `[\w-]+` \| [\d,]+/.test(line));
    const cells = table.map((line) => line.split(' | ').map((cell) => cell.replaceAll(/[|`]/g, '').trim()));
    expect(cells.map((row) => row.slice(0, 5))).toEqual(
      Object.entries(quotas).map(([name, { account, network, whole, reserve }]) => [
        name,
        ...[account, network, whole, reserve].map(shownNumber),
      ]),
    );
    const byName: Readonly<Record<string, Quota>> = quotas;
    for (const [name = '', , , , , answer] of cells) {
      const { refusal, retryAfterSeconds } = byName[name] as Quota;
      const ofWork = name === 'export-bytes' ? 'the export fails' : 'the work waits';
      expect(answer).toContain(refusal === null ? ofWork : `again after ${retryAfterSeconds} s`);
    }
  });

  it('has the sections that it refers to', () => {
    const anchors = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor);
    const headings = [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });
});
