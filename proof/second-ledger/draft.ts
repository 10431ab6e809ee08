import { type BetFacts, copyOf, type Facts, FIRST_BET_ID, wagerOf } from './facts.js';
import { type BetPicture, betPictureOf } from './picture.js';
import type { Refusal } from './refusals.js';

/** An audit entry, or a payment, as far as rules fix it. */
export type Entry =
  | { readonly kind: 'payment'; readonly userId: bigint; readonly amount: bigint }
  | {
      readonly kind: 'trail';
      /** The bet as the step left it, and as its entry before showed it. */
      readonly bet: BetPicture;
      readonly before: BetPicture | null;
      readonly outcome: BetPicture['overrideOutcome'];
      readonly isByAdmin: boolean;
    };

export interface FollowUp {
  readonly kind: 'settle-wager' | 'check-portfolios';
  readonly wagerId: bigint;
}

/** A copy of the facts that operations change; it becomes the ledger's facts, or is dropped. */
export interface Draft {
  readonly facts: Facts;
  readonly entries: Entry[];
  readonly followUps: FollowUp[];
}

/** Whose money is judged at the end, and what to say when it does not suffice. */
export interface Commitment {
  readonly userId: bigint;
  readonly refusal: Refusal | null;
}

export type Decided = Refusal | { readonly answer: unknown; readonly commitment?: Commitment };

export const draftOf = (facts: Facts): Draft => ({ facts: copyOf(facts), entries: [], followUps: [] });

export const findBet = ({ facts }: Draft, betId: bigint): BetFacts | undefined =>
  facts.bets.find(({ id }) => id === betId);

/** A step in the bet's life: something about it changes, and its trail says so. */
export const change = (draft: Draft, bet: BetFacts, facts: Partial<BetFacts>, { isByAdmin = false } = {}): void => {
  const before = betPictureOf(bet);
  Object.assign(bet, facts);
  const { outcome } = wagerOf(draft.facts, bet);
  draft.entries.push({ kind: 'trail', bet: betPictureOf(bet), before, outcome, isByAdmin });
};

export type Terms = Pick<BetFacts, 'wagerId' | 'requesterId' | 'odds' | 'amount' | 'allowedAcceptorIds'>;

/** `queuePlace` null: at the end. */
export const openOffer = (draft: Draft, terms: Terms, queuePlace: bigint | null): BetFacts => {
  const id = FIRST_BET_ID + BigInt(draft.facts.bets.length);
  const { wagerId, requesterId, odds, amount, allowedAcceptorIds } = terms;
  const bet: BetFacts = {
    id,
    ...{ wagerId, requesterId, odds, amount, allowedAcceptorIds },
    queuePlace: queuePlace ?? id,
    acceptance: null,
    isCanceled: false,
    isActive: true,
    override: null,
    reachedBy: 'undecided',
  };
  draft.facts.bets.push(bet);
  const { outcome } = wagerOf(draft.facts, bet);
  draft.entries.push({ kind: 'trail', bet: betPictureOf(bet), before: null, outcome, isByAdmin: false });
  return bet;
};

/** What is left of an offer when a part of it is gone: a new one, with the same terms, in the same place. */
export const openRest = (draft: Draft, bet: BetFacts, amount: bigint): BetFacts =>
  openOffer(draft, { ...bet, amount }, bet.queuePlace);
