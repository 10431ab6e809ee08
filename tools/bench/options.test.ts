import { describe, expect, it } from '@jest/globals';
import { HelpWanted } from '#tools/shared/command-line.js';
import { readOptions } from './options.js';

describe('the options of the bench', () => {
  it('are for all figures of this build, unless asked', () => {
    expect(readOptions([])).toEqual({
      only: [],
      seconds: 3,
      quick: false,
      bets: 100_000,
      rows: 1_000_000,
      jsonFile: undefined,
      against: undefined,
      rounds: 7,
    });
    expect(readOptions(['--quick', '--rounds', '3'])).toMatchObject({ seconds: 1.5, bets: 10_000, rounds: 3 });
    expect(() => readOptions(['--help'])).toThrow(HelpWanted);
  });

  it('refuse numbers out of range, names unknown and a checkout without a build', () => {
    expect(() => readOptions(['--seconds', 'long'])).toThrow('--seconds must be a number');
    expect(() => readOptions(['--rounds', '0'])).toThrow('--rounds must be a whole number');
    expect(() => readOptions(['--fast'])).toThrow("Unknown option '--fast'");
    expect(() => readOptions(['--against', '/nowhere'])).toThrow('/nowhere has no build/');
  });
});
