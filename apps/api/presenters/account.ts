import type { Account } from '#accounts/account.js';

/** As admins see it. */
export function presentAccount(account: Account): object {
  return {
    id: Number(account.id),
    name: account.name,
    email: account.email,
    role: account.role,
    email_verified_at: account.emailVerifiedAt,
    api_key_generated_at: account.apiKeyGeneratedAt,
    preferences: account.preferences,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}
