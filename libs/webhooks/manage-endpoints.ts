import type { EventKind } from '#core/records.js';
import type { EventCause } from '#events/event-cause.js';
import { cursorOfRead, type EventPosition, isPositionOf, logHeadOf, markOfHead } from '#events/event-position.js';
import { logEvents, singleEvent } from '#events/log-events.js';
import { DAY_MS } from '#platform/config/time-units.js';
import type { AccountTables, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { readMark } from '#reads/event-window.js';
import { lockEndpoint } from './endpoint-rows.js';
import { newSecret, type SecretBox, shownSecret } from './secret-box.js';
import {
  type DisabledReason,
  type EndpointKey,
  type EndpointMode,
  MAX_ENDPOINTS,
  type WebhookEndpoint,
} from './webhook-endpoint.js';

/*
 * What a business does to its endpoints. Each change raises the version, so that a delivery under way, which began with
 * the endpoint as it was, writes nothing any more; and each is in the account's log, because an endpoint sees all of it.
 */

/** The old secret signs as well, until all servers of the receiver have the new one. */
const OLD_SECRET_LIVES_MS = DAY_MS;

export interface NewEndpoint {
  readonly url: string;
  readonly types: readonly string[];
  readonly mode: EndpointMode;
  readonly description: string | null;
}

export type EndpointChanges = { readonly [Name in keyof NewEndpoint]?: NewEndpoint[Name] | undefined };

export interface ChangeContext extends EndpointKey {
  readonly cause: EventCause;
}

export interface WithSecret {
  readonly key: EndpointKey;
  /** As its owner gets it, this once. */
  readonly secret: string;
}

type Shown = Pick<WebhookEndpoint, 'url' | 'types' | 'mode'>;

function logChange(tx: Tx, { accountId, id, cause }: ChangeContext, kind: EventKind, shown: Shown): void {
  const extra = { url: shown.url, types: shown.types, mode: shown.mode };
  logEvents(tx, singleEvent(accountId, cause, { kind, ref: id, extra }));
}

async function headSeqOf(tx: AccountTables | Tx, accountId: bigint): Promise<bigint> {
  const [row] = await tx.$queryRaw<[{ head: string | null }]>`SELECT ${logHeadOf(accountId)} AS head`;
  return markOfHead(row.head).seq;
}

/** It begins at the end of the log. */
export async function createEndpoint(
  tx: Tx,
  box: SecretBox,
  { accountId, cause, ...made }: NewEndpoint & Omit<ChangeContext, 'id'>,
): Promise<WithSecret> {
  // The count stays true until the end of the transaction.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || ${accountId}::bigint, 0))`;
  if ((await tx.prisma.webhookEndpoint.count({ where: { accountId } })) >= MAX_ENDPOINTS) {
    throw new Refusal('too-many-webhook-endpoints');
  }
  const secret = newSecret();
  const { url, mode, description } = made;
  const cursorSeq = await headSeqOf(tx, accountId);
  const secretNow = box.seal(accountId, secret);
  const data = { accountId, url, mode, description, types: [...made.types], cursorSeq, secretNow };
  const { id } = await tx.prisma.webhookEndpoint.create({ data, select: { id: true } });
  logChange(tx, { accountId, id, cause }, 'webhook.created', made);
  return { key: { accountId, id }, secret: shownSecret(secret) };
}

/** Deliveries were chosen by the types and put in lines by the mode, so these begin anew from where nothing is missing. */
async function beginFrom(tx: Tx, { accountId, id }: EndpointKey, seq: bigint): Promise<void> {
  await tx.$executeRaw`DELETE FROM webhook_deliveries WHERE account_id = ${accountId} AND endpoint_id = ${id}`;
  await tx.$executeRaw`
    UPDATE webhook_endpoints
       SET cursor_seq = ${seq}, failing_since = NULL, warned_at = NULL, not_before = NULL, next_at = NULL,
           state = CASE WHEN state = 'disabled' THEN state ELSE 'active' END
     WHERE account_id = ${accountId} AND id = ${id}`;
}

/** What has failed is tried at once, as if it never had. */
async function tryAgain(tx: Tx, { accountId, id }: EndpointKey): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_deliveries SET attempts = 0, next_at = 'epoch' WHERE account_id = ${accountId} AND endpoint_id = ${id}`;
  await tx.$executeRaw`
    UPDATE webhook_endpoints
       SET failing_since = NULL, warned_at = NULL, not_before = NULL, next_at = 'epoch',
           state = CASE WHEN state = 'disabled' THEN state ELSE 'active' END
     WHERE account_id = ${accountId} AND id = ${id}`;
}

const touch = (tx: Tx, { accountId, id }: EndpointKey) =>
  tx.$executeRaw`
    UPDATE webhook_endpoints SET version = version + 1, updated_at = now() WHERE account_id = ${accountId} AND id = ${id}`;

const isOtherList = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) !== JSON.stringify(other);

export async function changeEndpoint(tx: Tx, context: ChangeContext, changes: EndpointChanges): Promise<void> {
  const { accountId, id } = context;
  const found = await lockEndpoint(tx, context);
  const { url = found.url, mode = found.mode, description = found.description, types = found.types } = changes;
  await tx.prisma.webhookEndpoint.update({
    where: { accountId_id: { accountId, id } },
    data: { url, mode, description, types: [...types] },
    select: { id: true },
  });
  if (mode !== found.mode || isOtherList(types, found.types)) await beginFrom(tx, context, found.deliveredSeq);
  else if (url !== found.url) await tryAgain(tx, context);
  await touch(tx, context);
  logChange(tx, context, 'webhook.updated', { url, types, mode });
}

export async function rotateSecret(tx: Tx, box: SecretBox, context: ChangeContext, now: Date): Promise<WithSecret> {
  const { accountId, id } = context;
  const found = await lockEndpoint(tx, context);
  const secret = newSecret();
  const secretBeforeUntil = new Date(now.getTime() + OLD_SECRET_LIVES_MS);
  await tx.prisma.webhookEndpoint.update({
    where: { accountId_id: { accountId, id } },
    data: { secretNow: box.seal(accountId, secret), secretBefore: found.secretNow, secretBeforeUntil },
    select: { id: true },
  });
  await touch(tx, context);
  logChange(tx, context, 'webhook.updated', found);
  return { key: { accountId, id }, secret: shownSecret(secret) };
}

/** The caller has tested it. */
export async function enableEndpoint(tx: Tx, context: ChangeContext): Promise<void> {
  const { accountId, id } = context;
  const found = await lockEndpoint(tx, context);
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET state = 'active', disabled_reason = NULL, failing_since = NULL
     WHERE account_id = ${accountId} AND id = ${id}`;
  await tryAgain(tx, context);
  await touch(tx, context);
  logChange(tx, context, 'webhook.updated', found);
}

/** Its deliveries and its cursor stay where they are, so that `enable` goes on from there. False when it is disabled already. */
export async function disableEndpoint(tx: Tx, context: ChangeContext): Promise<boolean> {
  const { accountId, id, cause } = context;
  const { state } = await lockEndpoint(tx, context);
  // The reason that it was disabled for stays.
  if (state === 'disabled') return false;
  const disabledReason: DisabledReason = 'requested';
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET state = 'disabled', disabled_reason = ${disabledReason}
     WHERE account_id = ${accountId} AND id = ${id}`;
  await touch(tx, context);
  const extra = { disabled_reason: disabledReason };
  logEvents(tx, singleEvent(accountId, cause, { kind: 'webhook.disabled', ref: id, extra }));
  return true;
}

async function assertInLog(tx: Tx, accountId: bigint, position: EventPosition): Promise<void> {
  if (position.seq === 0n) return;
  const mark = await readMark(tx, accountId, position.seq);
  if (mark !== undefined && isPositionOf(position, mark)) return;
  const [row] = await tx.$queryRaw<[{ head: string | null }]>`SELECT ${logHeadOf(accountId)} AS head`;
  throw new Refusal('history-restored', { details: { head: cursorOfRead({ accountId, head: row.head }) } });
}

/** Goes on after this position, which may lie before what was delivered or behind it. Undefined: from the first event. */
export async function replayEndpoint(tx: Tx, context: ChangeContext, after: EventPosition | undefined): Promise<void> {
  const found = await lockEndpoint(tx, context);
  if (after !== undefined) await assertInLog(tx, context.accountId, after);
  await beginFrom(tx, context, after?.seq ?? 0n);
  await touch(tx, context);
  logChange(tx, context, 'webhook.updated', found);
}

export async function deleteEndpoint(tx: Tx, context: ChangeContext): Promise<void> {
  const { accountId, id } = context;
  const found = await lockEndpoint(tx, context);
  await tx.prisma.webhookEndpoint.delete({ where: { accountId_id: { accountId, id } }, select: { id: true } });
  logChange(tx, context, 'webhook.deleted', found);
}
