import { type AccountTables, type Database, Prisma, type Tx } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';
import { Refusal } from '#platform/errors/refusal.js';
import { readShortList, type ShortListRequest, type TotalRow } from '#reads/list-reader.js';
import type { List } from '#reads/page.js';
import type { EndpointKey, StoredSecrets, WebhookAttempt, WebhookEndpoint } from './webhook-endpoint.js';

// The rows of webhook endpoints and of attempts, as callers read them.

/** An endpoint, and up to where nothing is missing. */
export interface ListedEndpoint extends WebhookEndpoint {
  readonly deliveredSeq: bigint;
  readonly headSeq: bigint;
}

export const endpointColumns = Prisma.sql`e.account_id AS "accountId", e.id, e.url, e.description, e.types, e.mode,
  e.state, e.disabled_reason AS "disabledReason", e.cursor_seq AS "cursorSeq", e.failing_since AS "failingSince",
  e.secret_before_until AS "secretBeforeUntil", e.created_at AS "createdAt", e.updated_at AS "updatedAt"`;

/** A ring that was not taken leaves its endpoint where the ring before ended. */
const deliveredSeq = Prisma.sql`coalesce((
  SELECT min(coalesce(d.from_seq, d.seq - 1)) FROM webhook_deliveries d
   WHERE d.account_id = e.account_id AND d.endpoint_id = e.id), e.cursor_seq)`;

const listedColumns = Prisma.sql`${endpointColumns}, ${deliveredSeq} AS "deliveredSeq",
  coalesce((SELECT h.last_seq FROM event_heads h WHERE h.account_id = e.account_id), 0) AS "headSeq"`;

export async function readEndpoint(
  tables: AccountTables | Tx,
  { accountId, id }: EndpointKey,
): Promise<ListedEndpoint> {
  const [found] = await tables.$queryRaw<ListedEndpoint[]>`
    SELECT ${listedColumns} FROM webhook_endpoints e WHERE e.account_id = ${accountId} AND e.id = ${id}`;
  if (found === undefined) throw new Refusal('webhook-endpoint-not-found');
  return found;
}

export function listEndpoints(
  database: Database,
  accountId: bigint,
  request: ShortListRequest,
): Promise<List<ListedEndpoint, TotalRow>> {
  const list = {
    accountIds: [accountId],
    from: Prisma.sql`webhook_endpoints listed`,
    columns: listedColumns,
    joined: Prisma.sql`JOIN webhook_endpoints e ON e.account_id = page.account_id AND e.id = page.id`,
  };
  return readShortList(database.of(accountId), list, request);
}

export function listAttempts(
  database: Database,
  { accountId, id }: EndpointKey,
  request: ShortListRequest,
): Promise<List<WebhookAttempt, TotalRow>> {
  const list = {
    accountIds: [accountId],
    from: Prisma.sql`(SELECT *, at AS created_at FROM webhook_attempts) listed`,
    conditions: [Prisma.sql`listed.endpoint_id = ${id}`],
    columns: Prisma.sql`a.id, a.seq, a.at, a.status, a.duration_ms AS "durationMs", a.error`,
    joined: Prisma.sql`JOIN webhook_attempts a ON a.account_id = page.account_id AND a.id = page.id`,
  };
  return readShortList(database.of(accountId), list, request);
}

/** The endpoint with its secrets, locked to the end of the transaction. */
export async function lockEndpoint(
  tx: Tx,
  { accountId, id }: EndpointKey,
): Promise<WebhookEndpoint & StoredSecrets & { readonly deliveredSeq: bigint }> {
  const [found] = await tx.$queryRaw<(WebhookEndpoint & StoredSecrets & { readonly deliveredSeq: bigint })[]>`
    SELECT ${endpointColumns}, e.secret_now AS "secretNow", e.secret_before AS "secretBefore", ${deliveredSeq} AS "deliveredSeq"
      FROM webhook_endpoints e WHERE e.account_id = ${accountId} AND e.id = ${id} FOR UPDATE OF e`;
  if (found === undefined) throw new Refusal('webhook-endpoint-not-found');
  return found;
}

export async function readSecrets(tables: AccountTables | Tx, { accountId, id }: EndpointKey): Promise<StoredSecrets> {
  const [found] = await tables.$queryRaw<StoredSecrets[]>`
    SELECT secret_now AS "secretNow", secret_before AS "secretBefore", secret_before_until AS "secretBeforeUntil"
      FROM webhook_endpoints WHERE account_id = ${accountId} AND id = ${id}`;
  if (found === undefined) throw new Refusal('webhook-endpoint-not-found');
  return found;
}

/** Of an endpoint that may be deleted by now. */
export async function writeAttempt(
  tables: AccountTables | Tx,
  { accountId, id }: EndpointKey,
  attempt: Pick<WebhookAttempt, 'seq' | 'at' | 'status' | 'durationMs' | 'error'>,
): Promise<void> {
  const { seq, at, status, durationMs, error } = attempt;
  await tables.$executeRaw`
    INSERT INTO webhook_attempts (account_id, endpoint_id, seq, at, status, duration_ms, error)
    VALUES (${accountId}, ${id}, ${seq}, ${at}, ${status}, ${durationMs}, ${error})`;
}

export const deleteOldAttempts = (tables: AccountTables, rows: ExpiredRows): Promise<DeletedRows> =>
  deleteExpiredRows(tables, { table: 'webhook_attempts', column: 'at' }, rows);
