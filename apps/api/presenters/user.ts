import { numberFromMicros } from '#core/money.js';
import type { User } from '#users/user.js';
import type { ChangedUser, CreatedUser } from '#users/user-repository.js';

export function presentUser(user: User): object {
  return {
    id: Number(user.id),
    account_id: Number(user.accountId),
    reference: user.reference,
    name: user.name,
    role: user.role,
    preferences: user.preferences,
    meta: user.meta,
    balance: numberFromMicros(user.balance),
    exposure: numberFromMicros(user.exposure),
    created_at: user.createdAt,
  };
}

export function presentCreatedUser({ id, reference, createdAt }: CreatedUser): object {
  return { id: Number(id), reference, created_at: createdAt };
}

export function presentChangedUser({ id, reference, name, preferences, meta, updatedAt }: ChangedUser): object {
  return { id: Number(id), reference, name, preferences, meta, updated_at: updatedAt };
}
