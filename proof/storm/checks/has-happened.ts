import { type EventKind, eventKinds } from '#core/records.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

/** The coverage of a storm asks for each of these, and few requests bring one about. */
export const RARE_EVENTS: readonly EventKind[] = [
  'offer.canceled',
  'offer.expired',
  'bet.overridden',
  'wager.decided',
  'wager.settled',
  'wager.suspended',
  'wager.resumed',
  'wager.closed',
  'wager.changed',
  'change_request.created',
];

const COUNT = `
  SELECT count(DISTINCT kind)::int AS count FROM event_groups CROSS JOIN unnest(kinds) AS kind WHERE kind = ANY ($1::smallint[])`;
const ANSWERED_WITHIN_MS = 2_000;

/** Whether the event logs have all of them. False too when PostgreSQL does not answer. */
export async function hasHappened(databaseUrl: string): Promise<boolean> {
  const limits = { connectionTimeoutMillis: ANSWERED_WITHIN_MS, query_timeout: ANSWERED_WITHIN_MS };
  const numbers = RARE_EVENTS.map((kind) => eventKinds[kind]);
  try {
    return await withPostgresClient({ connectionString: databaseUrl, ...limits }, async (client) => {
      const { rows } = await client.query<{ count: number }>(COUNT, [numbers]);
      return rows[0]?.count === numbers.length;
    });
  } catch {
    return false;
  }
}
