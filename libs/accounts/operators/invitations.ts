import { type EntryKey, isNewestAndUndone } from '#jobs/outbox.js';
import { type Database, type SharedTables, type Tx, withTx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type AccountToken, readAccountToken } from '../access/secrets.js';
import { lockAccount } from '../account-repository.js';
import type { HashingContext } from '../accounts-context.js';
import { actorOfPerson, UNKNOWN_ACTOR } from '../events/account-event.js';
import { recordEvents } from '../events/record-events.js';
import { assertNotCommon, assertNotObvious } from '../guessable-passwords.js';
import type { Operator, OperatorId } from './operator.js';
import { deleteUnaccepted } from './people-repository.js';

// An invitation is a token in a mail, of which the row of the invited person has the hash. A newer mail ends the older ones.

/** A person, as events of its account tell it. */
export const shownPerson = ({
  id,
  name,
  email,
  role,
  state,
}: Pick<Operator, 'id' | 'name' | 'email' | 'role' | 'state'>) => ({
  id: Number(id),
  name,
  email,
  role,
  state,
});

/**
 * An invitation of another account must not keep an address from whoever has it: see `deleteUnaccepted`. The trail of that
 * account has no word of who has the address now.
 */
export async function freeAddress(tx: Tx, address: Parameters<typeof deleteUnaccepted>[1]): Promise<void> {
  const deleted = await deleteUnaccepted(tx, address);
  const events = deleted.map((person) => {
    const before = { ...shownPerson(person), sessions: 0, api_keys: [] };
    return { accountId: person.accountId, type: 'operator-deleted', before } as const;
  });
  await recordEvents(tx, { actor: UNKNOWN_ACTOR, address: null, requestId: null }, events);
}

export const INVITATION_MAIL = 'invitation-mail';

/** As the entry of its mail names the operator. */
export const idsOfInvited = (operatorId: bigint) => ({ operatorId: String(operatorId) });

/** Undefined: nobody of this id waits for an invitation. */
export async function findInvitedAddress(
  tables: SharedTables | Tx,
  { accountId, operatorId }: OperatorId,
): Promise<string | undefined> {
  const rows = await tables.$queryRaw<{ email: string }[]>`
    SELECT email FROM operators WHERE account_id = ${accountId} AND id = ${operatorId} AND state = 'invited'`;
  return rows[0]?.email;
}

/** False, without a change, when a newer mail is asked for, or the person is invited no more. */
export async function storeInvitation(
  database: Database,
  { accountId, operatorId, id }: EntryKey & OperatorId,
  { hash, expiresAt }: { readonly hash: Buffer; readonly expiresAt: Date },
): Promise<boolean> {
  return withTx(database.shared, async (tx) => {
    await lockAccount(tx, accountId);
    const entry = { accountId, id, topic: INVITATION_MAIL, ids: idsOfInvited(operatorId) } as const;
    if (!(await isNewestAndUndone(tx, entry))) return false;
    const stored = await tx.$executeRaw`
      UPDATE operators SET invitation_hash = ${hash}, invited_until = ${expiresAt}
       WHERE account_id = ${accountId} AND id = ${operatorId} AND state = 'invited'`;
    return stored === 1;
  });
}

interface Invited extends OperatorId {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly accountName: string;
}

async function findInvited(tables: SharedTables | Tx, token: AccountToken, now: Date): Promise<Invited | undefined> {
  const rows = await tables.$queryRaw<Invited[]>`
    SELECT o.account_id AS "accountId", o.id AS "operatorId", o.name, o.email, o.role, a.name AS "accountName"
      FROM operators o JOIN accounts a ON a.id = o.account_id
     WHERE o.account_id = ${token.accountId} AND o.invitation_hash = ${token.hash} AND o.invited_until > ${now}`;
  return rows[0];
}

/** Hashes the password when the invitation is right, in a turn that the caller gives. */
type InTurn = <Result>(work: (passwords: HashingContext['passwords']) => Promise<Result>) => Promise<Result>;

/** What no account is needed to refuse is refused before the token is looked at. Returns whose account it is. */
export async function acceptInvitation(
  context: Omit<HashingContext, 'passwords'>,
  { token: tokenText, password }: { readonly token: string; readonly password: string },
  inTurn: InTurn,
): Promise<OperatorId> {
  assertNotCommon(password);
  assertNotObvious(password, { name: '', email: '' });
  const token = readAccountToken(tokenText);
  const invited = token && (await findInvited(context.database.shared, token, context.now()));
  if (token === undefined || invited === undefined) throw new Refusal('invitation-invalid');
  assertNotObvious(password, invited);
  assertNotObvious(password, { name: invited.accountName, email: invited.email });
  const passwordHash = await inTurn((passwords) => passwords.hash(password));
  await context.transact((tx) => join(tx, context, { token, passwordHash }));
  return invited;
}

/** In the order of every change: the account, then its people. The mail has proved the address. */
async function join(
  tx: Tx,
  { cause, now }: Pick<HashingContext, 'cause' | 'now'>,
  { token, passwordHash }: { readonly token: AccountToken; readonly passwordHash: string },
): Promise<void> {
  const account = await lockAccount(tx, token.accountId);
  const invited = await findInvited(tx, token, now());
  // A suspended account gives no access.
  if (account?.status !== 'active' || invited === undefined) throw new Refusal('invitation-invalid');
  const { accountId, operatorId, name, email, role } = invited;
  const joined = await tx.$executeRaw`
    UPDATE operators SET state = 'active', password_hash = ${passwordHash}, invitation_hash = NULL, invited_until = NULL
     WHERE account_id = ${accountId} AND id = ${operatorId} AND state = 'invited'`;
  // Another account has got the address since.
  if (joined !== 1) throw new Refusal('invitation-invalid');
  const after = { id: Number(operatorId), name, email, role };
  await recordEvents(tx, { ...cause, actor: actorOfPerson(invited) }, [{ accountId, type: 'operator-joined', after }]);
}
