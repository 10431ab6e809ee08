import type { AccountRole } from './access/access-repository.js';

/** An account, as admins see it. */
export interface Account {
  readonly id: bigint;
  readonly name: string;
  readonly email: string;
  readonly role: AccountRole;
  readonly emailVerifiedAt: Date | null;
  readonly apiKeyGeneratedAt: Date | null;
  readonly preferences: AccountPreferences;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What holds for the users of the account that have no preference of their own. Other keys are nobody's business here. */
export type AccountPreferences = { readonly allow_negative_balance?: boolean | undefined } & {
  readonly [key: string]: unknown;
};

/** Only what is given changes; `preferences` is replaced. */
export interface AccountChanges {
  readonly name?: string | undefined;
  readonly preferences?: AccountPreferences | undefined;
  readonly role?: AccountRole | undefined;
}

export const accountRoles = ['business', 'admin'] as const satisfies readonly AccountRole[];

/** The contract's; an account has neither odds nor amounts, so by all of them it stands where it was created. */
export const accountSortFields = ['effective_odds', 'effective_amount', 'created_at'] as const;

export interface AccountListRequest {
  readonly search: string | undefined;
  readonly isEmailVerified: boolean | undefined;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}
