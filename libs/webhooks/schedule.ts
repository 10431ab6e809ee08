import { DAY_MS, HOUR_MS } from '#platform/config/time-units.js';

// When a delivery that has failed is tried again. All of it is a function of numbers and times, so tests go through days.

const MINUTE_MS = 60_000;

/** After the first try, the second, … Then one each day. A receiver that restarts gets its events soon after. */
const PAUSES_MS = [
  5_000,
  10_000,
  20_000,
  40_000,
  2 * MINUTE_MS,
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

/** The receiver has too much to do. */
const TOO_MANY = 429;
const SLOW_DOWN_MS = MINUTE_MS;
const LEAST_RETRY_AFTER_MS = 1_000;
/** A receiver cannot stop its deliveries for longer. */
const MAX_RETRY_AFTER_MS = DAY_MS;
/** From this failure on a short `Retry-After` does not shorten the pause to less than a minute. */
const PATIENT_ATTEMPTS = 5;
const PATIENT_MS = MINUTE_MS;
/** How long a delivery has waited when the success of one that never failed ends its wait: it may be what fails. */
const WAITED_LONG_MS = MINUTE_MS;
/** No success makes a line come again sooner: a receiver that fails now and then gets no stream of tries. */
const LEAST_WAIT_MS = 5_000;
/** How many waits the success of a line that had failed ends. Each of these lines may end as many. */
const MOST_ENDED = 8;

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

/** What `Retry-After` asks for replaces the pause. */
function askedMsOf({ status, retryAfterMs }: FailedTry): number | undefined {
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, LEAST_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS);
  return status === TOO_MANY ? SLOW_DOWN_MS : undefined;
}

/** The last try is at the end of the time that an endpoint has, so that it is not disabled unasked. */
export function retryAfter(failure: FailedTry): Retry {
  const { attempts, at, failingSince, random } = failure;
  const pauseMs = (PAUSES_MS[attempts - 1] ?? EACH_DAY_MS) * (1 + JITTER * random);
  const leftMs = Math.max(0, failingSince.getTime() + DISABLED_AFTER_MS - at.getTime());
  const within = (ms: number): Date => later(at, Math.min(ms, leftMs));
  const askedMs = askedMsOf(failure);
  if (askedMs === undefined) return { at: within(pauseMs), pausedUntil: undefined };
  const leastMs = attempts >= PATIENT_ATTEMPTS ? Math.min(pauseMs, PATIENT_MS) : 0;
  return { at: within(Math.max(askedMs, leastMs)), pausedUntil: within(askedMs) };
}

/** A delivery that has failed and waits, or that has failed before and is taken now. */
export interface Tried {
  readonly attempts: number;
  /** Of the last try; null: no answer came. */
  readonly lastStatus: number | null;
  readonly lastTriedAt: Date | null;
}

const isReceiverAway = (status: number | null): boolean => status === null || status >= 500 || status === TOO_MANY;

/** A line's first delivery. */
export interface Waiting extends Tried {
  readonly nextAt: Date;
}

/**
 * Whether a success ends the wait of another line's delivery. One that had failed for the same reason shows that the reason is
 * gone. Any other success shows that the receiver is there: then a delivery that has waited long is tried, and not at each success.
 */
function endsWait(taken: Tried, waiting: Waiting, now: Date): boolean {
  if (waiting.attempts === 0 || waiting.nextAt <= now) return false;
  const waitedMs = now.getTime() - (waiting.lastTriedAt ?? now).getTime();
  if (taken.attempts > 0 && taken.lastStatus === waiting.lastStatus) return waitedMs >= LEAST_WAIT_MS;
  return isReceiverAway(waiting.lastStatus) && waitedMs >= WAITED_LONG_MS;
}

/**
 * The deliveries whose wait a success ends, those longest untried first. A line that never failed says little about those
 * that did: its success ends one wait, and none while another failed delivery is due.
 */
export function endedWaits<Line extends Waiting>(taken: Tried, lines: readonly Line[], now: Date): Line[] {
  const isProbing = lines.some(({ attempts, nextAt }) => attempts > 0 && nextAt <= now);
  if (taken.attempts === 0 && isProbing) return [];
  return lines
    .filter((waiting) => endsWait(taken, waiting, now))
    .sort(longestUntriedFirst)
    .slice(0, taken.attempts === 0 ? 1 : MOST_ENDED);
}

export const longestUntriedFirst = (one: Tried, other: Tried): number =>
  (one.lastTriedAt?.getTime() ?? 0) - (other.lastTriedAt?.getTime() ?? 0);

const SECONDS = /^\d{1,9}$/;

/** Of the header: a number of seconds or a date. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (SECONDS.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
