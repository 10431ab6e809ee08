import type { LedgerEvent } from '../../live/shared-events.js';

// What lists and figures of bets are loaded again for, and how often.

/** The types of events that may change what is shown of bets and wagers. */
export const ABOUT_BETS = ['offer.*', 'bet.*', 'wager.*'];

/** Lists, and pages of several answers, are loaded no more often. */
export const LIST_PAUSE_MS = 2_000;

export const isAboutWager =
  (reference: string) =>
  ({ wager }: LedgerEvent): boolean =>
    wager?.reference === reference;
