import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const { makeRunFolder, placeOf } = await import(
  fileURLToPath(new URL('../../../tools/setup/run-folder.mjs', import.meta.url))
);

const GIB = 1024 ** 3;

describe('the folder of a test run', () => {
  it('is in memory where there is room, unless TMPDIR names a place', () => {
    expect(placeOf({}, 4 * GIB)).toBe('/dev/shm');
    expect(placeOf({}, 4 * GIB - 1)).toBe(tmpdir());
    expect(placeOf({ TMPDIR: tmpdir() }, 8 * GIB)).toBe(tmpdir());
  });

  it('takes the place of those that killed runs left a day ago', async () => {
    const place = await mkdtemp(path.join(tmpdir(), 'place-'));
    const left = ['ledger-tests-old', 'ledger-tests-young', 'of-others'].map((name) => path.join(place, name));
    await Promise.all(left.map((folder) => mkdir(`${folder}/postgres`, { recursive: true })));
    const [old = '', , others = ''] = left;
    const yesterday = new Date(Date.now() - 86_400_000);
    await Promise.all([old, others].map((folder) => utimes(folder, yesterday, yesterday)));
    const made = path.basename(makeRunFolder(place));
    expect(await readdir(place)).toEqual(expect.arrayContaining([made, 'ledger-tests-young', 'of-others']));
    expect(await readdir(place)).toHaveLength(3);
    await rm(place, { recursive: true });
  });
});
