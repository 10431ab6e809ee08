import { expect, it } from '@jest/globals';
import { pauseAfter, RETRY_PAUSES } from './failures-in-a-row.js';

it.each([
  [1, 500],
  [2, 1_000],
  [5, 8_000],
  [7, 32_000],
  [8, 60_000],
  [10, 60_000],
  [1_000_000, 60_000],
])('after %d failures in a row a job waits for up to %d ms, and four fifths of it at least', (failures, longestMs) => {
  for (let round = 0; round < 100; round += 1) {
    const pause = pauseAfter(failures, RETRY_PAUSES);
    expect(pause).toBeLessThanOrEqual(longestMs);
    expect(pause).toBeGreaterThanOrEqual(longestMs * 0.8);
  }
});

it('waits a minute from the tenth failure on, however the pauses begin', () => {
  expect(pauseAfter(10, { firstMs: 1, longestMs: 60_000 })).toBeGreaterThanOrEqual(48_000);
});
