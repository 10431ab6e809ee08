import { Prisma } from '#platform/database/database.js';

// The reference of a transaction is its time and its id in hexadecimal digits. So it is unique without an index of its own,
// which every settled bet would pay for twice, and the key finds it. After a restore ids come again, but not with their times.

/** The time has milliseconds, and 12 digits until the year 10889. */
const REFERENCE = /^TX_([0-9a-f]{12})([1-9a-f][0-9a-f]{0,15})$/;
const LARGEST_ID = 2n ** 63n - 1n;

export interface TransactionIdentity {
  readonly id: bigint;
  readonly createdAt: Date;
}

export const referenceOfTransaction = ({ id, createdAt }: TransactionIdentity): string =>
  `TX_${createdAt.getTime().toString(16).padStart(12, '0')}${id.toString(16)}`;

/** The same in SQL, of an id and a time. */
export const referenceSql = (id: string, createdAt: string): string =>
  `('TX_' || lpad(to_hex((extract(epoch FROM ${createdAt}) * 1000)::bigint), 12, '0') || to_hex(${id}))`;

/** Of transactions with this alias. */
export const transactionReference = (alias: string): string => referenceSql(`${alias}.id`, `${alias}.created_at`);

export const referenceColumn = Prisma.raw(transactionReference('t'));

/** Whether it has the form of the references that the ledger gives. A business gives others. */
export const isOfLedger = (reference: string): boolean => REFERENCE.test(reference);

/** Undefined: no transaction can have the reference. */
export function identityOfReference(reference: string): TransactionIdentity | undefined {
  const [, time, digits] = REFERENCE.exec(reference) ?? [];
  if (time === undefined || digits === undefined) return undefined;
  const id = BigInt(`0x${digits}`);
  const createdAt = new Date(Number.parseInt(time, 16));
  return id > LARGEST_ID || Number.isNaN(createdAt.getTime()) ? undefined : { id, createdAt };
}
