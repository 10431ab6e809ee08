import { Prisma, type Tx } from '#platform/database/database.js';
import { type LoggedGroup, storedGroup } from './logged-events.js';

interface HeadRow {
  readonly lastSeq: bigint;
  /** As PostgreSQL writes it, with its microseconds. */
  readonly at: string;
}

const byAccount = (one: LoggedGroup, other: LoggedGroup): number => (one.accountId < other.accountId ? -1 : 1);

/**
 * Does what `append_events` does, in a transaction on the coordinator of a Citus cluster, which changes the account itself.
 * Citus plans a statement about one account, but not the function: each statement goes to the account's node, and the
 * transaction commits on both in two phases.
 */
export async function appendOnCoordinator(tx: Tx, groups: readonly LoggedGroup[]): Promise<void> {
  for (const group of [...groups].sort(byAccount)) await appendGroup(tx, group);
}

async function appendGroup(tx: Tx, group: LoggedGroup): Promise<void> {
  const { accountId, kinds, refs, operations, extras } = storedGroup(group);
  const count = kinds.length;
  const lock = Prisma.sql`SELECT last_seq AS "lastSeq", greatest(last_at, clock_timestamp())::text AS at
    FROM event_heads WHERE account_id = ${accountId} FOR NO KEY UPDATE`;
  let [head] = await tx.$queryRaw<HeadRow[]>`${lock}`;
  if (head === undefined) {
    await tx.$executeRaw`INSERT INTO event_heads (account_id) VALUES (${accountId}) ON CONFLICT DO NOTHING`;
    [head] = await tx.$queryRaw<[HeadRow]>`${lock}`;
  }
  const { lastSeq, at } = head;
  const last = lastSeq + BigInt(count);
  await tx.$executeRaw`
    UPDATE event_heads SET last_seq = ${last}, last_at = ${at}::timestamptz, last_kind = ${kinds[count - 1]}::smallint,
                           last_ref = ${refs[count - 1]}
     WHERE account_id = ${accountId}`;
  await tx.$executeRaw`
    INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras)
    VALUES (${accountId}, ${lastSeq + 1n}, ${last}, ${at}::timestamptz, ${kinds}::smallint[], ${refs}::bigint[],
            ${operations}, ${extras}::jsonb)`;
}
