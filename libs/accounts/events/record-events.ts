import { type Database, type Tx, withTx } from '#platform/database/database.js';
import type { Cause, NewEvent } from './account-event.js';

/** Writes events in the transaction of their effect: both exist, or neither. */
export async function recordEvents(tx: Tx, cause: Cause, events: readonly NewEvent[]): Promise<void> {
  await insertEvents(
    tx,
    events.map((event) => ({ ...event, cause })),
  );
}

/**
 * Writes events that go with rows of the account's ledger. In a cluster these are in another database: there the events
 * commit first, so nothing happens that they do not tell.
 */
export async function recordBesideLedger(
  { database, ledger }: { readonly database: Database; readonly ledger: Tx },
  cause: Cause,
  events: readonly NewEvent[],
): Promise<void> {
  if (database.isDistributed) await withTx(database.shared, (tx) => recordEvents(tx, cause, events));
  else await recordEvents(ledger, cause, events);
}

export interface CausedEvent extends NewEvent {
  readonly cause: Cause;
  /** When it happened, as `performance.now()` says it; now, unless given. */
  readonly at?: number;
  /** Of events of the account with the same key in the same time of so many seconds, only the first is written. */
  readonly once?: { readonly key: string; readonly seconds: number };
}

/**
 * The time is that of the statement, so that events written under one lock stand in its order; of an event that happened
 * before, so much earlier. An event that is written once may be of an account that does not exist, and is left out then.
 */
export async function insertEvents(tx: Tx, events: readonly CausedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const now = performance.now();
  const rows = events.map(({ accountId, type, before, after, cause, at = now, once }) => ({
    account_id: String(accountId),
    type,
    before,
    after,
    actor: cause.actor,
    address: cause.address,
    request_id: cause.requestId,
    ago: `${(now - at).toFixed(3)} milliseconds`,
    once: once?.key,
    seconds: once?.seconds,
  }));
  await tx.$executeRaw`
    INSERT INTO account_events (account_id, type, actor, address, before, after, request_id, created_at, once_key)
    SELECT account_id, type, actor, address, before, after, request_id, clock_timestamp() - ago,
           once || ' ' || floor(extract(epoch FROM clock_timestamp() - ago) / seconds)
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given
        (account_id bigint, type text, actor jsonb, address text, before jsonb, after jsonb, request_id text,
         ago interval, once text, seconds int)
     WHERE once IS NULL OR EXISTS (SELECT FROM accounts a WHERE a.id = account_id)
    ON CONFLICT DO NOTHING`;
}
