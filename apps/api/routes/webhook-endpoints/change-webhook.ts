import type { Caller } from '#accounts/access/authenticator.js';
import { assertProven, lockCaller } from '#accounts/access/caller-guard.js';
import { answerWith, besideLedger, lockingAccount } from '#accounts/accounts-context.js';
import type { AccountEventType, Cause } from '#accounts/events/account-event.js';
import { recordBesideLedger } from '#accounts/events/record-events.js';
import { Unauthorized } from '#http/errors.js';
import type { Replayed } from '#idempotency/stored-answers.js';
import { type AddEntry, withOutbox } from '#jobs/outbox.js';
import type { Tx } from '#platform/database/database.js';
import { type ListedEndpoint, readEndpoint } from '#webhooks/endpoint-rows.js';
import type { ChangeContext, WithSecret } from '#webhooks/manage-endpoints.js';
import type { EndpointCall } from '../../endpoint.js';
import { provenHashOf } from '../../guards/proven-password.js';
import type { ApiServices } from '../../services.js';
import { type PresentedEndpoint, presentEndpoint } from './webhook-endpoint.js';

// An endpoint carries every later event away, so whoever makes or changes one gives access to the account: the change
// commits with an account event, a new address with a mail, and a credential that has just ended changes nothing.

interface ChangeRequest {
  readonly caller: Caller;
  readonly cause: Cause;
  readonly call: EndpointCall;
}

export interface WebhookChange {
  readonly type: Extract<AccountEventType, `webhook-${string}`>;
  /** What a change of an endpoint was. */
  readonly act?: 'updated' | 'secret-rotated' | 'enabled' | 'disabled' | 'replayed';
  /** Undefined: it makes the endpoint. */
  readonly id?: number;
  /** Whether it takes the password, if the account asks for it. */
  readonly takesPassword?: boolean;
  readonly password?: string | null | undefined;
  /** Whether the address may be another one afterwards. */
  readonly setsAddress?: boolean;
  /** It may give a new secret. False: there was nothing to change. */
  readonly change: (tx: Tx, context: ChangeContext) => Promise<unknown>;
}

interface Work extends WebhookChange {
  readonly tx: Tx;
  readonly addEntry: AddEntry;
}

const hasSecret = (changed: unknown): changed is WithSecret => typeof changed === 'object' && changed !== null;

const shown = ({ id, url, types, mode, state }: ListedEndpoint) => ({ id: Number(id), url, types, mode, state });

interface Outcome {
  /** Undefined: it is deleted. */
  readonly endpoint?: PresentedEndpoint;
  /** Of a new one, or a new one of it. */
  readonly secret?: string | undefined;
}

async function changeAndTell(
  { caller, cause, call }: ChangeRequest,
  { accounts: { database } }: ApiServices,
  { tx, addEntry, id: given, type, act, change }: Work,
): Promise<Outcome> {
  const { accountId } = caller.account;
  const key = { accountId, id: BigInt(given ?? 0) };
  const before = given === undefined ? undefined : await readEndpoint(tx, key);
  const changed = await change(tx, { ...key, cause: call.cause });
  const made = hasSecret(changed) ? changed : undefined;
  const after = type === 'webhook-deleted' ? undefined : await readEndpoint(tx, made?.key ?? key);
  if (changed !== false) {
    const told = {
      ...(before && { before: shown(before) }),
      ...(after && { after: { ...shown(after), act } }),
    };
    await recordBesideLedger({ database, ledger: tx }, cause, [{ accountId, type, ...told }]);
  }
  if (after === undefined) return {};
  if (after.url !== before?.url) {
    const of = caller.operator && { operatorId: String(caller.operator.id) };
    await addEntry(accountId, 'webhook-address-mail', { endpointId: String(after.id), ...of });
  }
  return { endpoint: await presentEndpoint(tx, after), secret: made?.secret };
}

/** Changes an endpoint for a caller whose credential lives when the change commits. */
export async function changeWebhook<Body extends object>(
  request: ChangeRequest,
  services: ApiServices,
  change: WebhookChange,
  present: (endpoint: PresentedEndpoint, secret: string) => Body,
): Promise<Body | Replayed> {
  const { caller, cause, call } = request;
  const { accounts, limits } = services;
  const { accountId } = caller.account;
  if (change.setsAddress) await limits.count('webhook-address', String(accountId));
  const given = { caller, password: change.password };
  const provenHash = await provenHashOf({ ...accounts, cause }, services, given);

  async function lock(tx: Tx): Promise<void> {
    const credential = {
      accountId,
      operatorId: caller.operator?.id,
      tokenId: caller.tokenId,
      apiKeyId: caller.apiKey?.id,
    };
    const guard = await lockCaller(tx, credential, provenHash);
    if (!guard.isAlive) throw new Unauthorized();
    if (change.takesPassword) assertProven(guard, provenHash);
  }

  const inOrder = () =>
    answerWith(besideLedger(accounts, accountId), call.idempotency, {
      use: (context) =>
        lockingAccount(accounts.database, lock, (lockFirst) =>
          withOutbox(context, async (tx, addEntry) => {
            await lockFirst(tx);
            return changeAndTell(request, services, { ...change, tx, addEntry });
          }),
        ),
      // No change presents what it does not leave.
      present: ({ endpoint, secret }) => present(endpoint as PresentedEndpoint, secret as string),
    });
  return services.inChangeTurn(accountId, inOrder);
}
