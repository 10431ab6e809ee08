import type { Micros } from '#core/money.js';

/** A bettor of an account. */
export interface Bettor {
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly name: string;
  readonly role: string;
  readonly preferences: UserPreferences | null;
  readonly meta: UserMeta | null;
  readonly balance: Micros;
  readonly exposure: Micros;
  readonly isDisputed: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** `allow_negative_balance` overrides the account's preference. The ledger ignores other keys. */
type UserPreferences = { readonly allow_negative_balance?: boolean | undefined } & {
  readonly [key: string]: unknown;
};

export type UserMeta = Readonly<Record<string, string>>;

export const MAX_META_FIELDS = 10;

export interface NewUser {
  readonly name: string;
  readonly reference: string | undefined;
  readonly preferences: UserPreferences | null;
  readonly meta: UserMeta | null;
}

/** Undefined fields do not change. `meta` is merged key by key, `preferences` is replaced as a whole. */
export interface UserChanges {
  readonly name?: string | undefined;
  readonly preferences?: UserPreferences | null | undefined;
  readonly meta?: UserMeta | undefined;
}

/** How a caller names a user. */
export type UserKey = { readonly id: bigint } | { readonly reference: string };

export const userSortFields = ['id', 'name', 'reference', 'created_at', 'balance', 'exposure'] as const;
export type UserSortField = (typeof userSortFields)[number];

export interface UserFilters {
  readonly search: string | undefined;
  readonly meta: UserMeta;
  readonly sortBy: UserSortField;
  readonly sortOrder: 'asc' | 'desc';
}
