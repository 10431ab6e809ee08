import type { OperationOf } from '#core/operation.js';
import { isCanceling, isOpen } from './cancels.js';
import { change, type Decided, type Draft, findBet, openOffer, openRest } from './draft.js';
import {
  type BetFacts,
  type Facts,
  FIRST_WAGER_ID,
  newWagerFacts,
  type UserFacts,
  type WagerFacts,
  wagerOf,
} from './facts.js';
import { decimalOf, LARGEST_FIGURE, ONE, receivedBy, sumOf } from './figures.js';
import { findUser } from './find-user.js';
import { isDecided, statusOf } from './picture.js';
import { invalid, malformed, missing, notFound, Refusal, tooFine, tooMuchToWin, unfunded } from './refusals.js';
import { hasEnded, whyShut } from './time.js';

type MakeOffer = OperationOf<'make_bet_offer'>;
type AcceptOffer = OperationOf<'accept_bet_offer'>;
type CancelOffer = OperationOf<'cancel_bet_offer'>;

const smallerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const wagerNamed = ({ facts }: Draft, reference: string | null): WagerFacts | undefined =>
  facts.wagers.find((wager) => wager.reference === reference);

const bySize = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);
const byAge = (one: BetFacts, other: BetFacts): number =>
  bySize(one.queuePlace, other.queuePlace) || bySize(one.id, other.id);
const byOdds = (one: BetFacts, other: BetFacts): number => bySize(one.odds, other.odds) || byAge(one, other);

/** Takes the offers in order until the amount is used up; null: all of them. */
const shareOut = (
  offers: readonly BetFacts[],
  amount: bigint | null,
  mayTake: (bet: BetFacts, share: bigint) => boolean = () => true,
) => {
  const shares: { bet: BetFacts; amount: bigint }[] = [];
  let left = amount ?? sumOf(offers.map((bet) => bet.amount));
  for (const bet of offers) {
    if (left === 0n) break;
    const share = smallerOf(left, bet.amount);
    if (!mayTake(bet, share)) continue;
    shares.push({ bet, amount: share });
    left -= share;
  }
  return shares;
};

export const makeOffer = (draft: Draft, operation: MakeOffer): Decided => {
  const { wagerReference, requestingOdds: odds, requestingAmount: amount } = operation;
  const fine = tooFine(draft.facts, 'requesting_amount', amount);
  if (fine !== null) return fine;
  const requester = findUser(draft.facts.users, operation.requestingUser, 'requesting_user');
  if (requester instanceof Refusal) return requester;
  const known = wagerNamed(draft, wagerReference);
  const shut = known === undefined ? null : whyShut(draft.facts, known);
  if (shut !== null) return shut;
  const end = endOf(draft.facts, operation);
  if (end instanceof Refusal) return end;
  const allowed = [
    ...operation.allowedAcceptorIds.map((id) => draft.facts.users.find((user) => user.id === id)),
    ...operation.allowedAcceptorReferences.map((name) => draft.facts.users.find((user) => user.reference === name)),
  ];
  const allowedAcceptorIds = new Set(allowed.filter((user) => user !== undefined).map(({ id }) => id));
  if (allowed.includes(undefined)) return notFound('Allowed acceptor');
  if (receivedBy('win', { odds, amount, decimals: draft.facts.decimals }) > LARGEST_FIGURE) return tooMuchToWin();

  const wager = known ?? createWager(draft, wagerReference);
  const ends = { expiresAt: end, endsOnSuspend: operation.cancelOnSuspend };
  const terms = { wagerId: wager.id, requesterId: requester.id, odds, amount, ...ends };
  const bet = openOffer(draft, { ...terms, allowedAcceptorIds: [...allowedAcceptorIds] }, null);
  return {
    answer: { betId: bet.id, wagerId: wager.id, wagerReference },
    commitment: { userId: requester.id, refusal: unfunded('offer') },
  };
};

const SECOND = 1_000_000n;

const endOf = ({ now }: Facts, { ends }: MakeOffer): bigint | null | Refusal => {
  if (ends === null) return null;
  const at = 'at' in ends ? ends.at : now + BigInt(ends.inSeconds) * SECOND;
  if (at <= now) return malformed('expires_at must be in the future');
  const isTooFar = at - now > 400n * 24n * 3_600n * SECOND;
  return isTooFar ? malformed('expires_at must not be more than 400 days ahead') : at;
};

export const createWager = ({ facts }: Draft, reference: string): WagerFacts => {
  const id = facts.ids?.wagers[facts.wagers.length] ?? FIRST_WAGER_ID + BigInt(facts.wagers.length);
  const wager = newWagerFacts(id, reference);
  facts.wagers.push(wager);
  return wager;
};

export const acceptOffer = (draft: Draft, operation: AcceptOffer): Decided => {
  const { users } = draft.facts;
  const fine = tooFine(draft.facts, 'accepting_amount', operation.acceptingAmount);
  if (fine !== null) return fine;
  const acceptor = findUser(users, operation.acceptingUser, 'accepting_user');
  if (acceptor instanceof Refusal) return acceptor;
  const { id, reference } = operation.requestingUser ?? {};
  const isAnyone = id === undefined && reference === undefined;
  const requester = isAnyone ? null : findUser(users, { id, reference }, 'requesting_user');
  if (requester instanceof Refusal) return requester;
  const search = { acceptor, requester, maximumOdds: operation.maximumOdds };
  const offers =
    operation.betId === null
      ? findAcceptable(draft, operation.wagerReference, search)
      : findOne(draft, operation.betId, search);
  if (offers instanceof Refusal) return offers;

  const { acceptingAmount, betId, bound } = operation;
  const mayTake = (bet: BetFacts, share: bigint) => winsSomething(draft, bet, share);
  const shares = shareOut(offers, acceptingAmount, mayTake).slice(0, bound);
  if (shares.length === 0) return betId === null ? invalid('No matching bet offers found') : tooSmallPart();
  const answer = shares.map(({ bet, amount }) => accept(draft, bet, { acceptorId: acceptor.id, amount }));
  return { answer, commitment: { userId: acceptor.id, refusal: unfunded('acceptance') } };
};

/** Or it is the whole offer, or there is nothing to win, or nothing is cut off. */
const winsSomething = ({ facts: { decimals } }: Draft, { odds, amount: whole }: BetFacts, amount: bigint): boolean =>
  decimals === null || amount === whole || odds === ONE || receivedBy('win', { odds, amount, decimals }) > 0n;

const tooSmallPart = () => invalid('the winnings of so small a part are rounded to nothing: take more of the offer');

interface Search {
  readonly acceptor: UserFacts;
  readonly requester: UserFacts | null;
  readonly maximumOdds: bigint;
}

/** The first reason for which this acceptor cannot take the offer; null: it can. */
const refusalFor = (draft: Draft, bet: BetFacts, search: Search): Refusal | null => {
  const { acceptor, requester, maximumOdds } = search;
  if (statusOf(bet) !== 'requesting' || isCanceling(draft.facts, bet) || hasEnded(draft.facts, bet))
    return invalid("bet offer status must be 'requesting'");
  if (!bet.isActive) return invalid('bet is not active');
  if (bet.requesterId === acceptor.id) return invalid('a user cannot accept its own offer');
  if (requester !== null && bet.requesterId !== requester.id) {
    return invalid('bet is not an offer of the requesting user');
  }
  if (bet.allowedAcceptorIds.length > 0 && !bet.allowedAcceptorIds.includes(acceptor.id)) {
    return invalid('accepting user is not allowed to accept this offer');
  }
  if (bet.odds > maximumOdds) {
    return invalid(`bet odds ${decimalOf(bet.odds)} are above maximum_odds ${decimalOf(maximumOdds)}`);
  }
  return null;
};

const findOne = (draft: Draft, betId: bigint, search: Search): readonly BetFacts[] | Refusal => {
  const bet = findBet(draft, betId);
  if (bet === undefined) return notFound('Bet');
  const shut = whyShut(draft.facts, wagerOf(draft.facts, bet));
  if (shut !== null) return shut;
  return refusalFor(draft, bet, search) ?? [bet];
};

const findAcceptable = (draft: Draft, reference: string | null, search: Search): readonly BetFacts[] | Refusal => {
  if (reference === null) return missing('wager_reference', 'bet_id');
  const wager = wagerNamed(draft, reference);
  const shut = wager === undefined ? null : whyShut(draft.facts, wager);
  if (shut !== null) return shut;
  const offers = draft.facts.bets.filter((bet) => bet.wagerId === wager?.id && refusalFor(draft, bet, search) === null);
  return offers.length === 0 ? invalid('No matching bet offers found') : offers.sort(byOdds);
};

const accept = (draft: Draft, bet: BetFacts, acceptance: { acceptorId: bigint; amount: bigint }) => {
  change(draft, bet, { acceptance: { ...acceptance, at: draft.facts.now } });
  if (acceptance.amount < bet.amount) openRest(draft, bet, bet.amount - acceptance.amount);
  return {
    betId: bet.id,
    requestingUserId: bet.requesterId,
    requestingUserReference: draft.facts.users.find(({ id }) => id === bet.requesterId)?.reference,
    acceptedAmount: acceptance.amount,
    acceptedOdds: bet.odds,
    wagerId: bet.wagerId,
    wagerReference: wagerOf(draft.facts, bet).reference,
  };
};

export const cancelOffer = (draft: Draft, operation: CancelOffer): Decided => {
  const { betId, wagerReferences, cancelAmount, cancelAll } = operation;
  const fine = tooFine(draft.facts, 'cancel_amount', cancelAmount);
  if (fine !== null) return fine;
  const requester = findUser(draft.facts.users, operation.requestingUser, 'requesting_user');
  if (requester instanceof Refusal) return requester;
  if (betId === null && wagerReferences.length === 0) return missing('wager_references', 'bet_id');
  if (cancelAmount === null && !cancelAll) return missing('cancel_amount', 'cancel_all');
  if (betId !== null && findBet(draft, betId) === undefined) return notFound('Bet');
  const own = draft.facts.bets.filter(
    (bet) =>
      bet.requesterId === requester.id &&
      isOpen(bet) &&
      !isCanceling(draft.facts, bet) &&
      !isDecided(wagerOf(draft.facts, bet).outcome),
  );
  const canceled = own.filter((bet) => (betId === null ? isWanted(draft, bet, operation) : bet.id === betId));
  if (canceled.length === 0) return invalid('No cancelable bets found');

  const shares = shareOut(canceled.sort(byAge), cancelAll ? null : cancelAmount);
  const { now, later } = split(shares, operation);
  leaveForLater(draft, later, operation);
  return { answer: { offers: now.map(({ bet, amount }) => cancel(draft, bet, amount)), remainingCount: later.length } };
};

type Share = ReturnType<typeof shareOut>[number];

/** A cancel does as many as its bound itself: the oldest ones, and the one of which a part remains. */
const split = (shares: readonly Share[], { bound, cancelAll }: CancelOffer) => {
  const reached = cancelAll ? shares : shares.slice(0, 10 * bound);
  if (reached.length <= bound) return { now: reached, later: [] };
  const inPart = reached.filter(({ bet, amount }) => amount < bet.amount);
  const whole = reached.filter(({ bet, amount }) => amount === bet.amount);
  const count = bound - inPart.length;
  return { now: [...whole.slice(0, count), ...inPart], later: whole.slice(count) };
};

/** What a cancel has found and not canceled itself. */
const leaveForLater = (draft: Draft, later: readonly Share[], { wagerReferences }: CancelOffer): void => {
  if (later.length === 0) return;
  draft.facts.nextBetId += 1n;
  for (const reference of new Set(wagerReferences)) {
    const wager = wagerNamed(draft, reference);
    const left = later.filter(({ bet }) => bet.wagerId === wager?.id);
    if (wager === undefined || left.length === 0) continue;
    const cancel = { betIds: new Set(left.map(({ bet }) => bet.id)) };
    wager.pendingCancels = [...wager.pendingCancels, cancel];
    draft.followUps.push({ kind: 'cancel-offers', wagerId: wager.id });
  }
};

const isWanted = (draft: Draft, bet: BetFacts, operation: CancelOffer): boolean => {
  const { wagerReferences, minimumOdds, maximumOdds } = operation;
  const isHighEnough = minimumOdds === null || bet.odds >= minimumOdds;
  const isLowEnough = maximumOdds === null || bet.odds <= maximumOdds;
  return wagerReferences.includes(wagerOf(draft.facts, bet).reference) && isHighEnough && isLowEnough;
};

/** The answer describes the canceled bet or, where a part remains, the new offer for that part. */
const cancel = (draft: Draft, bet: BetFacts, amount: bigint) => {
  const wager = { wagerId: bet.wagerId, wagerReference: wagerOf(draft.facts, bet).reference };
  const remaining = bet.amount - amount;
  change(draft, bet, { isCanceled: true });
  if (remaining === 0n) return { betId: bet.id, ...wager, note: null };
  return { betId: openRest(draft, bet, remaining).id, ...wager, note: `Remaining amount: ${decimalOf(remaining)}` };
};
