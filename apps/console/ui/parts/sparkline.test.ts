import { describe, expect, it } from '@jest/globals';
import { lineOf } from './sparkline.js';

describe('the line of a sparkline', () => {
  it('goes from left to right, with the greatest value at the top and 0 at the bottom', () => {
    expect(lineOf([0, 5, 10])).toBe('M0.0,20.0L50.0,10.0L100.0,0.0');
  });

  it('has what is below 0 below, and lies at the bottom when all is 0', () => {
    expect(lineOf([-10, 10])).toBe('M0.0,20.0L100.0,0.0');
    expect(lineOf([0, 0])).toBe('M0.0,20.0L100.0,20.0');
  });

  it('is none without values, and one point with one', () => {
    expect(lineOf([])).toBe('');
    expect(lineOf([3])).toBe('M0.0,0.0');
  });
});
