import type { Response } from 'express';
import type { Deadline } from '#ledger/lanes.js';
import { Refusal } from '#platform/errors/refusal.js';

/** A lane drops a late task before the request itself is given up, so that its caller learns that nothing was done. */
const LANE_MARGIN = 0.95;
const RETRY_AFTER_SECONDS = 1;

/** The deadline counts from the moment at which `beginAnswers` has noted the request: it may wait in its guards as well. */
const endOf = (response: Response, deadlineMs: number): number => (response.locals.arrivedAt as number) + deadlineMs;

const isGone = (response: Response): boolean => response.closed || response.writableEnded;

export const deadlineOf = (response: Response, deadlineMs: number): Deadline => ({
  at: endOf(response, deadlineMs * LANE_MARGIN),
  isGone: () => isGone(response),
});

/** A read whose caller is gone, or has no more time, is not run, or not run further. */
export function assertWanted({ at, isGone: isCallerGone }: Deadline): void {
  if (isCallerGone() || performance.now() >= at)
    throw new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export interface TimeLimit {
  readonly deadlineMs: number;
  /** Whether the work changes nothing. */
  readonly isRead: boolean;
}

/** Refuses after the deadline. The work goes on; when it changes data, the caller must look whether it was done. */
export function inTime<Result>(
  response: Response,
  work: Promise<Result>,
  { deadlineMs, isRead }: TimeLimit,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const refusal = isRead
        ? new Refusal('database-unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
        : new Refusal('outcome-unknown');
      reject(refusal);
    }, endOf(response, deadlineMs) - performance.now());
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
