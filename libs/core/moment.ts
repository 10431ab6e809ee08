import type { Moment } from './records.js';

/* Dates of JavaScript have milliseconds; a Moment has microseconds. */

const MICROSECONDS_IN_MS = 1_000n;

export const momentOf = (date: Date): Moment => BigInt(date.getTime()) * MICROSECONDS_IN_MS;

/** Cut to milliseconds, never rounded up. */
export const dateOf = (moment: Moment): Date => new Date(Number(moment / MICROSECONDS_IN_MS));
