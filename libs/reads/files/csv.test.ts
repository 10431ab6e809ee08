import { describe, expect, it } from '@jest/globals';
import type { Cell, FileColumn } from './columns.js';
import { csvHeader, csvLines } from './csv.js';

const text: FileColumn[] = [{ name: 'name', type: 'text' }];
const lineOf = (value: string) => csvLines(text, [[value]]);

describe('a CSV file', () => {
  it('has one line for each row, in the order of its columns', () => {
    const columns: FileColumn[] = [
      { name: 'id', type: 'id' },
      { name: 'amount', type: 'decimal' },
      { name: 'created_at', type: 'moment' },
      { name: 'name', type: 'text' },
      { name: 'is_active', type: 'flag' },
    ];
    const at = new Date('2026-01-15T18:35:00.007Z');
    const rows: Cell[][] = [
      [9_007_199_254_740_993n, 8_589_934_591_999_999n, at, 'ann', true],
      [2n, -1n, at, 'ben', false],
      [-3n, 300_000_000n, null, null, null],
    ];
    expect(csvHeader(columns) + csvLines(columns, rows)).toBe(
      [
        'id,amount,created_at,name,is_active',
        '9007199254740993,8589934591.999999,2026-01-15T18:35:00.007Z,ann,true',
        '2,-0.000001,2026-01-15T18:35:00.007Z,ben,false',
        '-3,300,,,',
        '',
      ].join('\r\n'),
    );
    expect(csvLines(columns, [])).toBe('');
  });

  it.each(['=HYPERLINK("http://x","y")', '+1', '-1', '@SUM(1)', '\tx', '\rx', '＝1+1'])(
    'disarms the formula %j',
    (value) => {
      expect(lineOf(value).replaceAll('""', '"')).toMatch(/^"?'/);
      expect(lineOf(value).replaceAll('""', '"')).toContain(value);
    },
  );

  it.each([
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['one\ntwo', '"one\ntwo"'],
    ['one\rtwo', '"one\rtwo"'],
    ["'=1", "'=1"],
    ['1-1', '1-1'],
    ['Zoë 🎲', 'Zoë 🎲'],
  ])('quotes %j when it must', (value, field) => {
    expect(lineOf(value)).toBe(`${field}\r\n`);
  });
});
