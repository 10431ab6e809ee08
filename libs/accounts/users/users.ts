import { randomInt } from 'node:crypto';
import type { EventCause } from '#events/event-cause.js';
import { logEvents, singleEvent } from '#events/log-events.js';
import type { AccountTables, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Bettor, NewUser, UserChanges, UserKey } from './user.js';
import { type ChangedUser, type CreatedUser, findUser, insertUser, updateUser } from './user-repository.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const GENERATED_LETTERS = 16;

function generateReference(accountId: bigint): string {
  const letters = Array.from({ length: GENERATED_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]);
  return `a${accountId}_user_${letters.join('')}`;
}

/** Of whom, and who asks. */
export interface UserScope {
  readonly accountId: bigint;
  readonly cause: EventCause;
}

export async function createUser(tx: Tx, { accountId, cause }: UserScope, user: NewUser): Promise<CreatedUser> {
  const reference = user.reference ?? generateReference(accountId);
  const created = await insertUser(tx, accountId, { ...user, reference });
  if (created === undefined) throw new Refusal('user-reference-taken');
  const { name, preferences, meta } = user;
  const extra = { reference, name, preferences, meta };
  logEvents(tx, singleEvent(accountId, cause, { kind: 'user.created', ref: created.id, extra }));
  return created;
}

export async function readUser(tables: AccountTables | Tx, accountId: bigint, key: UserKey): Promise<Bettor> {
  const user = await findUser(tables, accountId, key);
  if (user === undefined) throw new Refusal('user-not-found');
  return user;
}

export async function changeUser(
  tx: Tx,
  { accountId, cause }: UserScope,
  key: UserKey,
  changes: UserChanges,
): Promise<ChangedUser> {
  const changed = await updateUser(tx, accountId, key, changes);
  if (changed !== undefined) {
    const { id: ref, reference, name, preferences, meta } = changed;
    const extra = { reference, name, preferences, meta };
    logEvents(tx, singleEvent(accountId, cause, { kind: 'user.updated', ref, extra }));
    return changed;
  }
  await readUser(tx, accountId, key);
  throw new Refusal('meta-too-large');
}
