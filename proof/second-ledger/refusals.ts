import type { Facts } from './facts.js';
import { decimalOf, LARGEST_FIGURE } from './figures.js';

/** The API's answer to a refused task. */
export class Refusal {
  readonly kind: 'invalid' | 'not-found' | 'conflict' | 'malformed';
  readonly text: string;

  constructor(kind: Refusal['kind'], text: string) {
    this.kind = kind;
    this.text = text;
  }
}

export const invalid = (text: string): Refusal => new Refusal('invalid', text);
export const malformed = (text: string): Refusal => new Refusal('malformed', text);
export const notFound = (what: string): Refusal => new Refusal('not-found', `${what} not found`);
export const missing = (one: string, other: string): Refusal => invalid(`${one} or ${other} must be defined`);
export const referenceTaken = (): Refusal =>
  new Refusal('conflict', 'A transaction with this reference already exists');
export const alreadyDecided = (): Refusal => invalid('Wager has already been decided');
export const unfunded = (what: string): Refusal =>
  invalid(`Insufficient balance: ${what} would cause negative effective balance`);
/** Null: the amount has no more decimals than its account. */
export const tooFine = ({ decimals }: Facts, field: string, amount: bigint | null): Refusal | null => {
  const [, fraction = ''] = decimalOf(amount ?? 0n).split('.');
  return decimals === null || fraction.length <= decimals
    ? null
    : invalid(`${field} must not have more than ${decimals} decimal places`);
};
export const tooMuchToWin = (): Refusal =>
  invalid(`possible winnings must not be greater than ${decimalOf(LARGEST_FIGURE)}`);
export const beyondLedger = (): Refusal =>
  invalid(`no balance, exposure or position of a user may be greater than ${decimalOf(LARGEST_FIGURE)}`);
