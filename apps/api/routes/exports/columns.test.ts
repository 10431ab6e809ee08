import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { exportKinds } from '#exports/export.js';
import { columnsText } from './download.js';

const page = readFileSync(new URL('../../../../../docs/api.md', import.meta.url), 'utf8');

describe('the columns of exports', () => {
  it.each(exportKinds)('of %s are documented with their types', (kind) => {
    const [, documented] = new RegExp(`^\\| \`${kind}\` +\\| (.+?) +\\|$`, 'm').exec(page) ?? [];
    expect(documented).toBe(columnsText(kind));
  });
});
