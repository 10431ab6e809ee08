import { Prisma } from '#platform/database/database.js';

// The reference of a transaction is its id in another form. So it is unique without an index of its own, which every settled
// bet would pay for twice, and it is found by the key.

const PREFIX = 'TX_';
const DIGITS = 12;
const REFERENCE = /^TX_[0-9a-f]{12,16}$/;
const LARGEST_ID = 2n ** 63n - 1n;

export const referenceOfTransaction = (id: bigint): string => `${PREFIX}${id.toString(16).padStart(DIGITS, '0')}`;

/** The same of transactions with this alias. */
export const transactionReference = (alias: string): string =>
  `('${PREFIX}' || lpad(to_hex(${alias}.id), greatest(${DIGITS}, length(to_hex(${alias}.id))), '0'))`;

export const referenceColumn = Prisma.raw(transactionReference('t'));

/** Undefined: no transaction can have the reference. */
export function idOfReference(reference: string): bigint | undefined {
  if (!REFERENCE.test(reference)) return undefined;
  const id = BigInt(`0x${reference.slice(PREFIX.length)}`);
  return id <= LARGEST_ID && referenceOfTransaction(id) === reference ? id : undefined;
}
