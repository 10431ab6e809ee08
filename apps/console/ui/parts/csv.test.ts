import { describe, expect, it } from '@jest/globals';
import { csvOf, csvRowsIn, withoutGuard } from './csv.js';

describe('a CSV', () => {
  it('has a column for each field, and runs nothing in a spreadsheet', () => {
    const rows = [
      { id: 1, reference: '=cmd()', amount: -2.5, wager: { outcome: 'win' }, tags: ['a', 'b'], none: null },
      { id: 2, reference: 'a "b", c\nd', extra: '@x', wager: { outcome: 'loss' } },
    ];
    expect(csvOf(rows)).toBe(
      [
        'id,reference,amount,wager.outcome,tags,none,extra',
        `1,'=cmd(),-2.5,win,"[""a"",""b""]",,`,
        `2,"a ""b"", c\nd",,loss,,,'@x`,
        '',
      ].join('\r\n'),
    );
    for (const text of ['+1', '-1', '\t1', '\r1', '\uff1d1']) expect(csvOf([{ text }])).toContain(`'${text}`);
  });

  it('is read as it was written', () => {
    const rows = [
      ['a', 'b'],
      ['x,"y"', 'two\r\nlines'],
      ['', 'z'],
    ];
    const text = csvOf(rows.slice(1).map(([a, b]) => ({ a, b })));
    expect(csvRowsIn(`\ufeff${text}`)).toEqual(rows);
    expect(csvRowsIn('a,b\n\n1,\n2,3')).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['2', '3'],
    ]);
    expect(csvRowsIn('a\n"b"c\n')).toBeUndefined();
    expect(csvRowsIn('a\n"b')).toBeUndefined();
    expect(["'=x", "'x", 'x'].map(withoutGuard)).toEqual(['=x', "'x", 'x']);
  });
});
