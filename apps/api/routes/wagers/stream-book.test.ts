import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { seedOffers } from '#testing/seeded-offers.js';
import { type StreamFrame, StreamReader } from '#testing/stream-reader.js';
import { type Admin, acceptance, offer, ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

const api = withTestApi({ settings: { SETTLEMENT_BOUND: '3' }, hasWorker: true });
const business = withBusiness(api);
let admin: Admin;
let accountId: number;
const streams: StreamReader[] = [];

interface Level {
  readonly odds: number;
  readonly amount: number;
}

const open = async (wager: string, query = '', client = business.client) => {
  const stream = await StreamReader.open(client, `/wagers/${wager}/book/stream${query}`);
  streams.push(stream);
  return stream;
};
const book = async (wager: string, query = '') => {
  const { headers, body, status } = await business.client.get(`/wagers/${wager}/book${query}`);
  expect(status).toBe(200);
  return { levels: body.levels as Level[], asOf: headers.get('ledger-as-of') };
};
const isFrame = ({ event }: StreamFrame) => event === 'image' || event === 'change';
const numberOf = (cursor: string | null | undefined) => Buffer.from(cursor ?? '', 'base64url').readBigInt64BE(9);

/** The book that frames come to, up to a position of the log. */
function fold(frames: readonly StreamFrame[], upTo: string | null): Level[] {
  const levels = new Map<number, Level>();
  for (const { id, event, data } of frames) {
    if (!isFrame({ event } as StreamFrame) || numberOf(id) > numberOf(upTo)) continue;
    if (event === 'image') levels.clear();
    for (const level of data.levels as Level[]) {
      if (level.amount === 0) levels.delete(level.odds);
      else levels.set(level.odds, level);
    }
  }
  return [...levels.values()].sort((one, other) => one.odds - other.odds);
}

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
  accountId = business.account.id;
  for (const name of ['ann', 'bob', 'cat']) await business.user(name, 100_000);
});

afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

const make = (wager: string, amount: number, odds: number, more: object = {}) =>
  business.make('ann', amount, odds, { wager_reference: wager, ...more });

/** On a slow machine, bookmarks may come between. */
const showsLevels = ({ event }: StreamFrame) => event === 'image' || event === 'change';

describe('a stream of a book', () => {
  it('begins with the book, and shows each change as a frame of its own, joined with the book', async () => {
    ok(await make('plain', 10, 2));
    ok(await make('plain', 5, 2.5));
    const before = await book('plain');
    const stream = await open('plain');
    const image = await stream.next();
    expect(image).toMatchObject({ event: 'image', id: before.asOf, retry: 1_000 });
    expect(image?.data).toMatchObject({ wager: 'plain', outcome: 'undecided', as_of: before.asOf });
    expect(image?.data.levels).toEqual(before.levels);
    ok(await make('plain', 7, 2.5));
    ok(await business.accept('bob', 4, { wager_reference: 'plain', maximum_odds: 2 }));
    ok(await business.cancel('ann', { wager_references: ['plain'], cancel_all: true }));
    const frames: StreamFrame[] = [];
    while (frames.length < 3) frames.push(...(await stream.until(showsLevels)).filter(showsLevels));
    expect(frames.map(({ event, data }) => [event, data.levels])).toMatchObject([
      ['change', [{ odds: 2.5, amount: 12, offers: 2 }]],
      ['change', [{ odds: 2, amount: 6, offers: 1 }]],
      [
        'change',
        [
          { odds: 2, amount: 0, offers: 0 },
          { odds: 2.5, amount: 0, offers: 0 },
        ],
      ],
    ]);
    const after = await book('plain');
    expect(frames.at(-1)?.data.as_of).toBe(after.asOf);
    expect(fold([image as StreamFrame, ...frames], after.asOf)).toEqual(after.levels);
  });

  it('shows the first levels alone, those that a user may accept alone, and merges changes on request', async () => {
    for (const odds of [2, 3, 4]) ok(await make('few', 10, odds));
    const cat = ok(await business.client.get('/account/user/cat/reference'), 200).data.id;
    const [two, ofCat, merged] = [
      await open('few', '?depth=2'),
      await open('few', `?user_id=${cat}`),
      await open('few', '?conflate_ms=1000'),
    ];
    for (const stream of [two, ofCat, merged]) expect((await stream.next())?.event).toBe('image');
    ok(await make('few', 1, 1.5, { allowed_acceptor_references: ['bob'] }));
    ok(await business.accept('bob', 1, { wager_reference: 'few', maximum_odds: 1.5 }));
    ok(await make('few', 2, 5));
    expect((await two.until(showsLevels)).at(-1)?.data.levels).toMatchObject([
      { odds: 3, amount: 0 },
      { odds: 1.5, amount: 1 },
    ]);
    expect((await two.until(showsLevels)).at(-1)?.data.levels).toMatchObject([
      { odds: 1.5, amount: 0 },
      { odds: 3, amount: 10 },
    ]);
    expect((await ofCat.until(showsLevels)).at(-1)?.data.levels).toMatchObject([{ odds: 5, amount: 2 }]);
    const all = await merged.until(({ data }) => data.levels?.some(({ odds }: Level) => odds === 5));
    const frames = all.filter(showsLevels);
    expect(frames.length).toBeLessThanOrEqual(2);
    expect(frames.flatMap(({ data }) => data.levels)).not.toContainEqual(expect.objectContaining({ odds: 3 }));
  });

  it('shows a large cancel and a decision as one change each, before the worker has ended the offers', async () => {
    const inBatch = async (operations: readonly object[]) => {
      const numbered = operations.map((operation, index) => ({ operation_id: String(index), ...operation }));
      ok(await business.client.post('/bets/batch', { operations: numbered }));
    };
    const offers = (name: string, count: number, wager = 'large') => {
      const data = offer(name, 1, 2, { wager_reference: wager });
      return Array.from({ length: count }, () => ({ operation_type: 'make_bet_offer', data }));
    };
    for (const name of ['ann', 'ann', 'ann']) await inBatch(offers(name, 20));
    await inBatch(offers('bob', 3));
    const stream = await open('large');
    expect((await stream.until(showsLevels)).at(-1)?.data.levels).toMatchObject([{ odds: 2, amount: 63, offers: 63 }]);
    // Each of 20 operations in a batch cancels 50 offers at most. It leaves the other 10 to the worker.
    const data = { requesting_user_reference: 'ann', wager_references: ['large'], cancel_all: true };
    await inBatch([{ operation_type: 'cancel_bet_offer', data }, ...offers('bob', 19, 'elsewhere')]);
    expect((await stream.until(showsLevels)).at(-1)?.data.levels).toMatchObject([{ odds: 2, amount: 3, offers: 3 }]);
    ok(await make('large', 1, 3));
    expect((await stream.until(showsLevels)).at(-1)?.data.levels).toMatchObject([{ odds: 3, amount: 1 }]);
    ok(await business.decide('win', 'large'));
    const decided = (await stream.until(showsLevels)).at(-1);
    expect(decided?.data).toMatchObject({
      outcome: 'win',
      levels: [
        { odds: 2, amount: 0 },
        { odds: 3, amount: 0 },
      ],
    });
  });

  it('is refused for what does not exist, and for an admin is of the account that it names', async () => {
    const unknown = await business.client.get('/wagers/never/book/stream');
    expect([unknown.status, unknown.body.error]).toEqual([404, 'Wager not found']);
    expect((await business.client.get('/wagers/few/book/stream?conflate_ms=120001')).status).toBe(400);
    expect((await business.client.get('/wagers/few/book/stream?user_id=999999')).status).toBe(404);
    const stranger = await openTestBusiness(api.client);
    expect((await stranger.client.get(`/wagers/few/book/stream?account_id=${accountId}`)).status).toBe(404);
    const stream = await open('few', `?account_id=${accountId}`, admin.client);
    expect((await stream.until(showsLevels)).at(-1)?.data.levels).toEqual((await book('few')).levels);
  });
});

/** All that can happen to the offers of a wager, at random. */
async function happen(wager: string, random: ReturnType<typeof createSeededRandom>, step: number): Promise<void> {
  const bettor = ['ann', 'bob', 'cat'][random.below(3)] as string;
  const others = ['ann', 'bob', 'cat'].filter((name) => name !== bettor);
  const odds = 1.5 + random.below(5) / 2;
  const more = { wager_reference: wager, ...(random.happens(0.2) && { allowed_acceptor_references: [others[0]] }) };
  const kinds = [
    () => business.make(bettor, 1 + random.below(9), odds, more),
    () => business.make(bettor, 1 + random.below(9), odds, more),
    () =>
      business.client.post('/bets/accept-offer', acceptance(bettor, 1 + random.below(12), { wager_reference: wager })),
    () => business.cancel(bettor, { wager_references: [wager], cancel_amount: 1 + random.below(5) }),
    () =>
      business.client.post('/bets/batch', {
        operations: [1, 2, 3].map((id) => ({
          operation_id: `${step} ${id}`,
          operation_type: 'make_bet_offer',
          data: offer(bettor, id, odds, more),
        })),
      }),
    () => business.cancel(bettor, { wager_references: [wager], cancel_all: true }),
    async () => {
      const [bet] = ok(await business.client.get(`/bets/open-bets?wager_references=${wager}&per_page=1`), 200).data;
      if (bet === undefined) return;
      await admin.client.post(`/admin/bets/${bet.id}/set-inactive`, {});
      if (random.happens(0.6)) await admin.client.post(`/admin/bets/${bet.id}/set-active`, {});
    },
    async () => {
      await business.decide(['win', 'void'][random.below(2)] as string, wager);
      const correction = { account_id: accountId, wager_reference: wager, outcome: 'undecided' };
      await admin.client.post('/admin/wagers/force-update-outcome', correction);
    },
  ];
  await kinds[random.below(kinds.length)]?.();
}

describe('the changes of a book', () => {
  it('come to the book itself at every position, whatever happens to its offers', async () => {
    const random = createSeededRandom(17);
    ok(await make('wild', 3, 2));
    const user = ok(await business.client.get('/account/user/bob/reference'), 200).data.id;
    const queries = ['', '?depth=2', `?user_id=${user}`, '?conflate_ms=50'];
    const followed = await Promise.all(queries.map(async (query) => ({ query, stream: await open('wild', query) })));
    const collected = followed.map(({ query, stream }) => {
      const frames: StreamFrame[] = [];
      const done = (async () => {
        for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) frames.push(frame);
      })();
      return { query, frames, done };
    });
    const seen: { query: string; levels: Level[]; asOf: string | null }[] = [];
    for (let step = 0; step < 80; step += 1) {
      await happen('wild', random, step);
      for (const query of queries.slice(0, 3)) seen.push({ query, ...(await book('wild', query)) });
    }
    const last = seen.at(-1)?.asOf ?? '';
    await waitFor(() => collected.every(({ frames }) => numberOf(frames.at(-1)?.id) >= numberOf(last)));
    for (const { query, levels, asOf } of seen) {
      const { frames } = collected.find((one) => one.query === query) as (typeof collected)[number];
      expect([query, asOf, fold(frames, asOf)]).toEqual([query, asOf, levels]);
    }
    const merged = collected.at(-1)?.frames ?? [];
    expect(fold(merged, merged.at(-1)?.id ?? '')).toEqual((await book('wild')).levels);
    expect(merged.filter(isFrame).length).toBeLessThanOrEqual(collected[0]?.frames.filter(isFrame).length ?? 0);
    for (const stream of streams) stream.close();
    await Promise.all(collected.map(({ done }) => done));
  });
});

describe('a book that is too large to follow', () => {
  /** So many offers of ann, each of which names so many users. */
  const seed = async (wager: string, count: number, named: number) => {
    await seedOffers(api.database, { accountId, wagerReference: wager, userReference: 'ann', count, amount: 1 });
    await api.database.query(`
      UPDATE bets SET allowed_acceptor_ids = ARRAY(SELECT n::bigint FROM generate_series(1, ${named}) n)
       WHERE account_id = ${accountId} AND wager_id = (
         SELECT id FROM wagers WHERE account_id = ${accountId} AND reference = '${wager}')`);
  };
  const refusal = async (wager: string) => (await business.client.get(`/wagers/${wager}/book/stream`)).status;

  it('is refused, also when its offers are few and name many users', async () => {
    await seed('named', 50, 10_000);
    expect(await refusal('named')).toBe(409);
    expect((await book('named')).levels).toHaveLength(3);
    await seed('many', 50_001, 0);
    expect(await refusal('many')).toBe(409);
  });

  it('the large books of an account leave others room, and end when they grow beyond it', async () => {
    for (const wager of ['great', 'greater', 'greatest']) await seed(wager, wager === 'greatest' ? 3_000 : 39_000, 0);
    const [great, greater] = [await open('great'), await open('greater')];
    expect([great.status, greater.status]).toEqual([200, 200]);
    const { status, headers, body } = await business.client.get('/wagers/greatest/book/stream');
    expect([status, headers.get('retry-after')]).toEqual([429, '5']);
    expect(body.error).toContain('close another one first');
    const other = await openTestBusiness(api.client);
    await other.user('ann', 10);
    ok(await other.make('ann', 1, 2, { wager_reference: 'small' }));
    const small = await open('small', '', other.client);
    expect(await small.next()).toMatchObject({ event: 'image' });

    const offers = {
      wager_reference: 'great',
      requesting_user_reference: 'ann',
      requesting_odds: 2,
      requesting_amount: 0.01,
    };
    const operations = Array.from({ length: 20 }, (_, index) => ({
      operation_id: `o${index}`,
      operation_type: 'make_bet_offer',
      data: offers,
    }));
    // More than the account may follow.
    for (let made = 0; made < 2_400; made += 400)
      await Promise.all(
        Array.from({ length: 20 }, async () => ok(await business.client.post('/bets/batch', { operations }))),
      );
    await great.until(({ event }) => event === 'end');
  });

  it('is read when it is just not too large', async () => {
    await seed('fitting', 49, 10_000);
    const stream = await open('fitting');
    expect((await stream.next())?.event).toBe('image');
  });
});
