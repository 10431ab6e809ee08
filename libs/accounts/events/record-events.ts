import type { Tx } from '#platform/database/database.js';
import type { Cause, NewEvent } from './account-event.js';

/** Writes events in the transaction of their effect: both exist, or neither. */
export async function recordEvents(tx: Tx, cause: Cause, events: readonly NewEvent[]): Promise<void> {
  await insertEvents(
    tx,
    events.map((event) => ({ ...event, cause })),
  );
}

export interface CausedEvent extends NewEvent {
  readonly cause: Cause;
}

/** The time is that of the statement, so that events written under one lock stand in its order. */
export async function insertEvents(tx: Tx, events: readonly CausedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ accountId, type, before, after, cause }) => ({
    account_id: String(accountId),
    type,
    before,
    after,
    actor: cause.actor,
    address: cause.address,
    request_id: cause.requestId,
  }));
  await tx.$executeRaw`
    INSERT INTO account_events (account_id, type, actor, address, before, after, request_id, created_at)
    SELECT account_id, type, actor, address, before, after, request_id, clock_timestamp()
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given
        (account_id bigint, type text, actor jsonb, address text, before jsonb, after jsonb, request_id text)`;
}
