import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { errorTable } from '#http/error-table.js';
import { errorsPage } from './errors-page.js';

describe('docs/errors.md', () => {
  it('is what `npm run client` writes', () => {
    expect(readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorsPage());
  });

  it('has each code once, with a text that fits into a cell', () => {
    const codes = errorTable.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, text, advice } of errorTable) {
      expect(code).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(`${text}${advice}`).not.toMatch(/[|\n]/);
    }
  });
});
