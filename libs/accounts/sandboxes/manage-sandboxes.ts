import { Refusal } from '#platform/errors/refusal.js';
import { deleteAccessTokens } from '../access/access-repository.js';
import { deleteApiKeys } from '../access/api-key-repository.js';
import { type Credential, lockCaller } from '../access/caller-guard.js';
import { lockAccount } from '../account-repository.js';
import { type CausedContext, changeAccess } from '../accounts-context.js';
import { insertFirstKey, type NewKey } from '../api-keys.js';
import { recordEvents } from '../events/record-events.js';
import { insertSandbox, listSandboxes, lockSandbox, MAX_SANDBOXES, markRemoved, type Sandbox } from './sandbox.js';

/** The name of its first key. */
const FIRST_KEY = 'sandbox';

export interface SandboxRequest extends Credential {
  readonly name: string;
  readonly isOfSandbox: boolean;
}

export interface NewSandbox {
  readonly sandbox: Sandbox;
  readonly key: NewKey;
}

/** The lock of the business orders this against another one. Undefined when the caller's credential has ended. */
export const createSandbox = (context: CausedContext, request: SandboxRequest): Promise<NewSandbox | undefined> =>
  context.transact(async (tx) => {
    const { accountId, name, isOfSandbox } = request;
    if (isOfSandbox) throw new Refusal('sandbox-of-sandbox');
    const { isAlive } = await lockCaller(tx, request, undefined);
    if (!isAlive) return undefined;
    if ((await listSandboxes(tx, accountId)).length >= MAX_SANDBOXES) throw new Refusal('too-many-sandboxes');
    const sandbox = await insertSandbox(tx, accountId, name);
    const shown = { id: Number(sandbox.id), name };
    await recordEvents(tx, context.cause, [
      { accountId, type: 'sandbox-created', after: shown },
      { accountId: sandbox.id, type: 'registered', after: { name } },
    ]);
    return { sandbox, key: await insertFirstKey(tx, context, { accountId: sandbox.id, name: FIRST_KEY }) };
  });

/** Returns after every process knows that its keys open nothing any more. The worker deletes its rows. */
export const removeSandbox = (context: CausedContext, accountId: bigint, id: bigint): Promise<void> =>
  changeAccess(context, id, async (tx, addEntry) => {
    await lockAccount(tx, accountId);
    const sandbox = await lockSandbox(tx, accountId, id);
    if (sandbox === undefined) throw new Refusal('sandbox-not-found');
    if (sandbox.isRemoved) return;
    await markRemoved(tx, id);
    await deleteAccessTokens(tx, id);
    await deleteApiKeys(tx, id);
    const before = { id: Number(id), name: sandbox.name };
    await recordEvents(tx, context.cause, [{ accountId, type: 'sandbox-deleted', before }]);
    await addEntry(accountId, 'delete-sandbox', { sandboxId: String(id) });
  });
