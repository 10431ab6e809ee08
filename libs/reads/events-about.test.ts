import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { blockSizes, indexNextBlocks } from '#events/event-index.js';
import { decodePosition, type EventMark, type EventPosition, encodePosition } from '#events/event-position.js';
import { ACCOUNT, fillLedger } from '#testing/full-ledger.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import type { EventFilter, EventPage, LogEvent } from './event.js';
import { readEventPage, readEventPageBack } from './event-log.js';

// Events about users, wagers and bets, of a log that is indexed in part. The tests index it themselves: no worker runs.

const [RESTORED, LONG] = [2n, 3n];
const [ANN, BOB, CAT] = [1n, 2n, 3n];
const USER = 77n;
const { small } = blockSizes;
let bet: bigint;
let all: readonly LogEvent[];
const ledger = withOpenLedger(async (driver) => {
  ({ overridden: bet } = await fillLedger(driver));
});
const database = () => ledger.driver.database;

type Wanted = Partial<EventFilter>;
const noFilter = { types: undefined, wagerReference: undefined, userId: undefined, betId: undefined };

const positionAt = (mark: EventMark, accountId: bigint) =>
  decodePosition(encodePosition(accountId, mark)) as EventPosition;

async function pageOf(
  wanted: Wanted,
  order: 'oldest' | 'newest',
  from?: EventMark,
  accountId = ACCOUNT,
): Promise<EventPage> {
  const request = { ...noFilter, ...wanted, accountId, limit: 1_000 };
  const position = from && positionAt(from, accountId);
  return order === 'oldest'
    ? readEventPage(database(), { ...request, after: position })
    : readEventPageBack(database(), { ...request, before: position });
}

async function seqsOf(wanted: Wanted, order: 'oldest' | 'newest'): Promise<bigint[]> {
  const seqs: bigint[] = [];
  for (let from: EventMark | undefined; ; ) {
    const { events, next, head } = await pageOf(wanted, order, from);
    seqs.push(...events.map(({ seq }) => seq));
    if (next === undefined || next.seq === (order === 'oldest' ? head.seq : 1n)) return seqs;
    from = next;
  }
}

/** Groups of a thousand events about the user: as many as PostgreSQL makes at once, where requests would take long. */
const append = (accountId: bigint, groups: number, userId: bigint) =>
  ledger.query(`
    SELECT append_group(${accountId}, array_fill(${eventKinds['user.updated']}::smallint, ARRAY[1000]),
                        array_fill(${userId}::bigint, ARRAY[1000]), '1000 worker -', NULL) FROM generate_series(1, ${groups})`);

beforeAll(async () => {
  await ledger.query(`
    INSERT INTO accounts (id, name, email)
      VALUES (${RESTORED}, 'b', 'b@example.com'), (${LONG}, 'c', 'c@example.com');
    INSERT INTO users (account_id, id, reference, name) VALUES (${RESTORED}, ${USER}, 'eve', 'Eve')`);
  await append(ACCOUNT, 2, CAT);
  await ledger.driver.override(bet, 'loss');
  await append(ACCOUNT, 1, BOB);
  await ledger.driver.offer('ann', 'last', 1);
  const events: LogEvent[] = [];
  for (let from: EventMark | undefined; ; from = events.at(-1)) {
    const page = await pageOf({}, 'oldest', from);
    if (page.events.length === 0) break;
    events.push(...page.events);
  }
  all = events;
});

const isOfUser = (userId: bigint) => (event: LogEvent) => {
  if (event.type.startsWith('user.')) return event.ref === userId;
  if (event.bet) return [event.bet.requestingUserId, event.bet.acceptingUserId].includes(userId);
  return event.transactions.some((each) => each.userId === userId);
};
const isOfWager = (reference: string) => (event: LogEvent) =>
  [event.wager?.reference, event.bet?.wagerReference].includes(reference);

/** Each kind of list, and the condition that its events fulfil. */
const lists = (): [Wanted, (event: LogEvent) => boolean][] => [
  [{ userId: ANN }, isOfUser(ANN)],
  [{ userId: BOB }, isOfUser(BOB)],
  [{ userId: CAT }, isOfUser(CAT)],
  [{ wagerReference: 'overridden' }, isOfWager('overridden')],
  [{ betId: bet }, (event) => event.bet?.id === bet],
  [{ userId: CAT, wagerReference: 'won' }, (event) => isOfUser(CAT)(event) && isOfWager('won')(event)],
  [{ userId: BOB, betId: bet }, (event) => event.bet?.id === bet && isOfUser(BOB)(event)],
  [{ userId: ANN, betId: bet }, () => false],
  [
    { betId: bet, types: new Set(['bet.settled']) },
    ({ type, ...event }) => event.bet?.id === bet && type === 'bet.settled',
  ],
  [{ userId: CAT, types: new Set(['user.updated']) }, ({ type, ref }) => type === 'user.updated' && ref === CAT],
  [{ userId: 987_654n }, () => false],
  [{ wagerReference: 'never' }, () => false],
];

describe('the events about users, wagers and bets', () => {
  it.each([
    ['without an index', 0n],
    ['when a part is indexed', small],
    ['when all is indexed that fills blocks', 3n * small],
  ])('are complete and in order in both directions %s', async (_state, indexed) => {
    expect(all.length).toBeGreaterThan(Number(3n * small));
    for (let count = await indexedSeq(); count < indexed; count += small) {
      await indexNextBlocks(database(), ACCOUNT, true);
    }
    expect(await indexedSeq()).toBe(indexed);
    for (const [wanted, condition] of lists()) {
      const seqs = all.filter(condition).map(({ seq }) => seq);
      expect({ wanted, seqs: await seqsOf(wanted, 'oldest') }).toEqual({ wanted, seqs });
      expect({ wanted, seqs: await seqsOf(wanted, 'newest') }).toEqual({ wanted, seqs: seqs.toReversed() });
    }
  });

  it('are of the own account alone', async () => {
    for (const wanted of [{ betId: bet }, { userId: ANN }, { wagerReference: 'won' }]) {
      expect((await pageOf(wanted, 'oldest', undefined, RESTORED)).events).toEqual([]);
    }
  });

  const indexedSeq = async () => {
    const [row] = await ledger.query(`SELECT indexed_seq AS seq FROM event_indexes WHERE account_id = ${ACCOUNT}`);
    return BigInt(String(row?.seq ?? 0));
  };
});

describe('a log of which no part is indexed', () => {
  beforeAll(() => append(LONG, 25, USER));

  it('is looked through in parts of 10,000 events', async () => {
    const page = await pageOf({ userId: 987_654n }, 'oldest', undefined, LONG);
    expect(page.events).toEqual([]);
    expect(page.next?.seq).toBe(10_000n);
    const back = await pageOf({ userId: 987_654n }, 'newest', undefined, LONG);
    expect(back.next?.seq).toBe(back.head.seq - 9_999n);
  });

  it('is looked through at once when it is indexed, however far apart the events are', async () => {
    while (await indexNextBlocks(database(), LONG));
    const page = await pageOf({ userId: 987_654n }, 'oldest', undefined, LONG);
    expect(page.next?.seq).toBe(page.head.seq);
  });
});

describe('an index of another history', () => {
  it('adds no event that the log has not', async () => {
    await append(RESTORED, 1, USER);
    const place = (seq: number) => (seq - 1) * 256 + eventKinds['user.updated'];
    await ledger.query(`
      INSERT INTO event_indexes (account_id, indexed_seq) VALUES (${RESTORED}, 1024);
      UPDATE event_heads SET last_seq = 1024 WHERE account_id = ${RESTORED};
      INSERT INTO event_index_pages (account_id, level, block, first_subject, first_place, subjects, places)
        VALUES (${RESTORED}, 0, 0, ${4n * USER}, ${place(2)}, ARRAY[${4n * USER}, ${4n * USER}]::bigint[],
                ARRAY[${place(2)}, ${place(1_010)}])`);
    for (const order of ['oldest', 'newest'] as const) {
      expect((await pageOf({ userId: USER }, order, undefined, RESTORED)).events).toMatchObject([{ seq: 2n }]);
    }
  });
});
