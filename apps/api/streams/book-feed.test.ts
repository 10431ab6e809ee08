import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Micros, OddsMicros } from '#core/money.js';
import { type EventKind, eventKinds } from '#core/records.js';
import { BEGINNING, type EventPosition } from '#events/event-position.js';
import type { EventTail, TailListener } from '#events/event-signals.js';
import type { LogEvent } from '#reads/event.js';
import { type OpenOffers, offerOf } from '#reads/open-offers.js';
import { waitFor } from '#testing/wait-for.js';
import { AccountFeed } from './account-feed.js';
import { BookFeed } from './book-feed.js';
import { logPositionOf } from './event-batch.js';

// The log is a list that the tests make longer, and they say when the feed looks at it. The feed and the book are real.

const ACCOUNT = 1n;
const WAGER = 7n;
const OTHER_WAGER = 8n;
/** A feed reads so many events at once. */
const BATCH = 200;

let log: LogEvent[];
let feed: AccountFeed;
let listener: TailListener | undefined;
/** Before each read of the log. */
let onRead: () => void;

const tail = {
  listen: (_accountId: bigint, added: TailListener) => {
    listener = added;
    return () => undefined;
  },
  blindMs: () => 0,
} as unknown as EventTail;

/** The next event of the log, which is the last of an operation of so many events. */
function happen(type: EventKind, betId: bigint, wagerId = WAGER, events = 1): LogEvent {
  const seq = BigInt(log.length + 1);
  const bet = {
    id: betId,
    trailId: seq,
    wagerId,
    wagerReference: 'match',
    offerStatus: 'requesting',
    outcome: 'undecided',
    overrideOutcome: null,
    requestingUserId: 1n,
    acceptingUserId: null,
    effectiveOdds: null,
    requestingOdds: 2_000_000n as OddsMicros,
    requestingAmount: 5n as Micros,
    effectiveAmount: null,
    allowedAcceptorIds: [],
    allowedAcceptorBytes: 2,
    queuePlace: betId,
    createdAt: new Date(),
    isActive: true,
    cancelOnSuspend: false,
    meta: null,
    metaCharacters: 0,
  } as NonNullable<LogEvent['bet']>;
  const event: LogEvent = {
    seq,
    at: seq,
    kind: eventKinds[type],
    ref: seq,
    type,
    bet,
    wager: undefined,
    transactions: [],
    firstSeq: seq - BigInt(events - 1),
    lastSeq: seq,
    requestId: null,
    extra: {},
    actor: { kind: 'worker', accountId: null, apiKeyId: null, operatorId: null, name: null },
  };
  log = [...log.map((earlier) => (earlier.seq < event.firstSeq ? earlier : { ...earlier, lastSeq: seq })), event];
  return event;
}

/** Lets the feed read all that is in the log. */
async function readOn(): Promise<void> {
  listener?.wake('signal');
  await waitFor(() => feed.seq === BigInt(log.length));
}

/** The book as a read of it shows it after an event. */
const readAt = (asOf: LogEvent, ...open: readonly LogEvent[]): OpenOffers => ({
  reference: 'match',
  outcome: 'undecided',
  asOf,
  offers: open.flatMap((event) => offerOf(event) ?? []),
});

const shownBy = (book: BookFeed) => [book.position.seq, book.size, book.state.first(9, undefined)[0]?.amount];

beforeEach(() => {
  log = [];
  onRead = () => undefined;
  feed = new AccountFeed(ACCOUNT, logPositionOf(ACCOUNT, BEGINNING), {
    tail,
    read: (_accountId, after: EventPosition, limit) => {
      onRead();
      const events = log.filter(({ seq }) => seq > after.seq).slice(0, limit);
      return Promise.resolve({ events, next: events.at(-1), head: log.at(-1) ?? BEGINNING });
    },
    readNewest: () => Promise.reject(new Error('a book is of all events')),
    onError: (error) => {
      throw error;
    },
  });
});

describe('the book that streams follow', () => {
  it('goes on where its read ends: with what came meanwhile, and without what it has', async () => {
    const first = happen('offer.made', 1n);
    const book = new BookFeed(WAGER, feed);
    const second = happen('offer.made', 2n);
    await readOn();
    await book.start(readAt(first, first));
    expect(shownBy(book)).toEqual([2n, 2, 10n]);
    const later = new BookFeed(WAGER, feed);
    happen('offer.made', 3n);
    await readOn();
    const canceled = happen('offer.canceled', 3n);
    await later.start(readAt(canceled, first, second));
    expect(shownBy(later)).toEqual([4n, 2, 10n]);
    await readOn();
    expect([book, later].map(shownBy)).toEqual([
      [4n, 2, 10n],
      [4n, 2, 10n],
    ]);
  });

  it('shows an operation whole, also one whose events are read in two parts', async () => {
    const first = happen('offer.made', 1n);
    const book = new BookFeed(WAGER, feed);
    await book.start(readAt(first, first));
    const changes: unknown[] = [];
    const follower = { userId: undefined, conflateMs: 0, notePosition: () => undefined, end: () => undefined };
    book.join({ ...follower, noteChange: () => changes.push(shownBy(book)) });
    await readOn();
    while (log.length < BATCH) happen('offer.made', BigInt(log.length + 1), OTHER_WAGER);
    happen('offer.made', 1_000n);
    happen('offer.made', 1_001n, OTHER_WAGER, 2);
    const seen: unknown[] = [];
    onRead = () => seen.push(shownBy(book));
    await readOn();
    const before = [BigInt(BATCH), 1, 5n];
    expect([seen, changes]).toEqual([[[1n, 1, 5n], before], [[BigInt(BATCH + 2), 2, 10n]]]);
  });
});
