import type { AmountField, UserField } from '#core/book.js';
import { formatMicros, LEDGER_BOUND_MICROS } from '#core/money.js';
import { type Rejection, reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';

// Bodies of the ledger's operations name a user by id or by reference, and their amounts have one bound.

/** A body needs one of these two fields. The core refuses a body with neither, as for all such alternatives. */
export const userById = (who: string, reference: string) =>
  fields.idNumber.nullish().meta({ description: `${who}, by id; needed unless \`${reference}\` is given.` });
export const userByReference = (who: string, id: string) =>
  fields.reference.nullish().meta({
    description: `${who}, as the business calls it; needed unless \`${id}\` is given. Both must name the same user.`,
  });

/** The largest amount that the ledger holds, as text. */
export const ledgerBound = formatMicros(LEDGER_BOUND_MICROS);
export const beyondLedger = reject('ledger-bound', ledgerBound);

/** Of an account that has set its decimals. */
export const tooManyDecimals = (field: AmountField) => reject('too-many-decimals', field, '2');

export const namedUser = (field: UserField): readonly Rejection[] => [
  reject('user-not-found'),
  reject('users-differ', field),
];
export const neededUser = (field: UserField): readonly Rejection[] => [
  reject('not-defined', `${field}_id`, `${field}_reference`),
  ...namedUser(field),
];

/** Of operations that need an open wager. */
export const noBetting = [reject('wager-suspended'), reject('wager-closed')];

/** Of operations that commit money or take it out. */
export const balanceDisputed = reject('balance-disputed');

/** Of operations that may reverse a settlement. */
export const paymentsDiffer = reject('payments-differ', '42');
