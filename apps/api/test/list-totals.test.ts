import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type LoggedIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { chooser, insertBets } from '#testing/list-rows.js';
import { withTestApi } from '#testing/with-test-api.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';

const api = withTestApi();
let many: LoggedIn;
let busy: LoggedIn;
let admin: LoggedIn;

/** Enough rows that the API reads pages in the back half from the other end. */
const MANY = 12_345;

beforeAll(async () => {
  many = await registerAndLogIn(api.client);
  busy = await registerAndLogIn(api.client);
  admin = await registerAndLogIn(api.client);
  await api.database.query('UPDATE accounts SET role = $1 WHERE id = 3', ['admin']);
  await insertBets(api.database, 1, MANY);
  await insertBets(api.database, 2, 60);
});

const OPEN = `offer_status = 'requesting' AND is_active`;

const lists = [
  ['/bets/open-bets', OPEN, ['requesting_odds', 'requesting_amount', 'created_at']],
  ['/bets/history', 'TRUE', ['effective_odds', 'effective_amount', 'created_at']],
] as const;

const orders = lists.flatMap(([path, belongs, sorts]) =>
  sorts.flatMap((by) => (['asc', 'desc'] as const).map((direction) => ({ path, belongs, by, direction }))),
);

describe('deep pages', () => {
  it.each(orders)('$path by $by $direction, from the first page to the last', async (order) => {
    const { path, belongs, by, direction } = order;
    for (const [client, accounts, query] of [
      [many.client, '1', ''],
      [admin.client, '1, 2', '&account_ids=1,2'],
    ] as const) {
      const sorted = await api.database.query(
        `SELECT id::float8 FROM bets WHERE account_id IN (${accounts}) AND ${belongs}
          ORDER BY ${by} ${direction} NULLS LAST, id ${direction}`,
      );
      const last = Math.ceil(sorted.length / 100);
      for (const page of [1, 50, 51, 52, 63, 70, last - 1, last, last + 1].filter((page) => page <= last + 1)) {
        const { body } = await client.get(
          `${path}?sort_by=${by}&sort_direction=${direction}&per_page=100&page=${page}${query}`,
        );
        expect(body.data.map(({ id }: { id: number }) => id)).toEqual(
          sorted.slice((page - 1) * 100, page * 100).map(({ id }) => id),
        );
        expect(body).toMatchObject({ total: sorted.length, last_page: last });
      }
    }
  });
});

const WRITERS = 4;
const ROUNDS = 25;

/** A user of the busy account who makes, cancels and accepts offers. */
async function keepBetting(client: TestClient, writer: number): Promise<void> {
  const choose = chooser(writer + 1);
  const [me, other] = [`w${writer}`, `w${(writer + 1) % WRITERS}`];
  for (let round = 0; round < ROUNDS; round += 1) {
    const wager_reference = `totals ${choose([1, 2, 3])}`;
    const [path, body] = choose([
      ['make-offer', { requesting_user_reference: me, requesting_odds: 2, requesting_amount: choose([1, 2.5]) }],
      ['make-offer', { requesting_user_reference: me, requesting_odds: 3, requesting_amount: choose([4, 5.25]) }],
      ['cancel-offer', { requesting_user_reference: me, wager_references: [wager_reference], amount: 1 }],
      [
        'accept-offer',
        { accepting_user_reference: me, requesting_user_reference: other, accepting_odds: 3, accepting_amount: 2 },
      ],
    ] as [string, object][]);
    const { status } = await client.post(`/bets/${path}`, { wager_reference, ...body });
    expect([201, 200, 400]).toContain(status);
  }
}

describe('totals', () => {
  it('agree with the page at every moment while bets change, and with a count in the end', async () => {
    for (let writer = 0; writer < WRITERS; writer += 1) {
      await busy.client.post('/account/user', { name: 'W', reference: `w${writer}` });
      await busy.client.post('/transactions/fund', { user_reference: `w${writer}`, amount: 10_000 });
    }
    let isChanging = true;
    const writers = Array.from({ length: WRITERS }, (_, writer) => keepBetting(busy.client, writer));
    const changes = Promise.all(writers).finally(() => {
      isChanging = false;
    });
    let reads = 0;
    while (isChanging) {
      const { body } = await busy.client.get('/bets/open-bets?per_page=100');
      const micros = body.data.map((bet: { requesting_amount: number }) => Math.round(bet.requesting_amount * 1e6));
      if (body.last_page === 1) {
        expect(body.total).toBe(body.data.length);
        expect(body.total_requesting_amount).toBe(micros.reduce((sum: number, one: number) => sum + one, 0) / 1e6);
      }
      reads += 1;
    }
    await changes;
    expect(reads).toBeGreaterThan(5);
    for (const [account, id] of [
      [many, 1],
      [busy, 2],
    ] as const) {
      const [counted] = await api.database.query(
        `SELECT count(*)::int AS bets, count(*) FILTER (WHERE ${OPEN})::int AS open,
                sum(requesting_amount) FILTER (WHERE ${OPEN}) / 1e6::float8 AS amount FROM bets WHERE account_id = $1`,
        [id],
      );
      const open = (await account.client.get('/bets/open-bets')).body;
      const history = (await account.client.get('/bets/history')).body;
      expect({ bets: history.total, open: open.total, amount: open.total_requesting_amount }).toEqual(counted);
    }
  });

  it('change without waiting for another transaction that changes them', async () => {
    const { url, enter } = await api.database.placeOf(2);
    const clients = Array.from({ length: 8 }, () => new pg.Client({ connectionString: url }));
    try {
      const pids: number[] = [];
      for (const client of clients) {
        await client.connect();
        pids.push((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
      }
      const first = clients[0] as pg.Client;
      await first.query('BEGIN');
      // As if every transaction began at a shard that is locked.
      for (const pid of pids) await first.query('SELECT pg_advisory_xact_lock(7266002, $1::int % 64)', [pid]);
      const before = (await busy.client.get('/bets/history')).body.total;
      for (const client of clients) {
        if (client !== first) await client.query('BEGIN');
        await client.query(enter);
        await client.query(`SET LOCAL lock_timeout = '500ms'`);
        await client.query('SELECT write_group(p_totals => ARRAY[ROW(2, 2, 0, 0, 0)::moved_total])');
      }
      for (const client of clients.slice(0, 5)) await client.query('COMMIT');
      expect((await busy.client.get('/bets/history')).body.total).toBe(before + 10);
    } finally {
      for (const client of clients) await client.end();
    }
    await api.database.query(COUNT_TOTALS);
  });

  it('sum amounts beyond what 64 bits and exact numbers hold', async () => {
    await api.database.query(
      `INSERT INTO bets (account_id, wager_id, requesting_user_id, queue_place, requesting_odds, requesting_amount)
       SELECT 2, (SELECT min(id) FROM wagers WHERE account_id = 2), (SELECT min(id) FROM users WHERE account_id = 2), 1,
              1000000, 999999999999999 FROM generate_series(1, 10000)`,
    );
    await api.database.query(COUNT_TOTALS);
    const [{ sum } = {}] = await api.database.query(
      `SELECT (sum(requesting_amount) / 1000000)::text AS sum FROM bets WHERE account_id = 2 AND ${OPEN}`,
    );
    for (const query of ['', '?minimum_amount=0', '?page=200']) {
      const { body } = await busy.client.get(`/bets/open-bets${query}`);
      expect(body.total_requesting_amount).toBe(Number(sum));
    }
  });
});

describe('while wagers are settling', () => {
  /** The offers of `w0` stay open: it is forced back to undecided. Those of `w1` and `w2` count as expired. */
  const STANDS = `${OPEN} AND wager_id NOT IN (SELECT id FROM wagers WHERE reference IN ('w1', 'w2') AND account_id = 1)`;

  beforeAll(async () => {
    await api.database.query(
      `UPDATE wagers SET settling_since = now() WHERE account_id = 1 AND reference IN ('w0', 'w1', 'w2')`,
    );
  });

  const expectPages = async (client: TestClient, query: string, where: string, order: string) => {
    const sorted = await api.database.query(
      `SELECT id::float8, requesting_amount::text AS amount FROM bets WHERE ${STANDS} AND ${where} ORDER BY ${order}`,
    );
    const total_requesting_amount = Number(sorted.reduce((sum, { amount }) => sum + BigInt(`${amount}`), 0n)) / 1e6;
    const last = Math.max(1, Math.ceil(sorted.length / 100));
    for (const page of new Set([1, Math.min(52, last), last])) {
      const { body } = await client.get(`/bets/open-bets?per_page=100&page=${page}${query}`);
      const shown = sorted.slice((page - 1) * 100, page * 100);
      expect(body.data.map(({ id }: { id: number }) => id)).toEqual(shown.map(({ id }) => id));
      expect(body).toMatchObject({ total: sorted.length, last_page: last, total_requesting_amount });
    }
  };

  it.each(lists[0][2])('open bets by %s have none of their offers, on any page', async (by) => {
    for (const direction of ['asc', 'desc']) {
      const order = `${by} ${direction}, id ${direction}`;
      await expectPages(many.client, `&sort_by=${by}&sort_direction=${direction}`, 'account_id = 1', order);
    }
    await expectPages(admin.client, `&sort_by=${by}&account_ids=1,3`, 'account_id IN (1, 3)', `${by}, id`);
  });

  it.each([
    ['wager_references=w1', 'FALSE'],
    ['wager_references=w0,w1,w2,w3', `wager_id IN (SELECT id FROM wagers WHERE reference IN ('w0', 'w3'))`],
    [
      'requesting_user_references=u1',
      `requesting_user_id = (SELECT id FROM users WHERE account_id = 1 AND reference = 'u1')`,
    ],
    ['minimum_odds=1.25&maximum_amount=6', 'requesting_odds >= 1250000 AND requesting_amount <= 6000000'],
  ])('nor with %s', async (query, where) => {
    await expectPages(many.client, `&${query}`, `account_id = 1 AND ${where}`, 'created_at, id');
  });

  it('other accounts have all of theirs', async () => {
    const [counted] = await api.database.query(
      `SELECT count(*)::int AS total FROM bets WHERE account_id = 2 AND ${OPEN}`,
    );
    expect((await busy.client.get('/bets/open-bets')).body).toMatchObject({ ...counted });
  });
});
