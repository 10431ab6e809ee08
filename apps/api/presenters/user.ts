import type { z } from 'zod';
import type { User } from '#accounts/users/user.js';
import type { ChangedUser, CreatedUser } from '#accounts/users/user-repository.js';
import { numberFromMicros } from '#core/money.js';
import type { changedUser, createdUser, user as userAnswer } from '../answers/user.js';

export function presentUser(user: User): z.output<typeof userAnswer> {
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

export function presentCreatedUser({ id, reference, createdAt }: CreatedUser): z.output<typeof createdUser> {
  return { id: Number(id), reference, created_at: createdAt };
}

export function presentChangedUser({
  id,
  reference,
  name,
  preferences,
  meta,
  updatedAt,
}: ChangedUser): z.output<typeof changedUser> {
  return { id: Number(id), reference, name, preferences, meta, updated_at: updatedAt };
}
