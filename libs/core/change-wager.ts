import type { Table } from './changes.js';
import { isDecided } from './impact.js';
import type { Bet, Moment, Wager } from './records.js';

/* How a wager changes, but for its pending cancels, which its offers must know (`Book.setPendingCancels`). */

/** The Book, as far as this file needs it. */
interface Wagers {
  readonly now: Moment;
  readonly wagers: Table<bigint, Wager>;
}

/** PostgreSQL keeps the times that are shown in milliseconds. */
const shown = (now: Moment): Moment => now - (now % 1_000n);

export const newWager = ({ now }: Pick<Wagers, 'now'>, { id, reference }: Pick<Wager, 'id' | 'reference'>): Wager => ({
  id,
  reference,
  outcome: 'undecided',
  forcedBy: null,
  status: 'open',
  statusReason: null,
  closesAt: null,
  event: null,
  startsAt: null,
  revision: 0,
  hasSuspendable: false,
  hasExpiring: false,
  settlingSince: null,
  settledUpTo: 0n,
  voidFrom: null,
  pendingCancels: [],
  createdAt: shown(now),
  updatedAt: shown(now),
});

export const changeWager = (book: Wagers, wager: Wager, facts: Partial<Wager>): void => {
  book.wagers.touch(wager);
  Object.assign(wager, { updatedAt: shown(book.now), ...facts });
};

/** What its decision has no part in. The time of a decision stays: it says how long the business may correct it. */
export const changeBeside = (book: Wagers, wager: Wager, facts: Partial<Wager>): void => {
  const { outcome, updatedAt } = wager;
  changeWager(book, wager, isDecided(outcome) ? { ...facts, updatedAt } : facts);
};

/** Who has seen a preview of the wager can tell whether it is out of date. */
export const reviseWager = ({ wagers }: Wagers, wager: Wager): void => {
  wagers.touch(wager);
  wager.revision += 1;
};

export const setStatus = (
  book: Wagers,
  wager: Wager,
  status: Partial<Pick<Wager, 'status' | 'statusReason' | 'closesAt'>>,
): void => {
  changeWager(book, wager, status);
  reviseWager(book, wager);
};

export const setOutcome = (book: Wagers, wager: Wager, decision: Pick<Wager, 'outcome' | 'forcedBy'>): void => {
  reviseWager(book, wager);
  const { outcome, forcedBy } = decision;
  if (wager.outcome === outcome && forcedBy === null) return;
  // An admin who forces the outcome that the wager has wants every bet to be looked at.
  changeWager(book, wager, { outcome, forcedBy, settledUpTo: 0n });
};

/** What an earlier decision voids it voids still. */
export const addVoids = (book: Wagers, wager: Wager, from: Moment): void => {
  if (wager.voidFrom === null || from < wager.voidFrom) changeWager(book, wager, { voidFrom: from });
};

export const markSettling = (book: Wagers, wager: Wager, isSettling: boolean): void => {
  if (!isSettling && wager.voidFrom !== null) changeWager(book, wager, { voidFrom: null });
  if ((wager.settlingSince !== null) === isSettling) return;
  changeWager(book, wager, { settlingSince: isSettling ? shown(book.now) : null });
};

/** Once for each wager: most have no offer that ends by itself, and nothing looks for one there. */
export const noteEnds = ({ wagers }: Wagers, wager: Wager, { cancelOnSuspend, expiresAt }: Bet): void => {
  const hasSuspendable = wager.hasSuspendable || cancelOnSuspend;
  const hasExpiring = wager.hasExpiring || expiresAt !== null;
  if (hasSuspendable === wager.hasSuspendable && hasExpiring === wager.hasExpiring) return;
  wagers.touch(wager);
  Object.assign(wager, { hasSuspendable, hasExpiring });
};
