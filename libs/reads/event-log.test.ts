import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EventKind } from '#core/records.js';
import { decodePosition, type EventMark, type EventPosition, encodePosition } from '#events/event-position.js';
import { logEvents } from '#events/log-events.js';
import { withTx } from '#platform/database/database.js';
import { micros } from '#testing/core/builders.js';
import { ACCOUNT, type Bets, fillLedger } from '#testing/full-ledger.js';
import { offerOf } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import type { EventPageBackRequest, EventPageRequest, LogEvent } from './event.js';
import {
  isFilter,
  matchesFilter,
  readEvent,
  readEventPage,
  readEventPageBack,
  readHead,
  readNewEvents,
  readNewestEvents,
} from './event-log.js';
import { presentEvent } from './shown-event.js';

// The log of an account with bets in every state, read page by page.

const OTHER = 2n;
const [ANN, BOB, CAT] = [1n, 2n, 3n];
let bets: Bets;
let all: readonly LogEvent[];
const ledger = withOpenLedger(async (driver) => {
  bets = await fillLedger(driver);
});
const database = () => ledger.driver.database;

beforeAll(async () => {
  await ledger.query(`INSERT INTO accounts (id, name, email) VALUES (${OTHER}, 'b', 'b@example.com')`);
  all = (await pageAfter({})).events;
});

const noFilter = { types: undefined, wagerReference: undefined, userId: undefined, betId: undefined };
const pageAfter = (given: Partial<EventPageRequest>) =>
  readEventPage(database(), { ...noFilter, accountId: ACCOUNT, after: undefined, limit: 1_000, ...given });
const pageBefore = (given: Partial<EventPageBackRequest>) =>
  readEventPageBack(database(), { ...noFilter, accountId: ACCOUNT, before: undefined, limit: 1_000, ...given });

const positionAt = (mark: EventMark, accountId = ACCOUNT) =>
  decodePosition(encodePosition(accountId, mark)) as EventPosition;
const seqsOf = (events: readonly EventMark[]) => events.map(({ seq }) => seq);
const typesOf = (events: readonly LogEvent[]) => events.map(({ type }) => type);
const shown = (events: readonly LogEvent[]) => events.map((event) => presentEvent(ACCOUNT, event));
const eventAt = (index: number) => all.at(index) as LogEvent;

/** All events behind each other's pages. */
async function walk(given: Partial<EventPageRequest>): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for (let after: EventPosition | undefined; ; ) {
    const page = await pageAfter({ ...given, after });
    events.push(...page.events);
    if (page.next === undefined || page.next.seq === page.range.until) return events;
    after = positionAt(page.next);
  }
}

async function walkBack(given: Partial<EventPageBackRequest>): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  let { before } = given;
  for (;;) {
    const page = await pageBefore({ ...given, before });
    events.push(...page.events);
    if (page.next === undefined || page.next.seq === page.range.from) return events;
    before = positionAt(page.next);
  }
}

const since = async (work: () => Promise<unknown>): Promise<readonly LogEvent[]> => {
  const head = await readHead(database(), ACCOUNT);
  await work();
  return (await pageAfter({ after: positionAt(head) })).events;
};

describe('the log of an account', () => {
  it('has numbers without a gap, and times that do not go back', () => {
    expect(seqsOf(all)).toEqual(all.map((_, index) => BigInt(index + 1)));
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((one, other) => Number(one - other)));
  });

  it.each([1, 7, 64])('is the same in pages of %s, forwards and backwards', async (limit) => {
    expect(seqsOf(await walk({ limit }))).toEqual(seqsOf(all));
    expect(seqsOf(await walkBack({ limit }))).toEqual(seqsOf(all).toReversed());
  });

  it('has the same events backwards, from any position on', async () => {
    const middle = eventAt(all.length / 2);
    const before = all.slice(0, Number(middle.seq) - 1);
    expect(shown(await walkBack({ limit: 5, before: positionAt(middle) }))).toEqual(shown(before).toReversed());
  });

  it('names its head, and how far a page has looked', async () => {
    const { next, head } = await pageAfter({ limit: 3 });
    expect(next).toMatchObject({ seq: 3n });
    expect(head).toMatchObject({ seq: eventAt(-1).seq, ref: eventAt(-1).ref });
    expect(await readHead(database(), ACCOUNT)).toEqual(head);
  });

  it('has nothing behind its head, nor before its first event', async () => {
    expect(await pageAfter({ after: positionAt(eventAt(-1)) })).toMatchObject({ events: [], next: undefined });
    expect(await pageBefore({ before: positionAt(eventAt(0)) })).toMatchObject({ events: [], next: undefined });
  });

  it('is empty for an account without events, also behind its beginning', async () => {
    const { events, head } = await pageAfter({ accountId: OTHER });
    expect(events).toEqual([]);
    expect(head.seq).toBe(0n);
    const position = positionAt(head, OTHER);
    expect(await pageBefore({ accountId: OTHER })).toMatchObject({ events: [], next: undefined });
    expect(await pageAfter({ accountId: OTHER, after: position })).toMatchObject({ events: [], next: undefined });
    expect(await pageBefore({ accountId: OTHER, before: position })).toMatchObject({ events: [], next: undefined });
  });

  it('has each event by its number, in its own account alone', async () => {
    expect(shown([await readEvent(database().of(ACCOUNT), ACCOUNT, 5n)])).toEqual(shown(all.slice(4, 5)));
    await expect(readEvent(database().of(OTHER), OTHER, 5n)).rejects.toThrow('Event not found');
    await expect(readEvent(database().of(ACCOUNT), ACCOUNT, 1_000_000n)).rejects.toThrow('Event not found');
  });

  it('is the same from the primary without a transaction', async () => {
    const request = { ...noFilter, accountId: ACCOUNT, after: positionAt(eventAt(3)), limit: 10 };
    const { events, head } = await readNewEvents(database(), request);
    expect(shown(events)).toEqual(shown(all.slice(4, 14)));
    expect(head.seq).toBe(eventAt(-1).seq);
  });
});

describe('a filter', () => {
  const offers = new Set<EventKind>(['offer.made', 'offer.matched', 'bet.settled']);
  const isOfUser = (userId: bigint) => (event: LogEvent) =>
    event.bet === undefined
      ? event.transactions.some((transaction) => transaction.userId === userId)
      : [event.bet.requestingUserId, event.bet.acceptingUserId].includes(userId);
  const isOfWager = (reference: string) => (event: LogEvent) =>
    [event.wager?.reference, event.bet?.wagerReference].includes(reference);

  const filters: [string, Partial<EventPageRequest>, (event: LogEvent) => boolean][] = [
    ['types', { types: offers }, ({ type }) => offers.has(type)],
    ['a wager', { wagerReference: 'forced' }, isOfWager('forced')],
    ['a user', { userId: CAT }, isOfUser(CAT)],
    ['a user and types', { userId: ANN, types: offers }, (event) => isOfUser(ANN)(event) && offers.has(event.type)],
    [
      'a user and a wager',
      { userId: BOB, wagerReference: 'won' },
      (event) => isOfUser(BOB)(event) && isOfWager('won')(event),
    ],
    ['a wager that there is not', { wagerReference: 'never' }, () => false],
    ['a user that there is not', { userId: 999n }, () => false],
  ];

  it.each(filters)(
    'by %s leaves the events that it names, on any page in both directions',
    async (_what, filter, matches) => {
      const wanted = seqsOf(all.filter(matches));
      for (const limit of [2, 1_000]) {
        expect(seqsOf(await walk({ ...filter, limit }))).toEqual(wanted);
        expect(seqsOf(await walkBack({ ...filter, limit }))).toEqual(wanted.toReversed());
      }
    },
  );

  describe('by time', () => {
    const atMs = ({ at }: LogEvent) => Number(at / 1_000n);
    const middle = () => atMs(eventAt(Math.floor(all.length / 2)));
    const bounds: [string, () => { createdFrom?: Date; createdUntil?: Date }][] = [
      ['from a moment on', () => ({ createdFrom: new Date(middle()) })],
      ['up to a moment', () => ({ createdUntil: new Date(middle()) })],
      ['in a millisecond', () => ({ createdFrom: new Date(middle()), createdUntil: new Date(middle()) })],
      ['before the first', () => ({ createdUntil: new Date(atMs(eventAt(0)) - 1) })],
      ['after the last', () => ({ createdFrom: new Date(atMs(eventAt(-1)) + 1) })],
      ['turned round', () => ({ createdFrom: new Date(middle() + 2), createdUntil: new Date(middle() - 2) })],
    ];

    it.each(bounds)(
      'leaves the events %s, on any page in both directions, also beside others',
      async (_what, given) => {
        const { createdFrom = new Date(0), createdUntil = new Date(8e15) } = given();
        const isWithin = (event: LogEvent) =>
          atMs(event) >= createdFrom.getTime() && atMs(event) <= createdUntil.getTime();
        for (const [beside, matches] of [[{}, () => true], ...filters.map(([, ...both]) => both)] as const) {
          const wanted = seqsOf(all.filter((event) => isWithin(event) && matches(event)));
          for (const limit of [2, 1_000]) {
            expect(seqsOf(await walk({ ...beside, ...given(), limit }))).toEqual(wanted);
            expect(seqsOf(await walkBack({ ...beside, ...given(), limit }))).toEqual(wanted.toReversed());
          }
        }
      },
    );

    it('refuses a position that is not in the log, before and behind the times', async () => {
      const foreign = { ...positionAt(eventAt(2)), hash: '000000000000' };
      await expect(pageAfter({ after: foreign, createdFrom: new Date(middle()) })).rejects.toThrow('restored');
      const late = { ...positionAt(eventAt(-1)), hash: '000000000000' };
      await expect(pageBefore({ before: late, createdUntil: new Date(middle()) })).rejects.toThrow('restored');
    });
  });

  it('by the reference of a user leaves what its id leaves', async () => {
    expect(seqsOf(await walk({ userReference: 'cat' }))).toEqual(seqsOf(await walk({ userId: CAT })));
    expect(await walk({ userReference: 'nobody' })).toEqual([]);
  });

  it('by a bet leaves the steps of that bet', async () => {
    const wanted = all.filter(({ bet }) => bet?.id === bets.overridden);
    expect(shown(await walk({ betId: bets.overridden }))).toEqual(shown(wanted));
    expect(wanted.length).toBeGreaterThan(2);
  });

  it('passes what it leaves out, also when nothing is left', async () => {
    const { events, next, head } = await pageAfter({ types: new Set<EventKind>(['user.disputed']) });
    expect(events).toEqual([]);
    expect(next).toEqual(expect.objectContaining({ seq: head.seq }));
  });

  it('is none without a condition', () => {
    expect(isFilter(noFilter)).toBe(false);
    expect(isFilter({ ...noFilter, types: offers })).toBe(true);
    expect(isFilter({ ...noFilter, betId: 1n })).toBe(true);
  });

  it('judges a new event as it judges the log', async () => {
    for (const [what, filter, matches] of filters) {
      const judged = all.filter((event) => matchesFilter(event, { ...noFilter, ...filter }));
      expect({ what, seqs: seqsOf(judged) }).toEqual({ what, seqs: seqsOf(all.filter(matches)) });
    }
  });
});

describe('an event', () => {
  it('has the bet as its step has left it', async () => {
    const { driver } = ledger;
    const [wager, made, matched, rest, canceled, left] = await since(async () => {
      const offer = await driver.offer('ann', 'steps', 10, 2.5);
      await driver.accept('bob', offer, 4);
      const [row] = await ledger.query(`SELECT max(id) AS id FROM bets`);
      await driver.cancel('ann', BigInt(String(row?.id)), 1);
    });
    expect(wager).toMatchObject({ type: 'wager.created', wager: { reference: 'steps' } });
    expect(made?.bet).toMatchObject({ offerStatus: 'requesting', acceptingUserId: null, requestingAmount: micros(10) });
    expect(matched?.bet).toMatchObject({ id: made?.bet?.id, acceptingUserId: BOB, effectiveAmount: micros(4) });
    expect(matched?.extra).toMatchObject({ rest_bet_id: Number(rest?.bet?.id) });
    expect(canceled?.bet).toMatchObject({ id: rest?.bet?.id, offerStatus: 'canceled' });
    expect(left).toMatchObject({ type: 'offer.made', bet: { requestingAmount: micros(5) } });
  });

  it('names who alone may accept an offer', () => {
    const made = all.find(({ type, bet }) => type === 'offer.made' && bet?.id === bets.forBob);
    expect(made?.bet?.allowedAcceptorIds).toEqual([BOB]);
  });

  it('has the money with the step that moved it', () => {
    const ofBet = all.filter(({ bet }) => bet?.id === bets.overridden);
    const moving = ofBet.map(({ type, transactions }) => ({ type, moves: transactions.length }));
    expect(moving).toEqual([
      { type: 'offer.made', moves: 0 },
      { type: 'offer.matched', moves: 0 },
      { type: 'bet.overridden', moves: 0 },
      { type: 'bet.settled', moves: 2 },
    ]);
  });

  it('of a payment has its transaction', () => {
    expect(eventAt(0)).toMatchObject({
      type: 'transaction.created',
      transactions: [{ amount: micros(1_000), transactionType: 'credit', balanceAfter: micros(1_000) }],
    });
  });

  it('tells of a decision before what it settles, and of a correction', async () => {
    const decided = all.filter(({ wager, bet }) => [wager?.reference, bet?.wagerReference].includes('pushed'));
    expect(typesOf(decided).slice(-3)).toEqual(['wager.decided', 'bet.settled', 'wager.settled']);
    expect(decided.at(-3)?.extra).toMatchObject({ outcome: 'push' });
    expect(typesOf(await since(() => ledger.driver.force('pushed', 'win')))[0]).toBe('wager.corrected');
  });

  it('names its own operation, also where operations commit together', async () => {
    await ledger.driver.offer('ann', 'together', 1);
    const offer = (place: number) => {
      const cause = { actor: 'account:1', requestId: `request-${place}` } as const;
      const call = { idempotency: undefined, cause };
      return ledger.driver.ledger.execute(ACCOUNT, offerOf('ann', 'together'), { call, present: Object });
    };
    const together = await waitFor(async () => {
      const found = await since(() => Promise.all(Array.from({ length: 12 }, (_, place) => offer(place))));
      return new Set(found.map(({ at }) => at)).size < found.length && found;
    });
    expect(together).toHaveLength(12);
    expect(together.map(({ firstSeq }) => firstSeq)).toEqual(seqsOf(together));
    expect(together.map(({ lastSeq }) => lastSeq)).toEqual(seqsOf(together));
    expect(new Set(together.map(({ requestId }) => requestId)).size).toBe(12);
  });

  it('names the first and the last event of its operation', async () => {
    const found = await since(async () => ledger.driver.accept('bob', await ledger.driver.offer('ann', 'parts', 9), 4));
    expect(typesOf(found)).toEqual(['wager.created', 'offer.made', 'offer.matched', 'offer.made']);
    const [first] = seqsOf(found) as [bigint];
    expect(found.map(({ firstSeq }) => firstSeq - first)).toEqual([0n, 0n, 2n, 2n]);
    expect(found.map(({ lastSeq }) => lastSeq - first)).toEqual([1n, 1n, 3n, 3n]);
  });

  it('is not there for what was refused', async () => {
    const found = await since(() => expect(ledger.driver.offer('cat', 'refused', 1_000_000)).rejects.toThrow());
    expect(found).toEqual([]);
  });
});

describe('a position of a history that was undone', () => {
  const undone = () => ({ ...positionAt(eventAt(4)), hash: 'f'.repeat(12) });
  const future = () => ({ ...positionAt(eventAt(4)), seq: 1_000_000n });

  it.each([
    ['another event has its number', undone],
    ['no event has its number', future],
  ])('is refused where %s, with the head of this one', async (_what, position) => {
    const details = { head: encodePosition(ACCOUNT, await readHead(database(), ACCOUNT)) };
    const refusal = { code: 'history-restored', details };
    await expect(pageAfter({ after: position() })).rejects.toMatchObject(refusal);
    await expect(pageBefore({ before: position() })).rejects.toMatchObject(refusal);
    await expect(pageAfter({ after: position(), userId: ANN })).rejects.toMatchObject(refusal);
    await expect(pageBefore({ before: position(), userId: ANN })).rejects.toMatchObject(refusal);
  });
});

describe('the newest events', () => {
  const newest = (limit: number) =>
    readNewestEvents(database(), { accountId: ACCOUNT, after: positionAt(eventAt(9)), limit });

  it('are the last ones of those that follow, with how many of each type come before them', async () => {
    const following = (await pageAfter({ after: positionAt(eventAt(9)) })).events;
    const { events, skipped, next } = await newest(4);
    expect(shown(events)).toEqual(shown(following.slice(-4)));
    expect(next?.seq).toBe(following.at(-1)?.seq);
    const made = following.slice(0, -4).filter(({ type }) => type === 'offer.made').length;
    expect(skipped.get('offer.made')).toBe(made);
    expect([...skipped.values()].reduce((sum, count) => sum + count, 0)).toBe(following.length - 4);
  });

  it('are all when they are few', async () => {
    const { events, skipped } = await newest(1_000);
    expect(seqsOf(events)[0]).toBe(11n);
    expect(skipped.size).toBe(0);
  });
});

describe('a page of large events', () => {
  beforeAll(() =>
    withTx(database().of(OTHER), async (tx) => {
      const cause = { actor: 'worker', requestId: null } as const;
      const extra = { name: 'x'.repeat(600_000) };
      for (let ref = 1n; ref <= 5n; ref += 1n) {
        logEvents(tx, { accountId: OTHER, cause, events: [{ kind: 'account.updated', ref, extra }] });
      }
      await tx.$queryRaw`SELECT 1`;
    }),
  );

  it('ends early, and the next one goes on there', async () => {
    const first = await pageAfter({ accountId: OTHER });
    expect(seqsOf(first.events)).toEqual([1n, 2n, 3n]);
    const second = await pageAfter({ accountId: OTHER, after: positionAt(first.next as EventMark, OTHER) });
    expect(seqsOf(second.events)).toEqual([4n, 5n]);
  });

  it('ends early backwards too', async () => {
    const first = await pageBefore({ accountId: OTHER });
    expect(seqsOf(first.events)).toEqual([5n, 4n, 3n]);
    const second = await pageBefore({ accountId: OTHER, before: positionAt(first.next as EventMark, OTHER) });
    expect(seqsOf(second.events)).toEqual([2n, 1n]);
  });
});
