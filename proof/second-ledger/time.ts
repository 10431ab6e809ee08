import type { BetFacts, Facts, WagerFacts } from './facts.js';
import { isDecided } from './picture.js';
import { alreadyDecided, invalid, type Refusal } from './refusals.js';

/* What the time of a task decides. */

export const isShut = ({ now }: Facts, { status, closesAt }: WagerFacts): boolean =>
  status === 'closed' || (closesAt !== null && now >= closesAt);

/** Null: the wager takes offers and acceptances. */
export const whyShut = (facts: Facts, wager: WagerFacts): Refusal | null => {
  if (isDecided(wager.outcome) || wager.voidFrom !== null) return alreadyDecided();
  if (isShut(facts, wager)) return invalid('Wager is closed');
  return wager.status === 'suspended' ? invalid('Wager is suspended') : null;
};

export const hasEnded = ({ now }: Facts, { expiresAt }: BetFacts): boolean => expiresAt !== null && now >= expiresAt;
