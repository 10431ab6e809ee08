import { hash } from 'node:crypto';
import { type Database, Prisma, type Queryable, type ReadNotes } from '#platform/database/database.js';

/*
 * A position in the event log of an account, as callers hold it. It has the number of an event and a hash of that event. In
 * a database that was restored to an earlier moment, the number comes again with another event: the hash tells them apart.
 */

/** What the hash covers: nothing of it ever changes. Number 0 is the beginning, before the first event. */
export interface EventMark {
  readonly seq: bigint;
  /** In microseconds since 1970. */
  readonly at: bigint;
  readonly kind: number;
  readonly ref: bigint;
}

export interface EventPosition {
  readonly accountId: bigint;
  readonly seq: bigint;
  /** In hexadecimal digits. */
  readonly hash: string;
}

const VERSION = 1;
const HASH_DIGITS = 12;
const ACCOUNT_AT = 1;
const SEQ_AT = 9;
const HASH_AT = 17;
const LENGTH = HASH_AT + HASH_DIGITS / 2;

export const BEGINNING: EventMark = { seq: 0n, at: 0n, kind: 0, ref: 0n };
const HASH_OF_BEGINNING = '0'.repeat(HASH_DIGITS);

function hashOf(accountId: bigint, { seq, at, kind, ref }: EventMark): string {
  if (seq === 0n) return HASH_OF_BEGINNING;
  return hash('sha256', `${accountId} ${seq} ${at} ${kind} ${ref}`, 'hex').slice(0, HASH_DIGITS);
}

/** A page has a thousand positions: all are written into the same bytes. */
const written = Buffer.alloc(LENGTH);
written.writeUInt8(VERSION);

export function encodePosition(accountId: bigint, mark: EventMark): string {
  written.writeBigInt64BE(accountId, ACCOUNT_AT);
  written.writeBigInt64BE(mark.seq, SEQ_AT);
  written.write(hashOf(accountId, mark), HASH_AT, 'hex');
  return written.toString('base64url');
}

/** Undefined: the text is none that `encodePosition` can have written. */
export function decodePosition(text: string): EventPosition | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // base64 has several texts for the same bytes: only the one that was answered counts.
  if (bytes.length !== LENGTH || bytes[0] !== VERSION || bytes.toString('base64url') !== text) return undefined;
  const seq = bytes.readBigInt64BE(SEQ_AT);
  const digits = bytes.toString('hex', HASH_AT);
  if (seq < 0n || (seq === 0n && digits !== HASH_OF_BEGINNING)) return undefined;
  return { accountId: bytes.readBigInt64BE(ACCOUNT_AT), seq, hash: digits };
}

export const isPositionOf = ({ accountId, seq, hash: digits }: EventPosition, mark: EventMark): boolean =>
  seq === mark.seq && digits === hashOf(accountId, mark);

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

export const cursorOfRead = ({ accountId, head }: LedgerAsOf): string => encodePosition(accountId, markOfHead(head));

// A read notes up to where its facts go, and the endpoint answers it in a header. The readers' results stay free of it.

type Noting = Pick<Queryable, 'database'>;

/** Runs a read and returns, beside its result, what its last statement noted; undefined: nothing exact. */
export async function withAsOf<Result>(
  database: Database,
  read: (database: Database) => Promise<Result>,
): Promise<{ readonly result: Result; readonly asOf: LedgerAsOf | undefined }> {
  const notes: ReadNotes = { asOf: undefined, isInexact: false };
  const result = await read(database.reading({ notes }));
  return { result, asOf: notes.isInexact ? undefined : notes.asOf };
}

/** For the statement that reads the facts: it has selected the head as well. */
export function noteAsOf({ database: { read } }: Noting, asOf: LedgerAsOf): void {
  if (read?.notes !== undefined) read.notes.asOf = asOf;
}

/** A condition of the read is of an earlier moment than its facts. */
export function noteInexact({ database: { read } }: Noting): void {
  if (read?.notes !== undefined) read.notes.isInexact = true;
}
