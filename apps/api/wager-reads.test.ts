import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';

let environment: TestEnvironment;
let api: TestPart;
let admin: Admin;
let owner: LoggedIn;
let stranger: LoggedIn;

interface WagerRow {
  readonly id: number;
  readonly account_id: number;
  readonly reference: string;
  readonly outcome: string;
  readonly at: number;
}
let wagers: WagerRow[];

const OWNER = 2;
const STRANGER = 3;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  admin = await registerAdmin(api.client, environment.database);
  owner = await registerAndLogIn(api.client);
  stranger = await registerAndLogIn(api.client);
  // Times in another order than ids, some equal.
  await environment.database.query(
    `INSERT INTO wagers (account_id, reference, outcome, created_at, settling_since)
     SELECT a, 'w' || i, (ARRAY['undecided', 'win', 'half-loss', 'undecided', 'void'])[i % 5 + 1],
            timestamptz '2026-03-01Z' + (i * 7 % 10) * interval '1 hour',
            CASE WHEN i % 11 = 1 THEN timestamptz '2026-03-02 00:00:00.5Z' END
       FROM generate_series(1, 47) i, unnest(ARRAY[${OWNER}, ${STRANGER}]) a`,
  );
  wagers = (await environment.database.query(
    `SELECT id::int, account_id::int, reference, outcome, extract(epoch FROM created_at)::int AS at FROM wagers`,
  )) as unknown as WagerRow[];
});

afterAll(async () => {
  await api?.close();
  await environment?.close();
});

const list = async ({ client }: LoggedIn, query: Record<string, string> = {}) =>
  ok(await client.get(`/wagers?${new URLSearchParams(query)}`), 200);

const sorted = (accounts: number[], by: 'id' | 'at', sign = 1, keeps: (wager: WagerRow) => boolean = () => true) =>
  wagers
    .filter((wager) => accounts.includes(wager.account_id) && keeps(wager))
    .sort((one, other) => sign * (one[by] - other[by] || one.id - other.id))
    .map(({ id }) => id);

const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

describe('the list of wagers', () => {
  it('has the documented frame and fields, oldest first', async () => {
    const body = await list(owner);
    expect(idsOf(body)).toEqual(sorted([OWNER], 'at').slice(0, 20));
    expect(body).toMatchObject({ page: 1, per_page: 20, from: 1, to: 20, total: 47, last_page: 3 });
    const [first] = (await list(owner, { reference: 'w1' })).data;
    expect(first).toEqual({
      id: expect.any(Number),
      reference: 'w1',
      outcome: 'win',
      account_id: OWNER,
      settling_since: '2026-03-02T00:00:00.500Z',
      created_at: '2026-03-01T07:00:00.000Z',
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await list(owner, { reference: 'w2' })).data[0].settling_since).toBeNull();
    expect(await list(admin)).toMatchObject({ data: [], total: 0, from: null, to: null, last_page: 1 });
  });

  it('sorts by time and by id, in both directions, stably', async () => {
    for (const [by, field] of [
      ['id', 'id'],
      ['created_at', 'at'],
    ] as const) {
      for (const [direction, sign] of [
        ['asc', 1],
        ['desc', -1],
      ] as const) {
        const expected = sorted([OWNER], field, sign);
        for (const page of [1, 2, 3, 4, 5]) {
          const query = { sort_by: by, sort_direction: direction, per_page: '10', page: String(page) };
          expect(idsOf(await list(owner, query))).toEqual(expected.slice((page - 1) * 10, page * 10));
        }
      }
    }
  });

  it.each<[Record<string, string>, (wager: WagerRow) => boolean]>([
    [{ outcome: 'win' }, ({ outcome }) => outcome === 'win'],
    [{ outcome: 'void,half-loss' }, ({ outcome }) => ['void', 'half-loss'].includes(outcome)],
    [{ outcome: 'loss' }, () => false],
    [{ reference: 'w4' }, ({ reference }) => reference === 'w4'],
    [{ reference: 'w4, w40,W5,w%,nothing' }, ({ reference }) => ['w4', 'w40'].includes(reference)],
    [{ reference: 'w3,w5', outcome: 'undecided' }, ({ reference }) => ['w3', 'w5'].includes(reference)],
    [{ reference: 'w1,w3', outcome: 'undecided' }, ({ reference }) => reference === 'w3'],
    [{ outcome: ',' }, () => true],
  ])('filters by %j', async (query, keeps) => {
    const body = await list(owner, { ...query, per_page: '100' });
    const expected = sorted([OWNER], 'at', 1, keeps);
    expect([idsOf(body), body.total]).toEqual([expected, expected.length]);
  });

  it('shows an account its own wagers, an admin those that it names', async () => {
    const both = `${OWNER},${STRANGER}`;
    expect((await list(owner, { account_ids: String(STRANGER) })).total).toBe(0);
    expect((await list(owner, { account_ids: both })).total).toBe(47);
    const body = await list(admin, { account_ids: both, per_page: '100', sort_direction: 'desc' });
    expect([idsOf(body), body.total]).toEqual([sorted([OWNER, STRANGER], 'at', -1), 94]);
  });

  it.each([
    ['outcome=win,draw', 'outcome[1] must be one of the following values: undecided, win,'],
    ['sort_by=reference', 'sort_by must be one of the following values: created_at, id'],
    ['sort_direction=up', 'sort_direction must be one of the following values: asc, desc'],
    ['per_page=0', 'per_page must not be less than 1'],
    ['account_ids=x', 'account_ids[0] must be an integer number'],
  ])('refuses %s', async (query, fault) => {
    const { status, body } = await owner.client.get(`/wagers?${query}`);
    expect([status, body.message]).toEqual([400, [expect.stringContaining(fault)]]);
  });
});

describe('one wager', () => {
  let business: TestBusiness;

  beforeAll(async () => {
    // Nothing waits there in truth, as the books would tell.
    await environment.database.query('UPDATE wagers SET settling_since = NULL');
    business = await openTestBusiness(api.client);
    await Promise.all(['ann', 'bob'].map((name) => business.user(name)));
  });

  const settlement = async () => ok(await business.client.get('/wagers/match'), 200).data.settlement;

  it('tells how far its bets are', async () => {
    const first = await business.match('ann', 'bob', 10);
    await business.match('ann', 'bob', 10);
    ok(await business.make('ann', 10));
    const { data, message } = ok(await business.client.get('/wagers/match'), 200);
    expect(message).toEqual(expect.any(String));
    expect(data).toEqual({
      id: expect.any(Number),
      reference: 'match',
      outcome: 'undecided',
      account_id: expect.any(Number),
      settling_since: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      settlement: { bets: 2, settled: 0, remaining: 0, state: 'undecided' },
    });
    ok(await business.override(first, 'win'), 200);
    expect(await settlement()).toEqual({ bets: 2, settled: 1, remaining: 0, state: 'undecided' });
    ok(await business.decide('loss'));
    expect(await settlement()).toEqual({ bets: 2, settled: 2, remaining: 0, state: 'settled' });
    ok(await admin.client.post(`/admin/bets/${first}/set-inactive`), 200);
    expect(await settlement()).toEqual({ bets: 2, settled: 1, remaining: 0, state: 'settled' });
    await expectBooksToBalance(environment.database);
  });

  it('of another account is read by admins, and by nobody else', async () => {
    const { account_id, id } = ok(await business.client.get('/wagers/match'), 200).data;
    const unknown = { status: 404, error: 'Wager not found' };
    for (const [client, query] of [
      [stranger.client, ''],
      [stranger.client, `?account_id=${account_id}`],
      [business.client, '?account_id=999999'],
      [admin.client, ''],
      [admin.client, '?account_id=999999'],
      [admin.client, `?account_id=${OWNER}`],
    ] as const) {
      const answer = await client.get(`/wagers/match${query}`);
      expect([query, answer.status, answer.body]).toEqual([query, 404, unknown]);
    }
    expect((await business.client.get(`/wagers/match?account_id=${account_id}`)).body.data.id).toBe(id);
    expect((await admin.client.get(`/wagers/match?account_id=${account_id}`)).body.data.id).toBe(id);
    expect((await admin.client.get('/wagers/match?account_id=x')).body.message).toEqual([
      'account_id must be an integer number',
    ]);
  });

  it('is found by any reference that a wager may have', async () => {
    const reference = 'Süd/Nord 3:2 ?&#%25 é';
    ok(await business.make('ann', 1, 2, { wager_reference: reference }));
    const path = `/wagers/${encodeURIComponent(reference)}`;
    expect(ok(await business.client.get(path), 200).data.reference).toBe(reference);
    expect((await business.client.get('/wagers/a%2Cb')).body.message).toEqual(['reference must not contain a comma']);
  });
});
