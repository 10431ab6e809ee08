import { beforeAll, describe, expect, it } from '@jest/globals';
import { connectForWorkers } from '#platform/redis/redis.js';
import { assertRedisUrl } from '#platform/redis/redis-check.js';
import { expectBooksToBalance } from '#testing/books.js';
import { registerAndLogIn } from '#testing/client.js';
import { logInAtConsole } from '#testing/console-session.js';
import { mailsInFolder } from '#testing/mails.js';
import { startTestApi, startTestDashboard, startTestWorker, type TestPart } from '#testing/parts.js';
import { type ClusterNode, startRedisCluster, type TestCluster } from '#testing/redis-cluster.js';
import { isSettling, seedAcceptedBets, settledCount, settledOnce, settlementsOf } from '#testing/seeded-wagers.js';
import { type Clock, startClock } from '#testing/standstills.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// All parts on a cluster of three masters, each with a replica. The cluster names its nodes by proxies.

/** Their settlement takes long enough for a fault to fall into it, and for the test to see a lock that each chunk holds anew. */
const BETS = 10_000;
/** Twice what is promised: the nodes, the parts and other tests share the processors. */
const BACK_WITHIN_MS = 20_000;
/** An offer never waits for Redis; this is for other work of the machine. */
const OFFER_WITHIN_MS = 1_000;
const OFFERERS = 2;
/** More than the offerers make on a fast machine; counts are shared from the hundredth part of it on. */
const RATE_LIMITS = 'account=2000/s';
const SETTLEMENT = '{ledger:settlement}';
const QUEUES = [
  'settlement',
  'cancellation',
  'portfolio',
  'exports',
  'previews',
  'sandboxes',
  'mail',
  'maintenance',
  'webhooks',
];

const environment = withTestEnvironment(async () => {
  for (const part of parts) await part.close();
  await cluster?.close();
  await clock?.stop();
});
let cluster: TestCluster;
let parts: { close(): Promise<void> }[] = [];
let api: TestPart;
let dashboard: TestPart;
let business: TestBusiness;
let accountId: number;
let clock: Clock;

beforeAll(async () => {
  clock = startClock(environment.database);
  cluster = await startRedisCluster(`${environment.folder}/redis`);
  const settings = { REDIS_URL: cluster.url, REDIS_PREFIX: 'ledger', RATE_LIMITS };
  api = await startTestApi(environment, { ...settings, SETTLEMENT_BOUND: '50' });
  dashboard = await startTestDashboard(environment, { ...settings, API_URL: api.client.baseUrl });
  const worker = await startTestWorker(environment, { ...settings, SETTLEMENT_CHUNK: '100' });
  parts = [worker, dashboard, api];
  business = await openTestBusiness(api.client);
  accountId = business.account.id;
  await business.user('ann', 1_000_000);
});

/** Resolves when the worker is in the middle of the settlement of a new wager. */
async function beginSettlement(name: string): Promise<string> {
  await seedAcceptedBets(environment.database, { accountId, bets: BETS, name });
  ok(await business.decide('win', `${name}1`));
  await waitFor(async () => (await settledCount(environment.database, `${name}1`)) >= 150);
  return `${name}1`;
}

async function expectToEndWell(wager: string): Promise<void> {
  await waitFor(async () => !(await isSettling(environment.database, wager)));
  expect(await settlementsOf(environment.database, wager)).toEqual(settledOnce(BETS));
}

/** Makes offers until `stop`, each of which must succeed in time. */
function offerContinuously() {
  const times: number[] = [];
  let isOver = false;
  const offerOn = async () => {
    while (!isOver) {
      const startedAt = clock.now();
      ok(await business.make('ann', 1));
      times.push(clock.now() - startedAt);
    }
  };
  const running = Promise.all(Array.from({ length: OFFERERS }, offerOn));
  return async () => {
    isOver = true;
    await running;
    expect(Math.max(...times)).toBeLessThan(OFFER_WITHIN_MS);
  };
}

const isLimitShared = async () =>
  (await cluster.keys()).some(([key]) => key.startsWith('ledger:limit:requests:account'));

async function deleteLimits(): Promise<void> {
  for (const [key, node] of await cluster.keys()) {
    if (key.startsWith('ledger:limit:')) await cluster.nodes[node]?.redis.del(key);
  }
}

/** A mail of a new account is sent, and requests are counted in Redis again. */
async function expectRedisToServe(): Promise<void> {
  const { email } = await registerAndLogIn(api.client);
  await waitFor(async () => (await mailsInFolder(`${environment.folder}/mail`)).some(({ to }) => to === email), {
    timeoutMs: BACK_WITHIN_MS,
    clock,
  });
  await waitFor(isLimitShared, { timeoutMs: BACK_WITHIN_MS, clock });
}

/** Meanwhile offers succeed, Redis serves again in time, and the settlement goes on in time and ends well. */
async function expectToGoOn(wager: string): Promise<void> {
  const settled = await settledCount(environment.database, wager);
  expect(settled).toBeLessThan(BETS); // or the settlement was over before the fault
  const stop = offerContinuously();
  const goesOn = async () => (await settledCount(environment.database, wager)) > Math.min(settled + 200, BETS - 1);
  await Promise.all([expectRedisToServe(), waitFor(goesOn, { timeoutMs: BACK_WITHIN_MS, clock })]);
  await stop();
  await expectToEndWell(wager);
}

describe('a Redis cluster', () => {
  it('has each queue in a slot of its own, on more than one master, and locks and limits by their keys', async () => {
    const isLocked = async () => (await cluster.keys()).some(([key]) => key === `ledger:account-lock:${accountId}`);
    const [wager] = await Promise.all([beginSettlement('first'), waitFor(isLocked)]);
    await expectToEndWell(wager);
    const stop = offerContinuously();
    await expectRedisToServe();
    await stop();
    const keys = await cluster.keys();
    const used = QUEUES.filter((queue) => keys.some(([key]) => key.startsWith(`{ledger:${queue}}:${queue}:`)));
    expect(used).toEqual(QUEUES);
    const masters = new Set(keys.filter(([key]) => key.startsWith('{')).map(([, node]) => node));
    expect(masters.size).toBeGreaterThan(1);
    expect(keys.filter(([key]) => !/^(?:\{ledger:\w+\}|ledger):/.test(key))).toEqual([]);
  });

  it('shows its queues to an admin at the dashboard', async () => {
    const owner = await registerAndLogIn(api.client);
    await environment.database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1`, [owner.email]);
    const admin = await logInAtConsole(dashboard.client, owner);
    const { body } = await admin.get('/queues/api/queues?activeQueue=settlement&status=completed&page=1');
    const queues = body.queues as { name: string; counts: Record<string, number>; jobs: unknown[] }[];
    expect(queues.map(({ name }) => name).sort()).toEqual([...QUEUES].sort());
    expect(queues.find(({ name }) => name === 'settlement')).toMatchObject({ counts: { completed: 1 } });
  });

  it('whose connections all go silent, some only in their answers, serves again in time', async () => {
    const wager = await beginSettlement('silent');
    await deleteLimits();
    for (const [index, { proxy }] of cluster.nodes.entries()) proxy.silence(index % 2 ? 'answers' : 'both directions');
    await expectToGoOn(wager);
  });

  it('that loses a master goes on with its replica: no job and no bet is lost', async () => {
    const wager = await beginSettlement('last');
    const lost: ClusterNode = await cluster.masterOf(SETTLEMENT);
    await deleteLimits();
    await cluster.kill(lost);
    await expectToGoOn(wager);
    expect(await cluster.masterOf(SETTLEMENT)).not.toBe(lost);
    await expectBooksToBalance(environment.database);
  });
});

describe('the address of a Redis', () => {
  it('names a cluster or one server, and a wrong one is refused with a text that says which it is', async () => {
    await expect(assertRedisUrl(cluster.url)).resolves.toBeUndefined();
    await expect(assertRedisUrl(cluster.nodes.at(-1)?.service.url ?? '')).rejects.toThrow('is a node of a cluster');
    const { username, password, host } = new URL(environment.redisUrl);
    const notOne = `redis+cluster://${username}:${password}@${host}`;
    await expect(assertRedisUrl(notOne)).rejects.toThrow('is no cluster: begin the address with redis://');
  });

  it('opens no connection to a node outside the private networks that the cluster names', async () => {
    const alive = cluster.nodes.at(-1) as ClusterNode;
    await alive.redis.config('SET', 'cluster-announce-ip', '203.0.113.9');
    const url = cluster.url.replace(/@.*$/, `@127.0.0.1:${alive.proxy.port}`);
    const connection = connectForWorkers({ url, staysPrivate: true }, environment.logger);
    try {
      await waitFor(() =>
        environment.logLines.some((line) => /203\.0\.113\.9.*outside the private networks/.test(line)),
      );
      await waitFor(() => connection.status === 'ready');
      const hosts = 'nodes' in connection ? connection.nodes().map(({ options }) => options.host) : [];
      expect(new Set(hosts)).toEqual(new Set(['127.0.0.1']));
    } finally {
      connection.disconnect();
    }
  });
});
