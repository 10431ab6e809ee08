import { api } from '../../api/api.js';
import { MALFORMED, orNothing } from '../../api/errors.js';
import type { Question } from '../../forms/use-form.js';
import { Amount, formatAmount, readAmount, textOfAmount } from '../../parts/amount.js';

// What is asked once more before money moves: a slip of the finger must not become an amount or a wager.

/** Above this, unless the account prefers another amount. */
export const USUAL_BOUND = 10_000;
/** The field that sets it. */
export const boundField = (bound: number | undefined) => ({
  label: 'Ask again above',
  hint: `The console asks once more before it sends an amount above this. Empty: ${formatAmount(USUAL_BOUND)}.`,
  value: bound === undefined ? '' : textOfAmount(bound),
  number: readAmount,
});

async function isLarge(amount: number): Promise<boolean> {
  const { data } = await api.get('/auth/account/preferences');
  return amount > (data.confirm_amounts_above ?? USUAL_BOUND);
}

/** Whether an offer would create the wager. What is no reference, the API refuses at its field. */
async function isNewWager(reference: string): Promise<boolean> {
  const query = { wager_reference: [reference], per_page: 1, cursor: '' };
  return (await orNothing(api.get('/wagers', { params: { query } }), MALFORMED))?.data.length === 0;
}

export interface AskedMovement {
  readonly movement: 'fund' | 'withdraw';
  /** The user. */
  readonly reference: string;
  readonly amount: number;
}

export async function askOfMovement({ movement, reference, amount }: AskedMovement): Promise<Question | undefined> {
  if (!(await isLarge(amount))) return undefined;
  const isFunding = movement === 'fund';
  return {
    text: (
      <p>
        {isFunding ? 'Fund' : 'Withdraw'} <Amount value={amount} /> {isFunding ? 'to' : 'from'} <bdi>{reference}</bdi>?
      </p>
    ),
    action: `${isFunding ? 'Fund' : 'Withdraw'} ${formatAmount(amount)}`,
  };
}

export interface AskedAcceptance {
  /** The user who accepts. */
  readonly reference: string;
  readonly odds: number;
  readonly amount: number;
}

export async function askOfAcceptance({ reference, odds, amount }: AskedAcceptance): Promise<Question | undefined> {
  if (!(await isLarge(amount))) return undefined;
  return {
    text: (
      <p>
        Accept offers of <Amount value={amount} /> at odds up to <Amount value={odds} /> for <bdi>{reference}</bdi>?
      </p>
    ),
    action: `Accept ${formatAmount(amount)}`,
  };
}

export interface AskedOffer {
  /** The user who offers. */
  readonly reference: string;
  readonly wager: string;
  readonly odds: number;
  readonly amount: number;
  /** Nothing was bet on yet: the offer creates a wager anyway. */
  readonly isFirst?: boolean;
}

export async function askOfOffer(asked: AskedOffer): Promise<Question | undefined> {
  const { reference, wager, odds, amount, isFirst = false } = asked;
  const [isNew, isMuch] = await Promise.all([!isFirst && isNewWager(wager), isLarge(amount)]);
  if (!isNew && !isMuch) return undefined;
  return {
    text: (
      <>
        {isNew && (
          <p>
            No wager has the reference <bdi>“{wager}”</bdi> yet: the offer will create it.
          </p>
        )}
        <p>
          Offer a stake of <Amount value={amount} /> at odds <Amount value={odds} /> for <bdi>{reference}</bdi>?
        </p>
      </>
    ),
    action: isNew ? 'Create the wager' : `Offer ${formatAmount(amount)}`,
  };
}
