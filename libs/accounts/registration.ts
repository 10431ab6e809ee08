import { withOutbox } from '#jobs/outbox.js';
import { Refusal } from '#platform/errors/refusal.js';
import { insertAccount } from './account-repository.js';
import type { HashingContext } from './accounts-context.js';
import { actorOfPerson } from './events/account-event.js';
import { recordEvents } from './events/record-events.js';
import { assertNotCommon, assertNotObvious } from './guessable-passwords.js';
import { freeAddress } from './operators/invitations.js';
import { insertOperator } from './operators/operator-repository.js';

export interface Registration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The network of the caller. */
  readonly network: string;
}

/** The caller becomes the first operator, as owner. Returns the id of the new account. */
export async function registerAccount(
  context: HashingContext,
  { name, email, password, network }: Registration,
): Promise<bigint> {
  assertNotCommon(password);
  assertNotObvious(password, { name, email });
  const passwordHash = await context.passwords.hash(password);
  return withOutbox(context, async (tx, addEntry) => {
    const accountId = await insertAccount(tx, { name, email, registeredFrom: network });
    if (accountId === undefined) throw new Refusal('email-taken');
    // An address that nobody has proved: whoever reads its mail takes the account over with a code, if it is another person.
    await freeAddress(tx, { accountId, email, endedBy: undefined });
    const operatorId = await insertOperator(tx, { accountId, name, email, role: 'owner', passwordHash });
    if (operatorId === undefined) throw new Refusal('email-taken');
    const cause = { ...context.cause, actor: actorOfPerson({ accountId, operatorId, name }) };
    await recordEvents(tx, cause, [{ accountId, type: 'registered', after: { name, email } }]);
    await addEntry(accountId, 'verification-mail');
    return accountId;
  });
}
