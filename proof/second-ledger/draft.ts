import { type BetFacts, copyOf, type Facts, NEW_BET, wagerOf } from './facts.js';
import { type BetPicture, betPictureOf } from './picture.js';
import type { Refusal } from './refusals.js';

/** A trail entry or a payment, without the parts that the rules leave open. */
export type Entry =
  | { readonly kind: 'payment'; readonly userId: bigint; readonly amount: bigint }
  | {
      readonly kind: 'trail';
      /** The bet after the step, and as its previous entry showed it. */
      readonly bet: BetPicture;
      readonly before: BetPicture | null;
      readonly outcome: BetPicture['overrideOutcome'];
      readonly isByAdmin: boolean;
    };

export interface FollowUp {
  readonly kind: 'settle-wager' | 'check-portfolios' | 'cancel-offers';
  readonly wagerId: bigint;
}

/** A copy of the facts, which operations change. It replaces the ledger's facts, or the ledger discards it. */
export interface Draft {
  readonly facts: Facts;
  readonly entries: Entry[];
  readonly followUps: FollowUp[];
}

/** The user whose money is judged at the end, and the refusal when it does not suffice. */
export interface Commitment {
  readonly userId: bigint;
  readonly refusal: Refusal | null;
}

export type Decided = Refusal | { readonly answer: unknown; readonly commitment?: Commitment };

export const draftOf = (facts: Facts): Draft => ({ facts: copyOf(facts), entries: [], followUps: [] });

export const findBet = ({ facts }: Draft, betId: bigint): BetFacts | undefined =>
  facts.bets.find(({ id }) => id === betId);

/** One step: the bet's facts change, with one trail entry. */
export const change = (draft: Draft, bet: BetFacts, facts: Partial<BetFacts>, { isByAdmin = false } = {}): void => {
  const { decimals } = draft.facts;
  const before = betPictureOf(bet, decimals);
  Object.assign(bet, facts);
  const { outcome } = wagerOf(draft.facts, bet);
  draft.entries.push({ kind: 'trail', bet: betPictureOf(bet, decimals), before, outcome, isByAdmin });
};

export type Terms = Pick<
  BetFacts,
  'wagerId' | 'requesterId' | 'odds' | 'amount' | 'allowedAcceptorIds' | 'expiresAt' | 'endsOnSuspend'
>;

/** `queuePlace` null: at the end of the queue. */
export const openOffer = (draft: Draft, terms: Terms, queuePlace: bigint | null): BetFacts => {
  const id = draft.facts.ids?.bets[draft.facts.bets.length] ?? draft.facts.nextBetId;
  draft.facts.nextBetId += 1n;
  const bet: BetFacts = { ...terms, id, queuePlace: queuePlace ?? id, ...NEW_BET };
  draft.facts.bets.push(bet);
  const { outcome } = wagerOf(draft.facts, bet);
  const shown = betPictureOf(bet, draft.facts.decimals);
  draft.entries.push({ kind: 'trail', bet: shown, before: null, outcome, isByAdmin: false });
  return bet;
};

/** Makes an offer for the rest of a partly accepted or canceled one: the same terms, the same place. */
export const openRest = (draft: Draft, bet: BetFacts, amount: bigint): BetFacts =>
  openOffer(draft, { ...bet, amount }, bet.queuePlace);
