import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';

// When a delivery that has failed is tried again. All of it is a function of numbers and times, so tests go through days.

const MINUTE_MS = 60_000;

/** The pauses of Standard Webhooks, after the first try, the second, … Then one each day. */
const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const EACH_DAY_MS = DAY_MS;
/** Many endpoints that fail at the same moment are not tried again at the same moment. */
const JITTER = 0.1;

/** The owner gets a mail when it has failed for so long, and another one when it is disabled. */
export const WARNED_AFTER_MS = DAY_MS;
export const DISABLED_AFTER_MS = 5 * DAY_MS;

/** These say that the receiver has too much to do, or that a proxy of it has. */
const SLOW_DOWN = new Set([429, 502, 504]);
const SLOW_DOWN_MS = MINUTE_MS;
/** A receiver cannot stop its deliveries for longer. */
const MAX_RETRY_AFTER_MS = DAY_MS;

export interface FailedTry {
  /** With this one. */
  readonly attempts: number;
  readonly status: number | null;
  readonly retryAfterMs: number | undefined;
  readonly at: Date;
  /** The first failure since the last success. */
  readonly failingSince: Date;
  /** From 0 to 1. */
  readonly random: number;
}

export interface Retry {
  readonly at: Date;
  /** Until then the whole endpoint gets nothing; undefined: only what failed waits. */
  readonly pausedUntil: Date | undefined;
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** The last try is at the end of the time that an endpoint has, so that it is not disabled unasked. */
export function retryAfter(failure: FailedTry): Retry {
  const { attempts, status, at, failingSince, random } = failure;
  const pauseMs = (PAUSES_MS[attempts - 1] ?? EACH_DAY_MS) * (1 + JITTER * random);
  const slowMs = status !== null && SLOW_DOWN.has(status) ? SLOW_DOWN_MS : 0;
  const askedMs = Math.min(failure.retryAfterMs ?? slowMs, MAX_RETRY_AFTER_MS);
  const leftMs = Math.max(0, failingSince.getTime() + DISABLED_AFTER_MS - at.getTime());
  const waitMs = Math.min(Math.max(pauseMs, askedMs), leftMs);
  return { at: later(at, waitMs), pausedUntil: askedMs === 0 ? undefined : later(at, Math.min(askedMs, leftMs)) };
}

const SECONDS = /^\d{1,9}$/;

/** Of the header: a number of seconds or a date. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (SECONDS.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
