import { type EventKind, eventKinds } from '#core/records.js';
import { type Subject, subjectOf } from '#events/event-index.js';
import type { EventMark, EventPosition } from '#events/event-position.js';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import { MAX_EVENT_BYTES } from '#platform/quotas/answer-size.js';
import type {
  EventFilter,
  EventPage,
  EventPageBackRequest,
  EventPageRequest,
  ListedEventPage,
  LogEvent,
  NewestEventPage,
  SeqRange,
} from './event.js';
import { bytesOf } from './event-bytes.js';
import { readEvents } from './event-facts.js';
import { type EventSearch, findEvents, readLogEnd } from './event-search.js';
import {
  assertInLog,
  type EventWindow,
  readLogHead,
  readMark,
  readMarksOf,
  readSeqBefore,
  readWindow,
  readWindowBack,
} from './event-window.js';
import { userIdsOf } from './ids-by-reference.js';

/** A request for types looks at so many events at most. */
const LOOKED_AT = 10_000;
/**
 * So many are read with what they are about, before the filters judge them and their bytes are counted: 200 offers with all the
 * acceptors that one may name are 7 MB.
 */
const PART = 200;

/**
 * The next events after a position. `next` passes what the filters leave out, also when no event is left. A page ends early,
 * before its limit, where more events would be too many bytes for one answer. One connection
 * reads all of it: of two standbys one may lack what the other has shown.
 */
export const readEventPage = (database: Database, request: EventPageRequest): Promise<ListedEventPage> =>
  withTx(database.of(request.accountId), (tx) => readPage(tx, request));

/** The same from the primary, where each statement sees what the one before has seen: without a transaction. */
export const readNewEvents = (primary: Database, request: EventPageRequest): Promise<EventPage> =>
  primary.isDistributed ? readEventPage(primary, request) : readPage(primary.of(request.accountId), request);

/** The next events before a position, the newest first. `next` passes what the filters leave out, as above. */
export const readEventPageBack = (database: Database, request: EventPageBackRequest): Promise<ListedEventPage> =>
  withTx(database.of(request.accountId), async (tx) => {
    const { accountId, before, limit, types } = request;
    const wanted = await wantedIn(tx, request);
    if (isAboutSubjects(wanted)) return readFound(tx, wanted, { position: before, order: 'newest' });
    const size = types ? LOOKED_AT : limit;
    return eventsIn(tx, wanted, await readWindowBack(tx, { accountId, before, size, last: wanted.last }));
  });

async function readPage(tables: AccountTables | Tx, request: EventPageRequest): Promise<ListedEventPage> {
  const { accountId, after, limit, types } = request;
  const wanted = await wantedIn(tables, request);
  if (isAboutSubjects(wanted)) return readFound(tables, wanted, { position: after, order: 'oldest' });
  const size = types ? LOOKED_AT : limit;
  return eventsIn(tables, wanted, await readWindow(tables, { accountId, after, size, first: wanted.first }));
}

interface Wanted extends EventFilter {
  readonly accountId: bigint;
  readonly limit: number;
  /** The numbers that the times of the request allow. Undefined: to the end of the log. */
  readonly first: bigint;
  readonly last: bigint | undefined;
}

/** No event is about a user with this id. */
const NOBODY = 0n;

/** Makes numbers of times, and an id of a reference. */
async function wantedIn(tables: AccountTables | Tx, request: EventPageRequest | EventPageBackRequest): Promise<Wanted> {
  const { accountId, createdFrom, createdUntil, userReference } = request;
  const users = await userIdsOf(tables, [accountId], {
    ids: undefined,
    references: userReference === undefined ? undefined : [userReference],
  });
  const before = createdFrom && (await readSeqBefore(tables, accountId, createdFrom));
  const last = createdUntil && (await readSeqBefore(tables, accountId, new Date(createdUntil.getTime() + 1)));
  return { ...request, userId: users ? (users[0] ?? NOBODY) : request.userId, first: (before ?? 0n) + 1n, last };
}

const rangeOf = ({ first, last }: Wanted, head: EventMark): SeqRange => ({
  from: first,
  until: last !== undefined && last < head.seq ? last : head.seq,
});

/** The events of a window that a page shows, in the order of the window. */
async function eventsIn(
  tables: AccountTables | Tx,
  wanted: Wanted,
  { marks, head }: EventWindow,
): Promise<ListedEventPage> {
  const { accountId, limit, types } = wanted;
  const range = rangeOf(wanted, head);
  const within = marks.filter(({ seq }) => seq >= range.from && seq <= range.until);
  const candidates = within.filter(({ type }) => types?.has(type) ?? true);
  const page = new FillingPage(wanted);
  for (let start = 0; start < candidates.length && !page.isFull; start += PART) {
    const part = candidates.slice(start, start + Math.min(PART, limit - page.events.length));
    page.take(await readEvents(tables, accountId, part));
  }
  return { events: page.events, next: page.isFull ? page.events.at(-1) : within.at(-1), head, range };
}

interface Start {
  readonly position: EventPosition | undefined;
  readonly order: EventSearch['order'];
}

/** The events about a user, a wager or a bet, whose numbers the index knows. */
async function readFound(
  tables: AccountTables | Tx,
  wanted: Wanted,
  { position, order }: Start,
): Promise<ListedEventPage> {
  const { accountId, limit } = wanted;
  const { head, indexedSeq } = await readLogEnd(tables, accountId);
  const markOf = async (seq: bigint) => (await readMarksOf(tables, { accountId, seqs: [seq] }))[0];
  if (position !== undefined && position.seq > 0n) assertInLog(position, await markOf(position.seq), head);
  // After the head: an event up to it is about nothing that is newer.
  const subjects = await readSubjects(tables, wanted);
  const allowed = rangeOf(wanted, head);
  const range = behind(allowed, { position, order });
  const ofTypes = wanted.types && [...wanted.types].map((type) => eventKinds[type]);
  const search = { accountId, subjects: subjects ?? [], kinds: ofTypes, ...range, order, limit };
  const nothing = { seqs: [], reached: order === 'oldest' ? range.until : range.from };
  const { seqs, reached } = subjects === undefined ? nothing : await findEvents(tables, search, indexedSeq);
  const page = await readBySeqs(tables, wanted, seqs);
  const isEmptyRange = range.from > range.until;
  return {
    events: page.events,
    next: page.isFull ? page.events.at(-1) : isEmptyRange ? undefined : await markOf(reached),
    head,
    range: allowed,
  };
}

/** What of the range comes after the position, in the order of the page. */
function behind({ from, until }: SeqRange, { position, order }: Start): SeqRange {
  if (position === undefined) return { from, until };
  const { seq } = position;
  return order === 'oldest'
    ? { from: seq < from ? from : seq + 1n, until }
    : { from, until: seq > until ? until : seq - 1n };
}

/** The events with these numbers, up to a full page. */
async function readBySeqs(tables: AccountTables | Tx, wanted: Wanted, seqs: readonly bigint[]): Promise<FillingPage> {
  const { accountId } = wanted;
  const page = new FillingPage(wanted);
  for (let start = 0; start < seqs.length && !page.isFull; ) {
    const marks = await readMarksOf(tables, { accountId, seqs: seqs.slice(start, start + PART) });
    const last = marks.at(-1);
    // An index of another history may name events that the log has not.
    if (last === undefined) break;
    page.take(await readEvents(tables, accountId, marks));
    start = seqs.indexOf(last.seq) + 1;
  }
  return page;
}

/** Undefined: no wager has the reference, so no event is about it. */
async function readSubjects(
  tables: AccountTables | Tx,
  { accountId, wagerReference, userId, betId }: Wanted,
): Promise<Subject[] | undefined> {
  const subjects: Subject[] = [];
  if (betId !== undefined) subjects.push(subjectOf('bet', betId));
  if (userId !== undefined) subjects.push(subjectOf('user', userId));
  if (wagerReference === undefined) return subjects;
  const wager = Prisma.sql`SELECT id FROM wagers WHERE account_id = ${accountId} AND reference = ${wagerReference}`;
  const [found] = await queryRows<{ id: bigint }>(tables, wager);
  return found && [...subjects, subjectOf('wager', found.id)];
}

/** Takes events until it has as many, or as many bytes, as a page may have. */
class FillingPage {
  readonly events: LogEvent[] = [];
  isFull = false;
  #bytes = 0;

  constructor(private readonly wanted: Wanted) {}

  take(read: readonly LogEvent[]): void {
    for (const event of read.filter((each) => isAbout(each, this.wanted))) {
      this.#bytes += bytesOf(event);
      this.isFull ||= this.#bytes > MAX_EVENT_BYTES && this.events.length > 0;
      if (this.isFull) return;
      this.events.push(event);
      this.isFull = this.events.length === this.wanted.limit;
    }
  }
}

export interface NewestRequest {
  readonly accountId: bigint;
  readonly after: EventPosition | undefined;
  readonly limit: number;
}

/** The newest of the next events. What they are about is read of them alone. */
export const readNewestEvents = (primary: Database, request: NewestRequest): Promise<NewestEventPage> =>
  primary.isDistributed
    ? withTx(primary.of(request.accountId), (tx) => readNewest(tx, request))
    : readNewest(primary.of(request.accountId), request);

async function readNewest(
  tables: AccountTables | Tx,
  { accountId, after, limit }: NewestRequest,
): Promise<NewestEventPage> {
  const { marks, head } = await readWindow(tables, { accountId, after, size: LOOKED_AT });
  const skipped = new Map<EventKind, number>();
  for (const { type } of marks.slice(0, -limit)) skipped.set(type, (skipped.get(type) ?? 0) + 1);
  const events = await readEvents(tables, accountId, marks.slice(-limit));
  return { events, next: marks.at(-1), head, skipped };
}

export const matchesFilter = (event: LogEvent, filter: EventFilter): boolean =>
  (filter.types?.has(event.type) ?? true) && isAbout(event, filter);

const isAboutSubjects = ({ wagerReference, userId, betId }: EventFilter): boolean =>
  wagerReference !== undefined || userId !== undefined || betId !== undefined;

export const isFilter = (filter: EventFilter): boolean => filter.types !== undefined || isAboutSubjects(filter);

/** The end of the log at this moment. */
export const readHead = (database: Database, accountId: bigint): Promise<EventMark> =>
  readLogHead(database.of(accountId), accountId);

/** Of a user: what it did, what it is a party of, and what was done to it. */
function isAbout({ type, ref, bet, wager, transactions, extra }: LogEvent, filter: EventFilter): boolean {
  const { wagerReference, userId, betId } = filter;
  if (betId !== undefined && bet?.id !== betId) return false;
  if (wagerReference !== undefined && (bet?.wagerReference ?? wager?.reference) !== wagerReference) return false;
  if (userId === undefined) return true;
  if (type.startsWith('user.')) return ref === userId;
  if (type === 'wager.canceling') return cancelingUserOf(extra) === userId;
  if (bet !== undefined) return bet.requestingUserId === userId || bet.acceptingUserId === userId;
  return transactions.some((transaction) => transaction.userId === userId);
}

/** Null: its offers are of all users. */
const cancelingUserOf = ({ canceling }: LogEvent['extra']): bigint | null => {
  const { user_id: userId } = canceling as { readonly user_id: number | null };
  return userId === null ? null : BigInt(userId);
};

export async function findEvent(
  tables: AccountTables | Tx,
  accountId: bigint,
  seq: bigint,
): Promise<LogEvent | undefined> {
  const mark = await readMark(tables, accountId, seq);
  const [event] = mark === undefined ? [] : await readEvents(tables, accountId, [mark]);
  return event;
}

export async function readEvent(tables: AccountTables | Tx, accountId: bigint, seq: bigint): Promise<LogEvent> {
  const event = await findEvent(tables, accountId, seq);
  if (event === undefined) throw new Refusal('event-not-found');
  return event;
}
