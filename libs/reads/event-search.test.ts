import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventKinds } from '#core/records.js';
import { blockSizes, indexNextBlocks, type Subject, subjectOf, subjectsOfEvents } from '#events/event-index.js';
import { Prisma, type Tx, withTx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { ACCOUNT, type LedgerDriver, openAccount, openLedger } from '#testing/full-ledger.js';
import { testSeed } from '#testing/test-seed.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { type EventSearch, type FoundEvents, findEvents, readLogEnd } from './event-search.js';

// A log in which a bet is in no event for long, then in each one, then in one of a thousand: what searches find, and what they read.

/** Of one request: the pages of an early statement, those of the last one, and one for each subject and block that it looks into. */
const MOST_ROWS = 2_500;

const environment = withTestEnvironment(async () => driver?.close());
let driver: LedgerDriver;
let bet: Subject;
let wager: Subject;
let all: readonly { readonly seq: bigint; readonly kind: number; readonly subject: Subject }[];
let end: bigint;

const { 'user.updated': updated, 'offer.made': made, 'offer.matched': matched } = eventKinds;
const ann = subjectOf('user', 1n);
const bob = subjectOf('user', 2n);
const cat = subjectOf('user', 3n);

/** Groups of a thousand events, alternately of the two kinds, each about the row. */
const append = (groups: number, kinds: readonly [number, number], ref: bigint) =>
  driver.database.of(ACCOUNT).$executeRaw`
    SELECT append_group(1, (SELECT array_agg(CASE WHEN n % 100 = 0 THEN ${kinds[1]}::int ELSE ${kinds[0]}::int END)
                              FROM generate_series(1, 1000) n)::smallint[],
                        array_fill(${ref}::bigint, ARRAY[1000]), '1000 worker -', NULL)
      FROM generate_series(1, ${groups}::int)`;

beforeAll(async () => {
  driver = await openLedger(environment.database, environment.logger);
  await openAccount(environment.database, driver);
  const betId = await driver.match('ann', 'bob', 'final', 10);
  bet = subjectOf('bet', betId);
  const [trail] = await queryRows<{ id: bigint; wagerId: bigint }>(
    driver.database.of(ACCOUNT),
    Prisma.sql`SELECT id, wager_id AS "wagerId" FROM bet_trails WHERE bet_id = ${betId} ORDER BY id DESC LIMIT 1`,
  );
  wager = subjectOf('wager', trail?.wagerId ?? 0n);
  const dense: [readonly [number, number], bigint] = [[made, matched], trail?.id ?? 0n];
  const away: [readonly [number, number], bigint] = [[updated, updated], 3n];
  await append(60, ...away);
  await append(240, ...dense);
  for (let part = 0; part < 20; part += 1) {
    await append(4, ...away);
    await driver.match('ann', 'bob', 'final', 1);
  }
  while (await indexNextBlocks(driver.database, ACCOUNT));
  await environment.database.query('ANALYZE');
  ({ seq: end } = (await readLogEnd(driver.database.of(ACCOUNT), ACCOUNT)).head);
  all = await queryRows(
    driver.database.of(ACCOUNT),
    Prisma.sql`SELECT e.seq, e.kind::int, e.subject FROM (${subjectsOfEvents(ACCOUNT, 1n, end)}) e ORDER BY e.seq`,
  );
}, 240_000);

/** Of this session so far. */
async function rowsRead(tx: Tx): Promise<number> {
  const [read] = await queryRows<{ rows: number }>(
    tx,
    Prisma.sql`SELECT (seq_tup_read + idx_tup_fetch)::int AS rows
                 FROM pg_stat_xact_user_tables WHERE relname = 'event_index_pages'`,
  );
  return read?.rows ?? 0;
}

/** What one request finds, and how many rows of the index it has read. */
function searchOnce(search: EventSearch): Promise<FoundEvents & { readonly rows: number }> {
  return withTx(driver.database.of(ACCOUNT), async (tx) => {
    const { indexedSeq } = await readLogEnd(tx, ACCOUNT);
    const before = await rowsRead(tx);
    const found = await findEvents(tx, search, indexedSeq);
    return { ...found, rows: (await rowsRead(tx)) - before };
  });
}

type Wanted = Pick<EventSearch, 'subjects' | 'kinds' | 'order' | 'from' | 'until' | 'limit'>;

function expected({ subjects, kinds, order, from, until }: Wanted): bigint[] {
  const subjectsOf = new Map<bigint, number>();
  for (const { seq, kind, subject } of all) {
    const isWanted = seq >= from && seq <= until && subjects.includes(subject) && (kinds?.includes(kind) ?? true);
    if (isWanted) subjectsOf.set(seq, (subjectsOf.get(seq) ?? 0) + 1);
  }
  const seqs = [...subjectsOf].filter(([, count]) => count === subjects.length).map(([seq]) => seq);
  return order === 'oldest' ? seqs : seqs.reverse();
}

/** The first numbers of a search, by so many requests at most, and the most rows that one of them has read. */
async function walk(wanted: Wanted, requests: number) {
  const seqs: bigint[] = [];
  let most = 0;
  let { from, until } = wanted;
  for (let count = 0; count < requests && from <= until; count += 1) {
    const found = await searchOnce({ ...wanted, accountId: ACCOUNT, from, until });
    most = Math.max(most, found.rows);
    seqs.push(...found.seqs);
    if (wanted.order === 'oldest') from = found.reached + 1n;
    else until = found.reached - 1n;
  }
  const range = wanted.order === 'oldest' ? { until: from - 1n } : { from: until + 1n };
  return { seqs, most, looked: { ...wanted, ...range } };
}

/** A small generator of numbers. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const subjectSets = (): Subject[][] => [
  [bet],
  [ann],
  [cat],
  [wager],
  [ann, wager],
  [bob, bet],
  [ann, bob, bet],
  [cat, wager],
];
const kindSets = [undefined, [made], [matched], [eventKinds['user.created']]];

describe('a search in the index of events', () => {
  it('finds what the log has, in both orders, from any number to any other one', async () => {
    const random = numbersFrom(testSeed);
    for (let round = 0; round < 60; round += 1) {
      const from = BigInt(random(Number(end))) + 1n;
      const wanted: Wanted = {
        subjects: subjectSets()[random(8)] as Subject[],
        kinds: kindSets[random(4)],
        order: random(2) === 0 ? 'oldest' : 'newest',
        from: random(3) === 0 ? 1n : from,
        until: random(3) === 0 ? end : from + BigInt(random(Number(end - from) + 1)),
        limit: [1, 50, 1_000][random(3)] as number,
      };
      const { seqs, looked, most } = await walk(wanted, 4);
      expect([wanted, seqs]).toEqual([wanted, expected(looked)]);
      expect([wanted, most]).toEqual([wanted, Math.min(most, MOST_ROWS)]);
    }
  }, 240_000);

  it('reads so many rows at most, also where the subjects are in every event and no kind fits', async () => {
    expect(end).toBeGreaterThan(2n * blockSizes.large);
    const never = [eventKinds['user.created']];
    const read: Record<string, number> = {};
    for (const order of ['oldest', 'newest'] as const) {
      for (const [name, subjects, kinds] of [
        ['one', [ann], never],
        ['two', [ann, wager], never],
        ['three of all kinds', [ann, bob, bet], undefined],
      ] as const) {
        const wanted = { subjects, kinds, order, from: 1n, until: end, limit: 50 };
        read[`${name}, ${order}`] = (await walk(wanted, 1)).most;
      }
    }
    expect(Object.entries(read).filter(([, rows]) => rows > MOST_ROWS)).toEqual([]);
  });
});
