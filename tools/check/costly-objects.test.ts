import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import { describe, expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Rule {
  readonly HOT_FILES: readonly string[];
  readonly linesOfCostlyObjects: (program: unknown) => readonly number[];
}

const { HOT_FILES, linesOfCostlyObjects }: Rule = await import(path.join(root, 'tools/check/costly-objects.mjs'));

const linesIn = (text: string) => linesOfCostlyObjects(parse(text, { sourceType: 'module' }).program);

describe('costly objects', () => {
  it('are looked for in files that are there', () => {
    expect(HOT_FILES.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it.each([
    ['a literal that begins with a spread', 'const of = (a) => ({ ...a, b: 1 });'],
    ['one in a function in a function', 'function of(a) { return () => ({ ...a, b: 1 }); }'],
    ['one with a getter', 'const of = (a) => ({ get b() { return a; } });'],
    ['one in a method', 'class Of { of(a) { return { ...a, b: 1 }; } }'],
  ])('are found: %s', (_case, text) => {
    expect(linesIn(text)).toEqual([1]);
  });

  it.each([
    ['one that is made once', 'const b = { ...a, b: 1 };'],
    ['one that is a copy', 'const of = (a) => ({ ...a });'],
    ['one that ends with a spread', 'const of = (a) => ({ b: 1, ...a });'],
    ['a class with a getter', 'class Of { get b() { return 1; } }'],
  ])('are not %s', (_case, text) => {
    expect(linesIn(text)).toEqual([]);
  });
});
