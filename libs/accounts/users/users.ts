import { randomInt } from 'node:crypto';
import type { Queryable } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { NewUser, User, UserChanges, UserKey } from './user.js';
import { type ChangedUser, type CreatedUser, findUser, insertUser, updateUser } from './user-repository.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const GENERATED_LETTERS = 16;

function generateReference(accountId: bigint): string {
  const letters = Array.from({ length: GENERATED_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]);
  return `a${accountId}_user_${letters.join('')}`;
}

export async function createUser(database: Queryable, accountId: bigint, user: NewUser): Promise<CreatedUser> {
  const reference = user.reference ?? generateReference(accountId);
  const created = await insertUser(database, accountId, { ...user, reference });
  if (created === undefined) throw new Refusal('user-reference-taken');
  return created;
}

export async function readUser(database: Queryable, accountId: bigint, key: UserKey): Promise<User> {
  const user = await findUser(database, accountId, key);
  if (user === undefined) throw new Refusal('user-unknown');
  return user;
}

export async function changeUser(
  database: Queryable,
  accountId: bigint,
  key: UserKey,
  changes: UserChanges,
): Promise<ChangedUser> {
  const changed = await updateUser(database, accountId, key, changes);
  if (changed !== undefined) return changed;
  await readUser(database, accountId, key);
  throw new Refusal('meta-too-large');
}
