import { Prisma } from '#platform/database/database.js';
import { BEGINNING, type EventMark, encodePosition } from './event-position.js';

// A snapshot sees either all of a transaction or nothing, and a transaction writes its facts and its account's head. So a
// head that the statement of a read selects beside the facts names exactly the state that the read shows.

/** Microseconds since 1970. */
export const microsecondsOf = (column: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(extract(epoch FROM ${column}) * 1000000)::bigint`;

/** A scalar subquery: a look-up by key in a table of one row an account. NULL: the log has no event. */
export const logHeadOf = (accountId: bigint): Prisma.Sql => Prisma.sql`(
  SELECT concat_ws(' ', last_seq, ${microsecondsOf(Prisma.sql`last_at`)}, last_kind, last_ref)
    FROM event_heads WHERE account_id = ${accountId})`;

export function markOfHead(head: string | null): EventMark {
  if (head === null) return BEGINNING;
  const [seq = '', at = '', kind = '', ref = ''] = head.split(' ');
  return { seq: BigInt(seq), at: BigInt(at), kind: Number(kind), ref: BigInt(ref) };
}

/** Up to where the facts of a read go. */
export interface LedgerAsOf {
  readonly accountId: bigint;
  /** As `logHeadOf` selects it. */
  readonly head: string | null;
}

export const positionOf = ({ accountId, head }: LedgerAsOf): string => encodePosition(accountId, markOfHead(head));
