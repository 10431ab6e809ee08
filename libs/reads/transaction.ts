import type { Micros } from '#core/money.js';
import type { TransactionSource, TransactionType } from '#core/records.js';
import type { TextMeta } from './meta-filter.js';
import type { PageRequest } from './page.js';

/** One movement of one user's balance, as the API shows it. */
export interface ShownTransaction {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly userId: bigint;
  readonly userReference: string;
  readonly reference: string;
  readonly amount: Micros;
  readonly description: string;
  readonly transactionType: TransactionType;
  readonly transactionSource: TransactionSource;
  readonly betTrailId: bigint | null;
  /** The user's balance after it. */
  readonly balanceAfter: Micros;
  readonly createdAt: Date;
  /** Of money in or out: what the business calls it, and its data. Null: it gave none. */
  readonly ownReference: string | null;
  readonly meta: TextMeta | null;
}

/** How a caller names a transaction. */
export type TransactionKey = { readonly id: bigint } | { readonly reference: string };

export interface TransactionListRequest {
  readonly descending?: boolean;
  readonly userIds: readonly bigint[] | undefined;
  readonly userReferences: readonly string[] | undefined;
  readonly wagerReferences?: readonly string[] | undefined;
  readonly type: TransactionType | undefined;
  readonly source: TransactionSource | undefined;
  readonly createdFrom: Date | undefined;
  readonly createdUntil: Date | undefined;
  readonly ownReference?: string | undefined;
  /** Texts that `meta` has under these keys. */
  readonly meta?: TextMeta | undefined;
  readonly page: PageRequest;
}
