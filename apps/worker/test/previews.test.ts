import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient } from '#testing/client.js';
import { holding } from '#testing/databases.js';
import { type PartProcess, startPartOn } from '#testing/part-process.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { isSettling, seedAcceptedBets } from '#testing/seeded-wagers.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

/** More than a request computes. */
const BETS = 20_500;
const MICROS = 1_000_000;

const environment = withTestEnvironment(async () => api?.close());
let api: TestPart;
let business: TestBusiness;
let accountId: number;

beforeAll(async () => {
  api = await startTestApi(environment);
  business = await openTestBusiness(api.client);
  accountId = business.account.id;
  await seedAcceptedBets(environment.database, { accountId, bets: BETS, name: 'large' });
}, 60_000);

const ask = async (reference: string, outcome: string): Promise<number> => {
  const operation = { type: 'update_wager_outcome', reference, outcome };
  const { data } = ok(await business.client.post('/previews', { operation }), 202);
  expect(data).toEqual({ id: data.id, state: 'running', progress: 0, failure: null });
  return data.id;
};

const previewOf = async (id: number) => ok(await business.client.get(`/previews/${id}`), 200).data;

const endOf = (id: number) =>
  waitFor(
    async () => {
      const preview = await previewOf(id);
      return preview.state !== 'running' && preview;
    },
    { timeoutMs: 60_000 },
  );

async function allUsers(client: TestClient, id: number) {
  const users: { reference: string; balance_after: number; exposure_after: number }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = ok(await client.get(`/previews/${id}/users?cursor=${cursor}`), 200);
    users.push(...page.data);
    cursor = page.next;
  }
  return users;
}

describe('a preview of more bets than a request computes', () => {
  it('is refused while three of the account are not done, and smaller ones are answered', async () => {
    for (const outcome of ['win', 'loss', 'push']) await ask('large1', outcome);
    const post = (reference: string) =>
      business.client.post('/previews', { operation: { type: 'update_wager_outcome', reference, outcome: 'win' } });
    const full = await post('large1');
    expect([full.status, full.headers.get('retry-after'), full.body.error]).toEqual([
      ...[429, '30', 'An account may have at most 3 previews that are not done: wait for one of them'],
    ]);
    expect(ok(await post('nowhere'), 200).data.refusal).toBe('Wager not found');
    await environment.database.query(`DELETE FROM previews WHERE state = 'running'`);
  });

  it('is computed by a worker, and is what then happens', async () => {
    const id = await ask('large1', 'win');
    expect((await business.client.get(`/previews/${id}/users`)).body.error).toBe(
      'The preview is not done: it has no users',
    );
    const worker = await startTestWorker(environment);
    try {
      const shown = await endOf(id);
      expect(shown).toMatchObject({ state: 'done', would_succeed: true, exact: false });
      expect(shown.bets).toMatchObject({ settled: BETS, unsettled: 0 });
      const users = await allUsers(business.client, id);
      ok(await business.decide('win', 'large1'));
      await waitFor(async () => !(await isSettling(environment.database, 'large1')), { timeoutMs: 120_000 });
      const rows = await environment.database.query(
        `SELECT u.reference, m.balance::float8 AS balance, m.exposure::float8 AS exposure FROM balances m
           JOIN users u ON u.account_id = m.account_id AND u.id = m.user_id WHERE m.account_id = $1`,
        [accountId],
      );
      const after = new Map(rows.map(({ reference, balance, exposure }) => [reference, { balance, exposure }]));
      expect(users).toHaveLength(shown.users.affected);
      for (const { reference, balance_after, exposure_after } of users) {
        const { balance = Number.NaN, exposure } = after.get(reference) ?? {};
        expect([reference, balance_after, exposure_after]).toEqual([
          ...[reference, Number(balance) / MICROS, Number(exposure) / MICROS],
        ]);
      }
      const [{ credit } = { credit: null }] = await environment.database.query(
        `SELECT sum(amount)::float8 AS credit FROM transactions WHERE account_id = $1 AND transaction_type = 'credit'`,
        [accountId],
      );
      expect(shown.moved).toEqual({ credit: Number(credit) / MICROS, debit: Number(credit) / MICROS });
    } finally {
      await worker.close();
    }
  }, 240_000);

  it('is computed by another worker when the first is killed, and given up after three', async () => {
    await seedAcceptedBets(environment.database, { accountId, bets: 40_000, name: 'killed' });
    const runsOf = async (id: number) => {
      const [row] = await environment.database.query('SELECT runs FROM previews WHERE id = $1', [id]);
      return Number(row?.runs);
    };
    const id = await ask('killed1', 'loss');
    const first = await startWorkerProcess();
    try {
      await waitFor(async () => (await runsOf(id)) === 1);
    } finally {
      await first.kill();
    }
    const given = await ask('killed1', 'win');
    await environment.database.query('UPDATE previews SET runs = 3 WHERE id = $1', [given]);
    const next = await startTestWorker(environment);
    try {
      expect(await endOf(id)).toMatchObject({ state: 'done', bets: { settled: 40_000 } });
      expect(await endOf(given)).toMatchObject({
        state: 'failed',
        failure: 'The preview could not be made: try again later',
      });
      const undone = await environment.database.query(
        `SELECT id FROM outbox WHERE topic = 'make-preview' AND done_at IS NULL`,
      );
      expect(undone).toEqual([]);
    } finally {
      await next.close();
    }
  }, 240_000);

  it('large previews of one account are computed one after the other', async () => {
    const other = await openTestBusiness(api.client);
    const otherId = other.account.id;
    for (const [id, name] of [
      [accountId, 'turn'],
      [otherId, 'other'],
    ] as const)
      await seedAcceptedBets(environment.database, { accountId: id, bets: BETS, name });
    // Accounts of one network share what a worker computes.
    await environment.database.query(`UPDATE accounts SET registered_from = NULL`);
    const own = [await ask('turn1', 'win'), await ask('turn1', 'loss')];
    const operation = { type: 'update_wager_outcome', reference: 'other1', outcome: 'win' };
    ok(await other.client.post('/previews', { operation }), 202);
    // Nobody reads bets until then.
    await holding(environment.database, 'LOCK TABLE bets IN ACCESS EXCLUSIVE MODE', async (release) => {
      const worker = await startTestWorker(environment);
      try {
        const runs = async (id: number) => {
          const rows = await environment.database.query(
            `SELECT runs FROM previews WHERE account_id = $1 AND state = 'running'`,
            [id],
          );
          return rows.map(({ runs: each }) => Number(each)).sort();
        };
        await waitFor(async () => (await runs(accountId)).includes(1) && (await runs(otherId)).includes(1));
        expect(await runs(accountId)).toEqual([0, 1]);
        await release();
        for (const id of own) expect(await endOf(id)).toMatchObject({ state: 'done' });
      } finally {
        await worker.close();
      }
    });
  }, 120_000);
});

const startWorkerProcess = (): Promise<PartProcess> => startPartOn(environment, 'worker', { BCRYPT_COST: '10' });
