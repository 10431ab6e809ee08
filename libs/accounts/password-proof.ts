import { Refusal } from '#platform/errors/refusal.js';
import { findLoginById, type Login } from './account-repository.js';
import type { HashingContext } from './accounts-context.js';
import { recordEvents } from './events/record-events.js';

/**
 * The caller's account, if the password is its own. A wrong one is an event: the caller had a right credential, and the
 * limit on guesses bounds how many there are.
 */
export async function provePassword(context: HashingContext, accountId: bigint, password: string): Promise<Login> {
  const login = await findLoginById(context.database, accountId);
  const isRight = await context.passwords.matches(password, login?.passwordHash);
  if (login !== undefined && isRight) return login;
  await context.transact((tx) => recordEvents(tx, context.cause, [{ accountId, type: 'password-refused' }]));
  throw new Refusal('current-password-wrong');
}
