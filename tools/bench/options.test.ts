import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.js';

describe('the options of the bench', () => {
  it('are for all figures and no page, unless asked', () => {
    expect(readOptions([])).toEqual({
      ...{ only: [], seconds: 3, quick: false, bets: 100_000 },
      ...{ jsonFile: undefined, report: false, fromFile: undefined },
    });
    expect(readOptions(['--quick', '--report'])).toMatchObject({ seconds: 1.5, bets: 10_000, report: true });
    expect(readOptions(['--report', '--from', 'figures.json'])).toMatchObject({ fromFile: 'figures.json' });
    expect(readOptions(['--help'])).toBeUndefined();
  });

  it('refuse a page about a part, and figures from a file that are measured too', () => {
    expect(() => readOptions(['--report', '--only', 'mixed'])).toThrow('does not go with --only');
    expect(() => readOptions(['--from', 'figures.json'])).toThrow('goes with --report, and with nothing else');
    expect(() => readOptions(['--report', '--from', 'figures.json', '--seconds', '5'])).toThrow('nothing else');
    expect(() => readOptions(['--report', '--from', 'figures.json', '--only', 'mixed'])).toThrow('nothing else');
  });

  it('refuse numbers out of range and names unknown', () => {
    expect(() => readOptions(['--seconds', 'long'])).toThrow('--seconds must be a number');
    expect(() => readOptions(['--bets', '10'])).toThrow('--bets must be a whole number');
    expect(() => readOptions(['--fast'])).toThrow("Unknown option '--fast'");
  });
});
