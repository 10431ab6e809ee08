import type { OperationOf } from '#core/operation.js';
import { isCanceling, isOpen } from './cancels.js';
import { change, type Decided, type Draft } from './draft.js';
import type { PendingCancelFacts, WagerFacts } from './facts.js';
import { createWager } from './offers.js';
import { isDecided } from './picture.js';
import { invalid, malformed, notFound } from './refusals.js';
import { hasEnded, isShut } from './time.js';

/* The operations on whether a wager takes bets, and the worker's on what time ends. */

const named = ({ facts }: Draft, reference: string): WagerFacts | undefined =>
  facts.wagers.find((wager) => wager.reference === reference);

/** The part of the answer that the rules fix. */
const shown = ({ facts }: Draft, wager: WagerFacts): Decided => {
  const hasPassed = wager.status !== 'closed' && isShut(facts, wager);
  const { closesAt, event, startsAt, revision } = wager;
  const status = hasPassed ? 'closed' : wager.status;
  return {
    answer: { status, statusReason: hasPassed ? null : wager.statusReason, closesAt, event, startsAt, revision },
  };
};

const set = (wager: WagerFacts, facts: Partial<WagerFacts>): void => {
  Object.assign(wager, facts, { revision: wager.revision + 1 });
};

/** The new cancel stands in the place of the first that it replaces, else at the end. */
const replaced = (
  pending: readonly PendingCancelFacts[],
  isReplaced: (earlier: PendingCancelFacts) => boolean,
  cancel: PendingCancelFacts,
): PendingCancelFacts[] =>
  pending.some(isReplaced)
    ? [...new Set(pending.map((earlier) => (isReplaced(earlier) ? cancel : earlier)))]
    : [...pending, cancel];

/** Of a wager that ever had an offer that ends with it, a suspension leaves a cancel, even where it finds none open. */
const leaveCancel = (draft: Draft, wager: WagerFacts, which: 'some' | 'all'): void => {
  const own = draft.facts.bets.filter(({ wagerId }) => wagerId === wager.id);
  if (which === 'some' && !own.some((bet) => bet.endsOnSuspend)) return;
  const meant = own.filter((bet) => isOpen(bet) && (which === 'all' || bet.endsOnSuspend));
  draft.facts.nextBetId += 1n;
  const isReplaced = ({ bySuspension }: PendingCancelFacts) =>
    bySuspension !== undefined && (which === 'all' || bySuspension === 'some');
  const cancel: PendingCancelFacts = { betIds: new Set(meant.map(({ id }) => id)), bySuspension: which };
  wager.pendingCancels = replaced(wager.pendingCancels, isReplaced, cancel);
  draft.followUps.push({ kind: 'cancel-offers', wagerId: wager.id });
};

const CHANGE_REQUEST = 'Change request ';

export const suspendWager = (draft: Draft, operation: OperationOf<'suspend_wager'>): Decided => {
  const wager = named(draft, operation.wagerReference);
  if (wager === undefined) return notFound('Wager');
  if (isDecided(wager.outcome)) return invalid('Wager is decided');
  if (isShut(draft.facts, wager)) return invalid('Wager is closed');
  const wasOpen = wager.status === 'open';
  if (wasOpen) set(wager, { status: 'suspended', statusReason: operation.reason });
  // Somebody suspends what a change request has suspended: that is no change of the status.
  else if (wager.statusReason?.startsWith(CHANGE_REQUEST)) wager.statusReason = operation.reason;
  if (operation.cancelOffers) leaveCancel(draft, wager, 'all');
  else if (wasOpen) leaveCancel(draft, wager, 'some');
  return shown(draft, wager);
};

export const resumeWager = (draft: Draft, operation: OperationOf<'resume_wager'>): Decided => {
  const wager = named(draft, operation.wagerReference);
  if (wager === undefined) return notFound('Wager');
  if (isDecided(wager.outcome) || isShut(draft.facts, wager)) return invalid('Wager is closed');
  if (wager.status === 'suspended') set(wager, { status: 'open', statusReason: null });
  return shown(draft, wager);
};

const shut = (draft: Draft, wager: WagerFacts, reason: string | null): void => {
  set(wager, { status: 'closed', statusReason: reason });
  leaveCancel(draft, wager, 'some');
};

export const closeWager = (draft: Draft, operation: OperationOf<'close_wager'>): Decided => {
  const wager = named(draft, operation.wagerReference);
  if (wager === undefined) return notFound('Wager');
  if (isDecided(wager.outcome)) return invalid('Wager is decided');
  if (!isShut(draft.facts, wager)) shut(draft, wager, operation.reason);
  return shown(draft, wager);
};

export const scheduleWager = (draft: Draft, operation: OperationOf<'schedule_wager'>): Decided => {
  const { wagerReference, closesAt, event, startsAt } = operation;
  const { now } = draft.facts;
  const known = named(draft, wagerReference);
  const isLabeled = event !== undefined || startsAt !== undefined;
  if (isDecided(known?.outcome) && (closesAt !== undefined || !isLabeled)) return invalid('Wager is decided');
  const before = known?.closesAt ?? null;
  const moves = closesAt !== undefined && closesAt !== before;
  if (moves && known !== undefined && isShut(draft.facts, known)) return invalid('Wager is closed');
  if (moves && closesAt !== null && closesAt <= now) return malformed('closes_at must be in the future');
  const wager = known ?? createWager(draft, wagerReference);
  if (moves) set(wager, { closesAt });
  if (event !== undefined) wager.event = event;
  if (startsAt !== undefined) wager.startsAt = startsAt;
  return shown(draft, wager);
};

/** Offers that came after it fired have higher ids, and so have their places. */
export const fireTimer = (draft: Draft, operation: OperationOf<'fire_timer'>): Decided => {
  const { wagerId, userId, upTo, bound } = operation;
  const wager = draft.facts.wagers.find(({ id }) => id === wagerId);
  if (wager === undefined) return notFound('Wager');
  if (isDecided(wager.outcome)) return { answer: { wagerId, canceledCount: 0 } };
  draft.facts.nextBetId += 1n;
  const meant = draft.facts.bets
    .filter((bet) => bet.wagerId === wagerId && isOpen(bet) && bet.queuePlace <= upTo)
    .filter(
      ({ requesterId, queuePlace, id }) =>
        (userId === null || requesterId === userId) && (queuePlace < upTo || id <= upTo),
    )
    .sort((one, other) => Number(one.queuePlace - other.queuePlace) || Number(one.id - other.id));
  if (wager.pendingCancels.length === 0 && meant.length <= bound) {
    for (const bet of meant) change(draft, bet, { isCanceled: true });
    return { answer: { wagerId, canceledCount: meant.length } };
  }
  const byTimerOf = userId ?? 'everybody';
  const isOwn = (earlier: PendingCancelFacts) => earlier.byTimerOf === byTimerOf;
  if (wager.pendingCancels.some((earlier) => isOwn(earlier) && (earlier.upTo ?? 0n) >= upTo)) {
    return { answer: { wagerId, canceledCount: 0 } };
  }
  const cancel: PendingCancelFacts = { betIds: new Set(meant.map(({ id }) => id)), byTimerOf, upTo };
  wager.pendingCancels = replaced(wager.pendingCancels, isOwn, cancel);
  draft.followUps.push({ kind: 'cancel-offers', wagerId });
  return { answer: { wagerId, canceledCount: 0 } };
};

export const runClock = (draft: Draft, { wagerId, bound }: OperationOf<'run_clock'>): Decided => {
  const wager = draft.facts.wagers.find(({ id }) => id === wagerId);
  if (wager === undefined) return notFound('Wager');
  if (isDecided(wager.outcome)) return { answer: { wagerId, expiredCount: 0, isComplete: true } };
  const due = draft.facts.bets
    .filter((bet) => bet.wagerId === wagerId && isOpen(bet) && hasEnded(draft.facts, bet))
    .filter((bet) => !isCanceling(draft.facts, bet))
    .sort((one, other) => Number(one.queuePlace - other.queuePlace) || Number(one.id - other.id))
    .slice(0, bound);
  for (const bet of due) change(draft, bet, { isTimedOut: true });
  if (wager.status !== 'closed' && isShut(draft.facts, wager)) shut(draft, wager, null);
  return { answer: { wagerId, expiredCount: due.length, isComplete: due.length < bound } };
};
