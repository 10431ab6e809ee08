import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LoggedIn, registerAndLogIn } from '#testing/client.js';
import { type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let admin: Admin;
let owner: LoggedIn;

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
  admin = await registerAdmin(api.client, api.database);
  owner = await registerAndLogIn(api.client);
  await registerAndLogIn(api.client);
  // Times in an order other than ids, some equal.
  await api.database.query(
    `INSERT INTO wagers (account_id, reference, outcome, created_at, settling_since)
     SELECT a, 'w' || i, (ARRAY['undecided', 'win', 'half-loss', 'undecided', 'void'])[i % 5 + 1],
            timestamptz '2026-03-01Z' + (i * 7 % 10) * interval '1 hour',
            CASE WHEN i % 11 = 1 THEN timestamptz '2026-03-02 00:00:00.5Z' END
       FROM generate_series(1, 47) i, unnest(ARRAY[${OWNER}, ${STRANGER}]) a`,
  );
  wagers = (await api.database.query(
    `SELECT id::float8, account_id::float8, reference, outcome, extract(epoch FROM created_at)::int AS at FROM wagers`,
  )) as unknown as WagerRow[];
});

const list = async ({ client }: LoggedIn, query: Record<string, string> = {}) =>
  ok(await client.get(`/wagers?${new URLSearchParams(query)}`), 200);

const sorted = (accounts: number[], by: 'id' | 'at', sign = 1, matches: (wager: WagerRow) => boolean = () => true) =>
  wagers
    .filter((wager) => accounts.includes(wager.account_id) && matches(wager))
    .sort((one, other) => sign * (one[by] - other[by] || one.id - other.id))
    .map(({ id }) => id);

/** As the rows were inserted. */
const isSettling = ({ reference }: WagerRow) => Number(reference.slice(1)) % 11 === 1;

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
    [{ settling: 'true' }, isSettling],
    [{ settling: 'false' }, (wager) => !isSettling(wager)],
    [{ settling: 'true', outcome: 'void' }, (wager) => isSettling(wager) && wager.outcome === 'void'],
  ])('filters by %j', async (query, matches) => {
    const body = await list(owner, { ...query, per_page: '100' });
    const expected = sorted([OWNER], 'at', 1, matches);
    expect([idsOf(body), body.total]).toEqual([expected, expected.length]);
  });

  it('walks the wagers that are being settled by cursor', async () => {
    const expected = sorted([OWNER], 'at', -1, isSettling);
    const walked: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(owner, { settling: 'true', sort_direction: 'desc', per_page: '2', cursor });
      walked.push(...idsOf(page));
      cursor = page.next;
    }
    expect(walked).toEqual(expected);
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
    ['settling=1.0', 'settling must be'],
    ['per_page=0', 'per_page must not be less than 1'],
    ['account_ids=x', 'account_ids[0] must be an integer number'],
  ])('refuses %s', async (query, fault) => {
    const { status, body } = await owner.client.get(`/wagers?${query}`);
    expect([status, body.message]).toEqual([400, [expect.stringContaining(fault)]]);
  });
});
