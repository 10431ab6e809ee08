import type { Book } from './book.js';
import { leaveCancel } from './cancel-offer.js';
import { changeBeside, changeWager, setStatus } from './change-wager.js';
import { isDecided } from './impact.js';
import { type Needs, NO_NEEDS } from './needs.js';
import type { Moment, PendingCancel, Wager, WagerStatus } from './records.js';
import { type OperationResult, type Rejection, reject } from './rejection.js';

/* Whether a wager takes offers and acceptances, and the operations that change it. */

/** Past `closesAt` a wager is closed before any worker has noted it. */
export const statusAt = ({ status, closesAt }: Pick<Wager, 'status' | 'closesAt'>, now: Moment): WagerStatus =>
  closesAt !== null && closesAt <= now ? 'closed' : status;

/** The reason of a status that the time alone has ended is gone with it. */
const reasonAt = (wager: Pick<Wager, 'status' | 'closesAt' | 'statusReason'>, now: Moment): string | null =>
  statusAt(wager, now) === wager.status ? wager.statusReason : null;

/** The refusal of an offer or an acceptance; null: the wager takes it. */
export const refuseBetting = ({ now }: Book, wager: Wager): Rejection | null => {
  // An outcome that is taken back while bets are still to be voided: one matched now would be, too.
  if (isDecided(wager.outcome) || wager.voidFrom !== null) return reject('wager-decided');
  switch (statusAt(wager, now)) {
    case 'open':
      return null;
    case 'suspended':
      return reject('wager-suspended');
    case 'closed':
      return reject('wager-closed');
  }
};

/** As it stands after the operation: the Book may change the wager again. */
export type AnsweredWager = Readonly<Wager>;

const answer = (book: Book, wager: Wager): OperationResult<AnsweredWager> => {
  const status = statusAt(wager, book.now);
  return { answer: { ...wager, status, statusReason: reasonAt(wager, book.now) }, commitment: null };
};

/** The reason of a suspension by a change request, whose end resumes the wager unless somebody else has suspended it too. */
export const suspensionOf = (changeRequestId: bigint): string => `Change request ${changeRequestId}`;

const isByChangeRequest = ({ statusReason }: Wager): boolean =>
  statusReason !== null && /^Change request \d+$/.test(statusReason);

export interface SuspendWager {
  readonly type: 'suspend_wager';
  readonly wagerReference: string;
  readonly reason: string | null;
  /** Whether all its open offers are canceled, and not only those that ask for it. */
  readonly cancelOffers: boolean;
}

export interface ResumeWager {
  readonly type: 'resume_wager';
  readonly wagerReference: string;
}

/** For good: only a decision follows. */
export interface CloseWager {
  readonly type: 'close_wager';
  readonly wagerReference: string;
  readonly reason: string | null;
}

export const needsOfStatusChange = ({ wagerReference: reference }: { readonly wagerReference: string }): Needs => ({
  ...NO_NEEDS,
  wagers: [{ reference }],
});

/** With the position of a cancel. */
export const needsOfSuspendWager = (operation: SuspendWager | CloseWager): Needs => ({
  ...needsOfStatusChange(operation),
  newBets: 1,
});

export const suspendWager = (book: Book, operation: SuspendWager): OperationResult<AnsweredWager> => {
  const { wagerReference, reason, cancelOffers } = operation;
  const wager = book.wagerNamed(wagerReference);
  if (wager === undefined) return reject('wager-not-found');
  if (isDecided(wager.outcome)) return reject('wager-is-decided');
  if (statusAt(wager, book.now) === 'closed') return reject('wager-closed');

  // Point of no return: from here on there are only changes.
  if (wager.status === 'open') {
    setStatus(book, wager, { status: 'suspended', statusReason: reason });
    book.journal.addEvent({ kind: 'wager.suspended', wager, facts: { reason } });
    cancelOnSuspend(book, wager, { onlyOnSuspend: !cancelOffers });
    return answer(book, wager);
  }
  if (isByChangeRequest(wager)) {
    // The wager is what the request has shown: its revision stays.
    changeWager(book, wager, { statusReason: reason });
    book.journal.addEvent({ kind: 'wager.suspended', wager, facts: { reason } });
  }
  if (cancelOffers) cancelOnSuspend(book, wager, { onlyOnSuspend: false });
  return answer(book, wager);
};

export const resumeWager = (book: Book, { wagerReference }: ResumeWager): OperationResult<AnsweredWager> => {
  const wager = book.wagerNamed(wagerReference);
  if (wager === undefined) return reject('wager-not-found');
  if (isDecided(wager.outcome) || statusAt(wager, book.now) === 'closed') return reject('wager-closed');

  // Point of no return: from here on there are only changes.
  if (wager.status === 'suspended') {
    setStatus(book, wager, { status: 'open', statusReason: null });
    book.journal.addEvent({ kind: 'wager.resumed', wager, facts: {} });
  }
  return answer(book, wager);
};

export const closeWager = (book: Book, { wagerReference, reason }: CloseWager): OperationResult<AnsweredWager> => {
  const wager = book.wagerNamed(wagerReference);
  if (wager === undefined) return reject('wager-not-found');
  if (isDecided(wager.outcome)) return reject('wager-is-decided');

  // Point of no return: from here on there are only changes.
  if (statusAt(wager, book.now) !== 'closed') endBetting(book, wager, reason);
  return answer(book, wager);
};

/** Closes the wager, and cancels the offers that do not outlive it. The others stay, for their users to cancel. */
export const endBetting = (book: Book, wager: Wager, reason: string | null): void => {
  setStatus(book, wager, { status: 'closed', statusReason: reason });
  book.journal.addEvent({ kind: 'wager.closed', wager, facts: { reason } });
  cancelOnSuspend(book, wager, { onlyOnSuspend: true });
};

/** Leaves the offers to the worker. A wager that never had one that asks for it gets no mark. */
const cancelOnSuspend = (book: Book, wager: Wager, { onlyOnSuspend }: Pick<PendingCancel, 'onlyOnSuspend'>): void => {
  if (onlyOnSuspend && !wager.hasSuspendable) return;
  const position = book.nextBetId();
  const last = position - 1n;
  // It takes what an earlier suspension takes: so there are few of them, however often the wager is suspended.
  const isReplaced = (earlier: PendingCancel) =>
    earlier.reason === 'suspended' && (!onlyOnSuspend || earlier.onlyOnSuspend);
  const cancel: PendingCancel = {
    position,
    userId: null,
    minimumOdds: null,
    maximumOdds: null,
    onlyOnSuspend,
    reason: 'suspended',
    upTo: { queuePlace: last, id: last },
  };
  leaveCancel(book, wager, cancel, isReplaced);
};

/** Makes the wager where there is none. */
export interface ScheduleWager {
  readonly type: 'schedule_wager';
  readonly wagerReference: string;
  /** Null: it closes at no time. Undefined: as before. */
  readonly closesAt: Moment | null | undefined;
  /** Null takes the label away. Undefined: as before. */
  readonly event?: string | null | undefined;
  readonly startsAt?: Moment | null | undefined;
}

type Labels = Partial<Pick<Wager, 'event' | 'startsAt'>>;

/** Those that the operation changes. */
const newLabels = (wager: Wager | undefined, { event, startsAt }: ScheduleWager): Labels => ({
  ...(event !== undefined && event !== (wager?.event ?? null) && { event }),
  ...(startsAt !== undefined && startsAt !== (wager?.startsAt ?? null) && { startsAt }),
});

/** They may change after the decision too: they decide nothing. */
const isOnlyLabels = ({ closesAt, event, startsAt }: ScheduleWager): boolean =>
  closesAt === undefined && (event !== undefined || startsAt !== undefined);

export const needsOfScheduleWager = (operation: ScheduleWager): Needs => ({
  ...needsOfStatusChange(operation),
  newWagers: 1,
});

export const scheduleWager = (book: Book, operation: ScheduleWager): OperationResult<AnsweredWager> => {
  const { wagerReference, closesAt } = operation;
  const known = book.wagerNamed(wagerReference);
  if (known !== undefined && isDecided(known.outcome) && !isOnlyLabels(operation)) return reject('wager-is-decided');
  const isChange = closesAt !== undefined && closesAt !== (known?.closesAt ?? null);
  if (isChange && known !== undefined && statusAt(known, book.now) === 'closed') return reject('wager-closed');
  if (isChange && closesAt !== null && closesAt <= book.now)
    return reject('malformed', 'closes_at must be in the future');

  // Point of no return: from here on there are only changes.
  const labels = newLabels(known, operation);
  const facts = { ...(isChange && { closesAt }), ...labels };
  const wager = known ?? book.createWager(wagerReference);
  if (isChange) setStatus(book, wager, { closesAt });
  if (Object.keys(facts).length > 0) {
    changeBeside(book, wager, labels);
    book.journal.addEvent({ kind: 'wager.changed', wager, facts });
  }
  return answer(book, wager);
};
