import type { z } from 'zod';
import type { Account } from '#accounts/account.js';
import type { account as accountAnswer } from '../answers/account.js';

/** As admins see it. */
export function presentAccount(account: Account): z.output<typeof accountAnswer> {
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
