import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';
import { endedWaits, readRetryAfter, retryAfter, type Tried, type Waiting } from './schedule.js';

const start = new Date('2026-01-15T12:00:00Z');

interface Failing {
  readonly status?: number | null;
  readonly retryAfterMs?: number;
  readonly random?: number;
}

/** Seconds from each try to the next one, until the endpoint's time is over. */
function pausesOf({ status = 500, retryAfterMs, random = 0 }: Failing = {}): number[] {
  const pauses: number[] = [];
  for (let at = start, attempts = 1; at.getTime() < start.getTime() + 5 * DAY_MS; attempts += 1) {
    const next = retryAfter({ attempts, status, retryAfterMs, at, failingSince: start, random }).at;
    pauses.push((next.getTime() - at.getTime()) / 1_000);
    at = next;
  }
  return pauses;
}

describe('the tries of a delivery', () => {
  it('come soon at first, then after hours, then daily, and last at the end of five days', () => {
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600);
    const known = [5, 10, 20, 40, 120, 300, 1_800, ...hours];
    const sum = known.reduce((total, pause) => total + pause, 0);
    expect(pausesOf()).toEqual([...known, 86_400, 5 * 86_400 - sum - 86_400]);
  });

  it('are spread, later and never earlier', () => {
    expect(pausesOf({ random: 1 }).slice(0, 3)).toEqual([5.5, 11, 22]);
  });

  it.each([
    [429, undefined, 60],
    [502, undefined, 5],
    [429, 90_000, 90],
    [429, 9_000, 9],
    [503, 20_000, 20],
    [429, 10 * DAY_MS, 86_400],
    [500, 1_000, 1],
    [503, 0, 1],
    [null, undefined, 5],
  ])('slow down after %s with Retry-After %s ms: the next one is in %s s', (status, retryAfterMs, seconds) => {
    const failure = { attempts: 1, status, retryAfterMs, at: start, failingSince: start, random: 0 };
    const { at, pausedUntil } = retryAfter(failure);
    expect((at.getTime() - start.getTime()) / 1_000).toBe(seconds);
    const isSlow = status === 429 || retryAfterMs !== undefined;
    expect(pausedUntil !== undefined).toBe(isSlow);
  });
});

describe('a receiver that asks again and again for one second', () => {
  const failure = { status: 503, retryAfterMs: 1_000, at: start, failingSince: start, random: 0 };

  it('gets it four times, then a minute each time', () => {
    const pauses = pausesOf(failure);
    expect(pauses.slice(0, 7)).toEqual([1, 1, 1, 1, 60, 60, 60]);
    expect(pausesOf({ ...failure, retryAfterMs: 90_000 }).slice(3, 6)).toEqual([90, 90, 90]);
  });

  it('stops the other lines only for the time it asks for', () => {
    expect(retryAfter({ ...failure, attempts: 9 }).pausedUntil).toEqual(new Date(start.getTime() + 1_000));
  });
});

describe('the success of another line', () => {
  const now = start;
  const failed = (lastStatus: number | null, secondsAgo: number): Waiting => ({
    attempts: 1,
    lastStatus,
    lastTriedAt: new Date(now.getTime() - secondsAgo * 1_000),
    nextAt: new Date(now.getTime() + 1),
  });
  const fresh: Waiting = { attempts: 0, lastStatus: null, lastTriedAt: null, nextAt: now };

  it.each([
    ['that failed so too', failed(500, 5), failed(500, 5), true],
    ['that failed so too, at once', failed(500, 5), failed(500, 4), false],
    ['that failed for another reason', failed(500, 5), failed(null, 1), false],
    ['that never failed, soon after', fresh, failed(null, 59), false],
    ['that never failed, after a minute', fresh, failed(null, 60), true],
    ['that never failed, of a refused event', fresh, failed(400, 600), false],
    ['that never failed, of one that waits for its first try', fresh, fresh, false],
  ])('%s ends the wait or leaves it', (_what, taken, waiting, ends) => {
    expect(endedWaits(taken, [waiting], now)).toEqual(ends ? [waiting] : []);
  });

  const many = Array.from({ length: 20 }, (_, n) => failed(500, 100 + n));

  it.each<[string, Tried, number]>([
    ['that failed so too', failed(500, 5), 8],
    ['that failed for another reason', failed(400, 5), 8],
    ['that never failed', fresh, 1],
  ])('%s ends few waits, the longest first', (_what, taken, count) => {
    expect(endedWaits(taken, many, now)).toEqual(many.slice(-count).reverse());
  });

  it('that never failed ends no wait while a failed delivery is tried', () => {
    expect(endedWaits(fresh, [...many, { ...failed(500, 5), nextAt: now }], now)).toEqual([]);
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
