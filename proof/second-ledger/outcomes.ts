import type { OperationOf } from '#core/operation.js';
import type { Outcome } from '#core/records.js';
import { isCanceling } from './cancels.js';
import { change, type Decided, type Draft, findBet } from './draft.js';
import { type BetFacts, type WagerFacts, wagerOf } from './facts.js';
import { isBehind, isDecided, statusOf } from './picture.js';
import { alreadyDecided, invalid, notFound } from './refusals.js';

export const decideWager = (draft: Draft, operation: OperationOf<'update_wager_outcome'>): Decided => {
  const { reference, outcome, bound } = operation;
  const wager = draft.facts.wagers.find((some) => some.reference === reference);
  if (wager === undefined) return notFound('Wager');
  if (isDecided(wager.outcome)) return alreadyDecided();
  if (outcome === 'undecided') return { answer: { wagerId: wager.id, settledCount: 0, remainingCount: 0 } };
  return { answer: giveOutcome(draft, wager, { outcome, isForced: false, bound }) };
};

export const forceOutcome = (draft: Draft, operation: OperationOf<'force_wager_outcome'>): Decided => {
  const { wagerReference, outcome, bound } = operation;
  const wager = draft.facts.wagers.find((some) => some.reference === wagerReference);
  if (wager === undefined) return notFound('Wager');
  return { answer: giveOutcome(draft, wager, { outcome, isForced: true, bound }) };
};

export const settleChunk = (draft: Draft, { wagerId, bound }: OperationOf<'settle_chunk'>): Decided => {
  const wager = draft.facts.wagers.find(({ id }) => id === wagerId);
  if (wager === undefined) return notFound('Wager');
  const settledCount = reachNext(draft, wager, bound);
  // A chunk with fewer bets than its bound has moved the last ones; after a full one, more may be pending.
  const isComplete = settledCount < bound;
  if (isComplete && wager.isSettling) {
    wager.isSettling = false;
    if (wager.isForced) draft.followUps.push({ kind: 'check-portfolios', wagerId });
  }
  return { answer: { wagerId, settledCount, isComplete } };
};

const giveOutcome = (
  draft: Draft,
  wager: WagerFacts,
  given: { outcome: Outcome; isForced: boolean; bound: number },
) => {
  const isOvertaken = wager.isSettling && wager.isForced && !given.isForced;
  Object.assign(wager, { outcome: given.outcome, isForced: given.isForced, revision: wager.revision + 1 });
  const settledCount = reachNext(draft, wager, given.bound);
  const remainingCount = behind(draft, wager).length;
  wager.isSettling = remainingCount > 0;
  if (remainingCount > 0) draft.followUps.push({ kind: 'settle-wager', wagerId: wager.id });
  // A correction gets its check when it has ended, or another decision ends it.
  if (isOvertaken || (wager.isForced && remainingCount === 0))
    draft.followUps.push({ kind: 'check-portfolios', wagerId: wager.id });
  return { wagerId: wager.id, settledCount, remainingCount };
};

const behind = (draft: Draft, wager: WagerFacts): BetFacts[] =>
  draft.facts.bets.filter((bet) => bet.wagerId === wager.id && isBehind(bet, wager.outcome));

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
    else change(draft, bet, { reachedBy: wager.outcome }, { isByAdmin: wager.isForced });
  }
  return next.length;
};

export const overrideOutcome = (draft: Draft, operation: OperationOf<'override_bet_outcome'>): Decided => {
  const { betId, overrideOutcome: outcome } = operation;
  const bet = findBet(draft, betId);
  if (bet === undefined) return notFound('Bet');
  if (statusOf(bet) !== 'accepted') return invalid("bet offer status must be 'accepted'");
  if (!bet.isActive) return invalid('bet is not active');
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
  const override = outcome === null ? null : { outcome, isForced: true };
  restate(draft, bet, { override }, { isByAdmin: true });
  return { answer: { betId } };
};

/** Any operation on a bet also lets its wager's outcome reach it. */
const restate = (draft: Draft, bet: BetFacts, facts: Partial<BetFacts>, { isByAdmin = false } = {}): void => {
  const wager = wagerOf(draft.facts, bet);
  wager.revision += 1;
  change(draft, bet, { ...facts, reachedBy: wager.outcome }, { isByAdmin });
};
