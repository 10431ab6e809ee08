import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { applyMigrations } from '#platform/database/migrations.js';
import { expectBooksToBalance } from '#testing/books.js';
import { TestClient } from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { type PartProcess, startPartProcess } from '#testing/part-process.js';
import { isSettling, seedAcceptedBets, settledCount, settledOnce, settlementsOf } from '#testing/seeded-wagers.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { freePort } from '#tools/services/free-port.js';
import { startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import type { PrivateService } from '#tools/services/service-process.js';

// Each process is killed in the middle of its work, several times, and started again as a supervisor would.

const BETS = 4_000;
const ROUNDS = 2;
const GOES_ON_WITHIN_MS = 20_000;

let environment: TestEnvironment;
let postgres: PrivateService;
let redis: PrivateService;
let api: PartProcess;
let worker: PartProcess;
let env: Record<string, string>;
let business: TestBusiness;
let accountId: number;

const postgresOptions = () => ({ dataDir: path.join(environment.folder, 'postgres') });
const redisOptions = () => ({ dataDir: path.join(environment.folder, 'redis'), persistent: false });

beforeAll(async () => {
  environment = await createTestEnvironment();
  postgres = await startPrivatePostgres(postgresOptions());
  redis = await startPrivateRedis(redisOptions());
  await applyMigrations(postgres.url);
  env = {
    PORT: String(await freePort()),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    DATA_DIR: environment.folder,
    BCRYPT_COST: '10',
    REQUEST_DEADLINE: '30s',
    SETTLEMENT_BOUND: '50',
    SETTLEMENT_CHUNK: '200',
    LOG_LEVEL: 'fatal',
  };
  [api, worker] = await Promise.all([startPartProcess('api', env), startPartProcess('worker', env)]);
  business = await openTestBusiness(new TestClient(`http://127.0.0.1:${env.PORT}`));
  accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
});

afterAll(async () => {
  await api?.kill();
  await worker?.kill();
  await redis?.stop();
  await postgres?.stop();
  await environment?.close();
});

const database = {
  async query(sql: string, values?: unknown[]) {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end();
    }
  },
};

async function killService(service: PrivateService): Promise<void> {
  process.kill(service.pid, 'SIGKILL');
  await service.exited;
}

const kills = {
  async worker() {
    await worker.kill();
    worker = await startPartProcess('worker', env);
  },
  async api() {
    await api.kill();
    api = await startPartProcess('api', env);
  },
  async 'Redis, which forgets everything'() {
    await killService(redis);
    redis = await startPrivateRedis({ ...redisOptions(), port: redis.port });
  },
  async PostgreSQL() {
    await killService(postgres);
    postgres = await startPrivatePostgres({ ...postgresOptions(), port: postgres.port });
  },
};

const DECIDED = `SELECT FROM wagers WHERE reference = $1 AND outcome <> 'undecided'`;

/** The number of settled bets. */
const progress = (reference: string) => settledCount(database, reference);

describe('a settlement while processes are killed', () => {
  it.each(Object.entries(kills))(
    'settles every bet exactly once: %s',
    async (name, kill) => {
      const reference = `${Object.keys(kills).indexOf(name)}-1`;
      await seedAcceptedBets(database, { accountId, bets: BETS, name: reference.slice(0, -1) });
      ok(await business.decide('win', reference));
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await progress(reference);
        if (before === BETS) break;
        const some = Math.floor(Math.random() * 1_000);
        await waitFor(async () => (await progress(reference)) > Math.min(before + some, BETS - 1), {
          timeoutMs: 30_000,
        });
        await kill();
        const after = await progress(reference);
        // Before a sweep would relay the work as lost.
        await waitFor(async () => (await progress(reference)) > Math.min(after, BETS - 1), {
          timeoutMs: GOES_ON_WITHIN_MS,
        });
      }
      await waitFor(async () => !(await isSettling(database, reference)), { timeoutMs: 40_000 });
      expect(await settlementsOf(database, reference)).toEqual(settledOnce(BETS));
      await expectBooksToBalance({ url: postgres.url });
    },
    240_000,
  );

  it('is not lost when the API is killed as soon as the decision has committed', async () => {
    await seedAcceptedBets(database, { accountId, bets: 600, name: 'lost' });
    const decision = business.decide('loss', 'lost1').catch(() => undefined);
    // The worker may settle it before the test sees that it began.
    await waitFor(async () => (await database.query(DECIDED, ['lost1'])).length > 0);
    await kills.api();
    await decision;
    await waitFor(async () => !(await isSettling(database, 'lost1')), { timeoutMs: 40_000 });
    expect(await settlementsOf(database, 'lost1')).toEqual(settledOnce(600));
    expect((await business.decide('win', 'lost1')).body.error).toBe('Wager has already been decided');
    await expectBooksToBalance({ url: postgres.url });
  });
});

describe('a request with an Idempotency-Key', () => {
  it('whose answer was lost with the API is answered by its retry, and not executed again', async () => {
    await business.user('ann', 0);
    const rounds = 8;
    for (let round = 1; round <= rounds; round += 1) {
      const client = business.client.with({ 'Idempotency-Key': `lost answer ${round}` });
      const send = () => client.post('/transactions/fund-user', { user_reference: 'ann', amount: 1 });
      const lost = Promise.all(Array.from({ length: 5 }, () => send().catch(() => undefined)));
      // Killed around the commit, in some rounds before it.
      if (round % 2 === 0) {
        await waitFor(async () => (await business.moneyOf('ann').catch(() => ({ balance: -1 }))).balance === round);
      }
      await kills.api();
      await lost;
      const answers = [await send(), await send()];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
      expect(answers[1]?.body).toEqual(answers[0]?.body);
      expect((await business.moneyOf('ann')).balance).toBe(round);
    }
    await expectBooksToBalance({ url: postgres.url });
  });
});
