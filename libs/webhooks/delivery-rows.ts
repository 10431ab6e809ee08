import { randomUUID } from 'node:crypto';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { scalars, texts } from '#platform/database/statements.js';
import { endpointColumns } from './endpoint-rows.js';
import type { Tried } from './schedule.js';
import type { EndpointKey, StoredSecrets, WebhookEndpoint } from './webhook-endpoint.js';

/*
 * What a worker writes while it delivers. It holds a lease in the endpoint's row, and every statement asks for that lease
 * and the version that it began with: when another worker has taken over, or a caller has changed the endpoint, nothing is
 * written. So a delivery ends once, and what was sent without being noted is sent again.
 */

/** A turn ends well before: see `deliver.ts`. */
const LEASE_SECONDS = 45;

export interface Lease extends EndpointKey {
  readonly token: string;
  readonly version: number;
}

interface LeasedEndpoint extends WebhookEndpoint, StoredSecrets {
  readonly version: number;
  readonly warnedAt: Date | null;
}

/** An event that waits to be taken, or a ring. */
export interface Delivery extends Tried {
  readonly seq: bigint;
  /** Of a ring. */
  readonly fromSeq: bigint | null;
  /** Deliveries of a line go one after the other. */
  readonly line: string;
  readonly nextAt: Date;
}

/** Another worker has taken over, or a caller has changed the endpoint. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export const isHeld = ({ accountId, id, token, version }: Lease): Prisma.Sql => Prisma.sql`
  account_id = ${accountId} AND id = ${id} AND lease = ${token} AND version = ${version}`;

const isOf = ({ accountId, id }: EndpointKey): Prisma.Sql =>
  Prisma.sql`account_id = ${accountId} AND endpoint_id = ${id}`;

/** A look finds the next ones when these are delivered. */
const MOST_AT_ONCE = 1_000;

const due = (now: Date): Prisma.Sql => Prisma.sql`
  SELECT e.account_id AS "accountId", e.id
    FROM webhook_endpoints e LEFT JOIN event_heads h ON h.account_id = e.account_id
   WHERE e.state <> 'disabled' AND (e.lease_until IS NULL OR e.lease_until <= now())
     AND (e.not_before IS NULL OR e.not_before <= ${now}) AND (e.next_at <= ${now} OR e.cursor_seq < h.last_seq)
   ORDER BY e.next_at NULLS FIRST, e.account_id, e.id LIMIT ${MOST_AT_ONCE}`;

/** Whether any account has an endpoint. */
export async function hasEndpoints(database: Database): Promise<boolean> {
  const found = await database.inAll((tables) =>
    tables.$queryRaw<unknown[]>(Prisma.sql`SELECT 1 FROM webhook_endpoints LIMIT 1`),
  );
  return found.flat().length > 0;
}

/** The endpoints that have something to deliver, and that no worker delivers to. */
export async function findDueEndpoints(database: Database, now: Date): Promise<EndpointKey[]> {
  const found = await database.inAll((tables) => tables.$queryRaw<EndpointKey[]>(due(now)));
  return found.flat();
}

export interface Claimed {
  readonly endpoint: LeasedEndpoint;
  readonly lease: Lease;
}

/** Undefined: another worker delivers, or there is nothing to do yet. A worker that dies leaves an endpoint that is due. */
export async function claimEndpoint(
  database: Database,
  { accountId, id }: EndpointKey,
  now: Date,
): Promise<Claimed | undefined> {
  const token = randomUUID();
  const [endpoint] = await database.of(accountId).$queryRaw<LeasedEndpoint[]>`
    UPDATE webhook_endpoints e
       SET lease = ${token}, lease_until = now() + ${LEASE_SECONDS} * interval '1 second', next_at = ${now}
     WHERE e.account_id = ${accountId} AND e.id = ${id} AND e.state <> 'disabled'
       AND (e.lease_until IS NULL OR e.lease_until <= now()) AND (e.not_before IS NULL OR e.not_before <= ${now})
    RETURNING ${endpointColumns}, e.version, e.warned_at AS "warnedAt", e.secret_now AS "secretNow",
              e.secret_before AS "secretBefore"`;
  return endpoint && { endpoint, lease: { accountId, id, token, version: endpoint.version } };
}

export interface Rest {
  /** Null: when the log grows. */
  readonly nextAt: Date | null;
  /** Not earlier, even when the log grows. */
  readonly notBefore: Date | null;
}

/** A caller who has changed the endpoint meanwhile has set these times. */
export async function releaseEndpoint(database: Database, lease: Lease, { nextAt, notBefore }: Rest): Promise<void> {
  const { accountId, id, token, version } = lease;
  await database.of(accountId).$executeRaw`
    UPDATE webhook_endpoints
       SET lease = NULL, lease_until = NULL,
           next_at = CASE WHEN version = ${version} THEN ${nextAt}::timestamptz ELSE next_at END,
           not_before = CASE WHEN version = ${version} THEN greatest(not_before, ${notBefore}::timestamptz) ELSE not_before END
     WHERE account_id = ${accountId} AND id = ${id} AND lease = ${token}`;
}

export async function readDeliveries(tables: AccountTables | Tx, lease: Lease): Promise<Delivery[]> {
  return tables.$queryRaw<Delivery[]>`
    SELECT seq, from_seq AS "fromSeq", line, attempts, next_at AS "nextAt", last_status AS "lastStatus",
           last_tried_at AS "lastTriedAt" FROM webhook_deliveries
     WHERE ${isOf(lease)} ORDER BY seq`;
}

/** Adds deliveries and moves the cursor behind them, in one transaction. */
export async function addDeliveries(
  database: Database,
  lease: Lease,
  { deliveries, cursorSeq }: { readonly deliveries: readonly Delivery[]; readonly cursorSeq: bigint },
): Promise<void> {
  const { accountId, id } = lease;
  const [seqs, froms] = [scalars(deliveries.map(({ seq }) => seq)), scalars(deliveries.map(({ fromSeq }) => fromSeq))];
  const lines = texts(deliveries.map(({ line }) => line));
  await withTx(database.of(accountId), async (tx) => {
    const moved = await tx.$executeRaw`UPDATE webhook_endpoints SET cursor_seq = ${cursorSeq} WHERE ${isHeld(lease)}`;
    if (moved === 0) throw new LeaseLost();
    if (deliveries.length === 0) return;
    await tx.$executeRaw`
      INSERT INTO webhook_deliveries (account_id, endpoint_id, seq, from_seq, line, next_at)
      SELECT ${accountId}, ${id}, d.seq, d.from_seq, d.line, ${deliveries[0]?.nextAt}
        FROM unnest(${seqs}::bigint[], ${froms}::bigint[], ${lines}::text[]) AS d (seq, from_seq, line)`;
  });
}

export interface TakenAttempt {
  readonly seq: bigint;
  readonly at: Date;
  readonly status: number | null;
  readonly durationMs: number;
}

/** Ends a delivery: its row goes with the 2xx, and never before it. */
export async function endDelivery(tables: AccountTables | Tx, lease: Lease, attempt: TakenAttempt): Promise<void> {
  const { accountId, id } = lease;
  const { seq, at, status, durationMs } = attempt;
  const ended = await tables.$executeRaw`
    WITH held AS (SELECT id FROM webhook_endpoints WHERE ${isHeld(lease)} FOR NO KEY UPDATE),
         ended AS (DELETE FROM webhook_deliveries
                    WHERE ${isOf(lease)} AND seq = ${seq} AND EXISTS (SELECT FROM held) RETURNING seq)
    INSERT INTO webhook_attempts (account_id, endpoint_id, seq, at, status, duration_ms)
    SELECT ${accountId}, ${id}, ended.seq, ${at}, ${status}, ${durationMs} FROM ended`;
  if (ended === 0) throw new LeaseLost();
}

/** The same, when something has failed before. */
export const endFailure = (database: Database, lease: Lease, attempt: TakenAttempt): Promise<boolean> =>
  withTx(database.of(lease.accountId), async (tx) => {
    await endDelivery(tx, lease, attempt);
    return noteRecovery(tx, lease);
  });

/** Ends the waits of deliveries that have failed. */
export async function tryAtOnce(
  tables: AccountTables,
  lease: Lease,
  { seqs, now }: { readonly seqs: readonly bigint[]; readonly now: Date },
): Promise<void> {
  await tables.$executeRaw`
    UPDATE webhook_deliveries SET next_at = ${now}
     WHERE ${isOf(lease)} AND seq = ANY(${scalars(seqs)}::bigint[])
       AND EXISTS (SELECT FROM webhook_endpoints WHERE ${isHeld(lease)})`;
}

/** The endpoint works again, unless something that has failed still waits. */
async function noteRecovery(tables: AccountTables | Tx, lease: Lease): Promise<boolean> {
  const recovered = await tables.$executeRaw`
    UPDATE webhook_endpoints SET state = 'active', failing_since = NULL, warned_at = NULL
     WHERE ${isHeld(lease)} AND state = 'failing'
       AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE ${isOf(lease)} AND attempts > 0)`;
  return recovered === 1;
}
