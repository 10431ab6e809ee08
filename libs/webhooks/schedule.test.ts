import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import { readRetryAfter, retryAfter } from './schedule.js';

const start = new Date('2026-01-15T12:00:00Z');

interface Tried {
  readonly status?: number | null;
  readonly retryAfterMs?: number;
  readonly random?: number;
}

/** Seconds from each try to the next one, until the endpoint's time is over. */
function pausesOf({ status = 500, retryAfterMs, random = 0 }: Tried = {}): number[] {
  const pauses: number[] = [];
  for (let at = start, attempts = 1; at.getTime() < start.getTime() + 5 * DAY_MS; attempts += 1) {
    const next = retryAfter({ attempts, status, retryAfterMs, at, failingSince: start, random }).at;
    pauses.push((next.getTime() - at.getTime()) / 1_000);
    at = next;
  }
  return pauses;
}

describe('the tries of a delivery', () => {
  it('come after the pauses of Standard Webhooks, then daily, and last at the end of five days', () => {
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600);
    const fiveDays = 5 * 86_400;
    const known = [5, 300, 1_800, ...hours];
    expect(known.reduce((sum, pause) => sum + pause, 0)).toBe(75 * 3_600 + 35 * 60 + 5);
    expect(pausesOf()).toEqual([...known, 86_400, fiveDays - (75 * 3_600 + 35 * 60 + 5) - 86_400]);
  });

  it('are spread, later and never earlier', () => {
    expect(pausesOf({ random: 1 }).slice(0, 3)).toEqual([5.5, 330, 1_980]);
  });

  it.each([
    [429, undefined, 60],
    [502, undefined, 60],
    [504, undefined, 60],
    [429, 90_000, 90],
    [429, 9_000, 9],
    [503, 20_000, 20],
    [429, 10 * DAY_MS, 86_400],
    [500, 1_000, 5],
    [null, undefined, 5],
  ])('slow down after %s with Retry-After %s ms: the next one is in %s s', (status, retryAfterMs, seconds) => {
    const failure = { attempts: 1, status, retryAfterMs, at: start, failingSince: start, random: 0 };
    const { at, pausedUntil } = retryAfter(failure);
    expect((at.getTime() - start.getTime()) / 1_000).toBe(seconds);
    const isSlow = [429, 502, 504].includes(status ?? 0) || retryAfterMs !== undefined;
    expect(pausedUntil !== undefined).toBe(isSlow);
  });
});

describe('Retry-After', () => {
  it.each([
    [undefined, undefined],
    ['120', 120_000],
    [new Date(start.getTime() + HOUR_MS).toUTCString(), HOUR_MS],
    [new Date(start.getTime() - HOUR_MS).toUTCString(), 0],
    ['soon', undefined],
  ])('of %s is %s ms', (header, ms) => {
    expect(readRetryAfter(header, start)).toBe(ms);
  });
});
