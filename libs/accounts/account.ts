import type { AccountRole, AccountStatus } from './access/access-repository.js';
import type { Approvals } from './approvals.js';

/** An account, as admins see it. */
export interface Account {
  readonly id: bigint;
  readonly name: string;
  readonly email: string;
  readonly role: AccountRole;
  readonly status: AccountStatus;
  readonly emailVerifiedAt: Date | null;
  /** When somebody who reads its e-mail knew or set its password. */
  readonly emailProvedAt: Date | null;
  readonly apiKeyGeneratedAt: Date | null;
  readonly preferences: AccountPreferences;
  /** A label: an alphabetic code of ISO 4217. */
  readonly currency: string | null;
  /** How many its amounts may have; null: it set none. */
  readonly decimals: number | null;
  /** Of a sandbox: the business that made it. */
  readonly sandboxOf: bigint | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The default for users without a preference of their own. The ledger ignores other keys. */
export type AccountPreferences = {
  readonly allow_negative_balance?: boolean | undefined;
  /** Whether making an API key, or a webhook endpoint, takes the password. */
  readonly confirm_keys?: boolean | undefined;
  /** Whether operators without a second factor may only add one. */
  readonly require_second_factor?: boolean | undefined;
  /** The console asks once more before it sends an amount above this. */
  readonly confirm_amounts_above?: number | undefined;
  /** Which operations need another person's approval. */
  readonly approvals?: Approvals | undefined;
} & {
  readonly [key: string]: unknown;
};

/** Undefined fields do not change; `preferences` is replaced as a whole. */
export interface AccountChanges {
  readonly name?: string | undefined;
  readonly preferences?: AccountPreferences | undefined;
  readonly role?: AccountRole | undefined;
  readonly status?: AccountStatus | undefined;
  readonly currency?: string | null | undefined;
  readonly decimals?: number | null | undefined;
}

export const accountRoles = ['business', 'admin'] as const satisfies readonly AccountRole[];
export const accountStatuses = ['active', 'suspended'] as const satisfies readonly AccountStatus[];

/** The contract names these fields. An account has neither odds nor amounts, so each of them sorts by creation. */
export const accountSortFields = ['effective_odds', 'effective_amount', 'created_at'] as const;

export interface AccountFilters {
  readonly search: string | undefined;
  readonly isEmailVerified: boolean | undefined;
  readonly createdFrom?: Date | undefined;
  readonly createdUntil?: Date | undefined;
  readonly descending: boolean;
}
