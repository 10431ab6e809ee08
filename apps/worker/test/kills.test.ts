import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { applyMigrations } from '#platform/database/migrations.js';
import { expectBooksToBalance } from '#testing/books.js';
import { TestClient } from '#testing/client.js';
import { runOnce } from '#testing/databases.js';
import { isLongForm } from '#testing/long-form.js';
import { type PartProcess, startPartProcess } from '#testing/part-process.js';
import { isSettling, seedAcceptedBets, settledCount, settledOnce, settlementsOf } from '#testing/seeded-wagers.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { freePort } from '#tools/services/free-port.js';
import { startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import type { PrivateService } from '#tools/services/service-process.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

// Each process is killed in the middle of its work, several times, and started again as a supervisor would.

const BETS = 4_000;
/** How many settlements begin at most until a kill falls into one: on a busy machine, some end before. */
const TRIES = 4;
const KILLS_OF_ONE = isLongForm ? 2 : 1;
const GOES_ON_WITHIN_MS = 20_000;

const environment = withTestEnvironment(async () => {
  await api?.kill();
  await worker?.kill();
  await redis?.stop();
  await postgres?.stop();
});
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
  accountId = business.account.id;
});

const database = {
  query: (sql: string, values?: unknown[]) => runOnce(postgres.url, sql, values),
  queryOf(_accountId: number, sql: string, values?: unknown[]) {
    return this.query(sql, values);
  },
};

async function killService(service: PrivateService): Promise<void> {
  service.kill('SIGKILL');
  await service.exited;
}

/** Kills a process and starts it again; returns what is seen as soon as possible after the kill. */
type Kill = <Seen>(look: () => Promise<Seen>) => Promise<Seen>;

const kills = {
  async worker<Seen>(look: () => Promise<Seen>) {
    await worker.kill();
    const seen = await look();
    worker = await startPartProcess('worker', env);
    return seen;
  },
  async api<Seen>(look: () => Promise<Seen>) {
    await api.kill();
    const seen = await look();
    api = await startPartProcess('api', env);
    return seen;
  },
  async 'Redis, which forgets everything'<Seen>(look: () => Promise<Seen>) {
    await killService(redis);
    const seen = await look();
    redis = await startPrivateRedis({ ...redisOptions(), port: redis.port });
    return seen;
  },
  async PostgreSQL<Seen>(look: () => Promise<Seen>) {
    await killService(postgres);
    postgres = await startPrivatePostgres({ ...postgresOptions(), port: postgres.port });
    return look();
  },
} satisfies Record<string, Kill>;

const nothing = async () => undefined;

const DECIDED = `SELECT FROM wagers WHERE reference = $1 AND outcome <> 'undecided'`;

/** The number of settled bets. */
const progress = (reference: string) => settledCount(database, reference);

const random = createSeededRandom(testSeed);

/** Settles a wager and kills meanwhile; returns how many kills fell into the settlement. */
async function killWhileSettling(kill: Kill, name: string): Promise<number> {
  const reference = `${name}1`;
  await seedAcceptedBets(database, { accountId, bets: BETS, name });
  ok(await business.decide('win', reference));
  let hits = 0;
  while (hits < KILLS_OF_ONE) {
    const from = (await progress(reference)) + random.below(1_000);
    await waitFor(async () => (await progress(reference)) > Math.min(from, BETS - 1), { timeoutMs: 30_000 });
    const atKill = await kill(() => progress(reference));
    if (atKill === BETS) break;
    hits += 1;
    // Before a sweep would relay the work as lost.
    await waitFor(async () => (await progress(reference)) > atKill, { timeoutMs: GOES_ON_WITHIN_MS });
  }
  await waitFor(async () => !(await isSettling(database, reference)), { timeoutMs: 40_000 });
  expect(await settlementsOf(database, reference)).toEqual(settledOnce(BETS));
  return hits;
}

describe('a settlement while processes are killed', () => {
  it.each(Object.entries(kills))(
    'settles every bet exactly once: %s',
    async (name, kill) => {
      let hits = 0;
      for (let tries = 1; tries <= TRIES && hits === 0; tries += 1) {
        hits = await killWhileSettling(kill, `${Object.keys(kills).indexOf(name)}-${tries}-`);
      }
      expect(hits).toBeGreaterThan(0);
      await expectBooksToBalance({ url: postgres.url });
    },
    240_000,
  );

  it('is not lost when the API is killed as soon as the decision has committed', async () => {
    await seedAcceptedBets(database, { accountId, bets: 600, name: 'lost' });
    const decision = business.decide('loss', 'lost1').catch(() => undefined);
    // The worker may settle it before the test sees that it began.
    await waitFor(async () => (await database.query(DECIDED, ['lost1'])).length > 0);
    await kills.api(nothing);
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
    const rounds = isLongForm ? 8 : 2;
    for (let round = 1; round <= rounds; round += 1) {
      const client = business.client.with({ 'Idempotency-Key': `lost answer ${round}` });
      const send = () => client.post('/transactions/fund-user', { user_reference: 'ann', amount: 1 });
      const lost = Promise.all(Array.from({ length: 5 }, () => send().catch(() => undefined)));
      // Killed around the commit, in some rounds before it.
      if (round % 2 === 0) {
        await waitFor(async () => (await business.moneyOf('ann').catch(() => ({ balance: -1 }))).balance === round);
      }
      await kills.api(nothing);
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
