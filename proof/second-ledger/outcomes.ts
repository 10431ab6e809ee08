import type { OperationOf } from '#core/operation.js';
import type { Outcome } from '#core/records.js';
import { isCanceling } from './cancels.js';
import { change, type Decided, type Draft, findBet } from './draft.js';
import { type BetFacts, type WagerFacts, wagerOf } from './facts.js';
import { isBehind, isDecided, statusOf } from './picture.js';
import { alreadyDecided, invalid, malformed, notFound, type Refusal } from './refusals.js';

const voidsNothing = (): Refusal => malformed('void_matched_after must not be given with the outcome undecided');

export const decideWager = (draft: Draft, operation: OperationOf<'update_wager_outcome'>): Decided => {
  const { reference, outcome, voidMatchedAfter = null, bound } = operation;
  if (voidMatchedAfter !== null && outcome === 'undecided') return voidsNothing();
  const wager = draft.facts.wagers.find((some) => some.reference === reference);
  if (wager === undefined) return notFound('Wager');
  if (isDecided(wager.outcome)) return alreadyDecided();
  if (outcome === 'undecided') return { answer: { wagerId: wager.id, settledCount: 0, remainingCount: 0 } };
  return { answer: giveOutcome(draft, wager, { outcome, voidMatchedAfter, isForced: false, bound }) };
};

export const forceOutcome = (draft: Draft, operation: OperationOf<'force_wager_outcome'>): Decided => {
  const { wagerReference, outcome, voidMatchedAfter = null, bound } = operation;
  if (voidMatchedAfter !== null && outcome === 'undecided') return voidsNothing();
  const wager = draft.facts.wagers.find((some) => some.reference === wagerReference);
  if (wager === undefined) return notFound('Wager');
  return { answer: giveOutcome(draft, wager, { outcome, voidMatchedAfter, isForced: true, bound }) };
};

export const settleChunk = (draft: Draft, { wagerId, bound }: OperationOf<'settle_chunk'>): Decided => {
  const wager = draft.facts.wagers.find(({ id }) => id === wagerId);
  if (wager === undefined) return notFound('Wager');
  const settledCount = reachNext(draft, wager, bound);
  // A chunk with fewer bets than its bound has moved the last ones; after a full one, more may be pending.
  const isComplete = settledCount < bound;
  if (isComplete && wager.isSettling) {
    wager.isSettling = false;
    wager.voidFrom = null;
    if (wager.isForced) draft.followUps.push({ kind: 'check-portfolios', wagerId });
  }
  return { answer: { wagerId, settledCount, isComplete } };
};

const giveOutcome = (
  draft: Draft,
  wager: WagerFacts,
  given: { outcome: Outcome; voidMatchedAfter: bigint | null; isForced: boolean; bound: number },
) => {
  const isOvertaken = wager.isSettling && wager.isForced && !given.isForced;
  Object.assign(wager, { outcome: given.outcome, isForced: given.isForced, revision: wager.revision + 1 });
  const wasVoiding = wager.voidFrom !== null;
  const moments = [wager.voidFrom, given.voidMatchedAfter].filter((moment) => moment !== null);
  wager.voidFrom = moments.reduce<bigint | null>((first, at) => (first === null || at < first ? at : first), null);
  const settledCount = reachNext(draft, wager, given.bound);
  // A worker that is at work on voids has the last word.
  const remainingCount = Math.max(behind(draft, wager).length, wasVoiding ? 1 : 0);
  wager.isSettling = remainingCount > 0;
  if (!wager.isSettling) wager.voidFrom = null;
  if (remainingCount > 0) draft.followUps.push({ kind: 'settle-wager', wagerId: wager.id });
  // A correction gets its check when it has ended, or another decision ends it.
  if (isOvertaken || (wager.isForced && remainingCount === 0))
    draft.followUps.push({ kind: 'check-portfolios', wagerId: wager.id });
  return { wagerId: wager.id, settledCount, remainingCount };
};

const behind = (draft: Draft, wager: WagerFacts): BetFacts[] =>
  draft.facts.bets.filter(
    (bet) => bet.wagerId === wager.id && (isBehind(bet, wager.outcome) || isToBeVoided(wager, bet)),
  );

const isLate = ({ voidFrom }: WagerFacts, { acceptance }: BetFacts): boolean =>
  voidFrom !== null && (acceptance?.at ?? -1n) >= voidFrom;
const isToBeVoided = (wager: WagerFacts, bet: BetFacts): boolean =>
  isLate(wager, bet) && bet.override?.outcome !== 'void';

/** The decision of the wager: its outcome, and whether it voids the bet. A voided bet keeps its status. */
const reachOf = (wager: WagerFacts, bet: BetFacts): Partial<BetFacts> => ({
  reachedBy: wager.outcome,
  ...(isToBeVoided(wager, bet) && { override: { outcome: 'void', isForced: statusOf(bet) === 'expired' } }),
});

/** The outcome reaches offers before matched bets, and the older ones of each first. */
const reachNext = (draft: Draft, wager: WagerFacts, bound: number): number => {
  const waiting = behind(draft, wager).sort((one, other) => Number(one.id - other.id));
  const inOrder = [
    ...waiting.filter(({ acceptance }) => acceptance === null),
    ...waiting.filter(({ acceptance }) => acceptance !== null),
  ];
  const { movesFirst } = draft.facts;
  const first = inOrder.filter(({ id }) => movesFirst?.has(id));
  const chosen = new Set([...first, ...inOrder.filter((bet) => !first.includes(bet))].slice(0, bound));
  const next = inOrder.filter((bet) => chosen.has(bet));
  for (const bet of next) {
    if (isCanceling(draft.facts, bet)) change(draft, bet, { isCanceled: true });
    else change(draft, bet, reachOf(wager, bet), { isByAdmin: wager.isForced });
  }
  return next.length;
};

const isBeingVoided = (): Refusal =>
  invalid('a decision is voiding the bet: it can be overridden when the wager has settled');

export const overrideOutcome = (draft: Draft, operation: OperationOf<'override_bet_outcome'>): Decided => {
  const { betId, overrideOutcome: outcome } = operation;
  const bet = findBet(draft, betId);
  if (bet === undefined) return notFound('Bet');
  if (statusOf(bet) !== 'accepted') return invalid("bet offer status must be 'accepted'");
  if (!bet.isActive) return invalid('bet is not active');
  if (isLate(wagerOf(draft.facts, bet), bet)) return isBeingVoided();
  restate(draft, bet, { override: { outcome, isForced: false } });
  return { answer: { betId } };
};

export const setActive = (draft: Draft, operation: OperationOf<'set_bet_active'>): Decided => {
  const { betId, isActive } = operation;
  const bet = findBet(draft, betId);
  if (bet === undefined) return notFound('Bet');
  if (bet.isActive === isActive) return invalid(`Bet is already ${isActive ? 'active' : 'inactive'}`);
  if (isCanceling(draft.facts, bet)) change(draft, bet, { isCanceled: true });
  restate(draft, bet, { isActive }, { isByAdmin: true });
  return { answer: { betId } };
};

export const forceOverride = (draft: Draft, operation: OperationOf<'force_bet_override'>): Decided => {
  const { betId, overrideOutcome: outcome } = operation;
  const bet = findBet(draft, betId);
  if (bet === undefined) return notFound('Bet');
  if (statusOf(bet) === 'canceled' || isCanceling(draft.facts, bet))
    return invalid("bet offer status must not be 'canceled'");
  if (isLate(wagerOf(draft.facts, bet), bet)) return isBeingVoided();
  const override = outcome === null ? null : { outcome, isForced: true };
  restate(draft, bet, { override }, { isByAdmin: true });
  return { answer: { betId } };
};

/** Any operation on a bet also lets its wager's outcome reach it. */
const restate = (draft: Draft, bet: BetFacts, facts: Partial<BetFacts>, { isByAdmin = false } = {}): void => {
  const wager = wagerOf(draft.facts, bet);
  wager.revision += 1;
  change(draft, bet, { ...reachOf(wager, bet), ...facts }, { isByAdmin });
};
