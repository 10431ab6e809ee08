import { describe, expect, it } from '@jest/globals';
import { describeGoal, goalOf, isMet, measuredText, wantedText } from './goals.js';

describe('goals', () => {
  it('are met at their bound, and missed beyond it', () => {
    expect(isMet(goalOf('makeP99At64', 60))).toBe(true);
    expect(isMet(goalOf('makeP99At64', 60.01))).toBe(false);
    expect(isMet(goalOf('makeRatioAt64', 0.5))).toBe(true);
    expect(isMet(goalOf('makeRatioAt64', 0.49))).toBe(false);
    expect(isMet(goalOf('makeRatioAt64', Number.NaN))).toBe(false);
  });

  it('say what is wanted and what was measured', () => {
    expect(describeGoal(goalOf('makeP99At64', 57.3))).toBe('met: p99 <= 60');
    expect(describeGoal(goalOf('makeRatioAt64', 0.41))).toBe('MISSED: ratio >= 0.5');
    expect(wantedText(goalOf('besideInline', 130))).toBe('at most 1,000 ms');
    expect(wantedText(goalOf('makeRatioAt64', 0.41))).toBe('at least 0.5');
    expect(measuredText(goalOf('makeP99At64', 57.31))).toBe('57.3 ms');
    expect(measuredText(goalOf('apiMemory', 234.6))).toBe('235 MB');
    expect(measuredText(goalOf('settlement', 0.654))).toBe('0.65');
    expect(measuredText(goalOf('makeApiAt1', 1_412.3))).toBe('1,412 µs');
  });

  it('show as many decimals as the verdict needs', () => {
    expect(measuredText(goalOf('makeP99At64', 60.004))).toBe('60.004 ms');
    expect(measuredText(goalOf('apiMemory', 250.4))).toBe('250.4 MB');
    expect(measuredText(goalOf('makeRatioAt64', 0.4999))).toBe('0.4999');
  });
});
