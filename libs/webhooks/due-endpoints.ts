import { type Database, Prisma } from '#platform/database/database.js';
import type { EndpointKey } from './webhook-endpoint.js';

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
