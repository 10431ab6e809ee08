import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, inventAccount, register, type TestAccount, TestClient } from '#testing/client.js';
import { isLongForm } from '#testing/long-form.js';
import { type PartProcess, startPartProcess } from '#testing/part-process.js';
import { openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { freePort } from '#tools/services/free-port.js';

// Wrong passwords from many addresses. The API runs in its own process, so that the test can read what it costs.

const LOGINS = 300;
/** In the queue, at work, and on the way there. */
const MOST_IN_QUEUE = 130;
/** A refused login takes about a millisecond of a processor, and a hash of the least cost about fifty. */
const MOST_MS_OF_A_LOGIN = 10;
const CLOCK_TICK_MS = 10;

const environment = withTestEnvironment(async () => api?.kill());
let api: PartProcess;
let client: TestClient;
let business: TestBusiness;

beforeAll(async () => {
  const PORT = String(await freePort());
  api = await startPartProcess('api', {
    PORT,
    ...environment.addresses,
    REDIS_URL: environment.redisUrl,
    REDIS_PREFIX: environment.redisPrefix,
    DATA_DIR: environment.folder,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'fatal',
    REQUEST_DEADLINE: '30s',
    BCRYPT_COST: '10',
  });
  client = new TestClient(`http://127.0.0.1:${PORT}`);
  business = await openTestBusiness(client);
  await business.user('ann', 1_000);
});

/** The processor time of the API's threads of usual priority, from their `stat` in Linux. */
function usualPriorityMs(): number {
  const fieldsOf = (thread: string) =>
    readFileSync(`/proc/${api.pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = readdirSync(`/proc/${api.pid}/task`)
    .map(fieldsOf)
    .filter((fields) => Number(fields[16]) === 0)
    .map((fields) => Number(fields[11]) + Number(fields[12]));
  return ticks.reduce((sum, one) => sum + one, 0) * CLOCK_TICK_MS;
}

(process.platform === 'linux' ? it : it.skip)(
  'a flood of logins from many addresses takes no time from bets, and is refused',
  async () => {
    const before = usualPriorityMs();
    const answers: Answer[] = [];
    const logIn = async (index: number) => {
      const body = { email: `nobody-${index}@example.com`, password: 'a wrong password' };
      const headers = { 'X-Forwarded-For': `10.${index % 250}.${index % 7}.1` };
      answers.push(await client.post('/auth/login/account', body, { headers }));
    };
    const logins = Promise.allSettled(Array.from({ length: LOGINS }, (_, index) => logIn(index)));
    for (let offers = 0; offers < 20; offers += 1) expect((await business.make('ann', 1)).status).toBe(201);
    await waitFor(async () => answers.length >= LOGINS - MOST_IN_QUEUE);
    expect(usualPriorityMs() - before).toBeLessThan(LOGINS * MOST_MS_OF_A_LOGIN);
    const refused = answers.filter(({ body }) => body.error === 'Too much is waiting: try again');
    expect(refused.length).toBeGreaterThanOrEqual(LOGINS - 2 * MOST_IN_QUEUE);
    for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(answers.filter(({ status }) => status !== 503 && status !== 401)).toEqual([]);
    await logins;
  },
);

// Four connections each of 100 networks ask for hashes all the time, as fast as they are answered.

const NETWORKS = 100;
const CONNECTIONS = 4;
const OWNER_TRIES = isLongForm ? 6 : 3;
/** Each waits until all networks before it had a hash. */
const TRIES_OF_NEW_NETWORKS = isLongForm ? 6 : 1;
const SOON_MS = 5_000;
const LOGIN = '/auth/login/account';

const networksOfKind = {
  'IPv4 networks (/24)': (index: number) => `10.${index}.1.1`,
  'subscribers of one IPv6 site': (index: number) => `2001:db8:ff:${index.toString(16)}00::1`,
  ...(isLongForm && {
    'IPv6 networks (/48)': (index: number) => `2001:db8:${index.toString(16)}:1::1`,
    'addresses of one IPv4 network': (index: number) => `10.200.1.${index}`,
  }),
};

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

const wrongLogin = (network: number, sent: number) =>
  [LOGIN, { email: `nobody-${network}-${sent}@example.com`, password: 'a wrong password' }] as const;
const newRegistration = () => ['/auth/register/account', inventAccount()] as const;

async function duringFlood(
  addressOf: (index: number) => string,
  requestOf: (network: number, sent: number) => readonly [string, object],
  use: () => Promise<void>,
): Promise<number> {
  let [isOver, sent] = [false, 0];
  const flood = Array.from({ length: NETWORKS * CONNECTIONS }, async (_, index) => {
    const network = index % NETWORKS;
    while (!isOver) {
      sent += 1;
      const [path, body] = requestOf(network, sent);
      await client.post(path, body, from(addressOf(network)));
    }
  });
  await waitFor(() => sent > 3 * NETWORKS * CONNECTIONS);
  try {
    await use();
  } finally {
    isOver = true;
    await Promise.all(flood);
  }
  return sent;
}

/** The slowest of several log-ins, of which each must succeed. */
async function slowestLogin(
  { email, password }: TestAccount,
  addressOf: (index: number) => string,
  tries = OWNER_TRIES,
): Promise<number> {
  let slowestMs = 0;
  for (let index = 0; index < tries; index += 1) {
    const startedAt = performance.now();
    const { status } = await client.post(LOGIN, { email, password }, from(addressOf(index)));
    expect(status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  }
  return slowestMs;
}

describe('while 100 networks ask for hashes', () => {
  let owner: TestAccount;
  const home = () => '192.0.2.7';
  let networks = 0;
  const newNetwork = () => {
    networks += 1;
    return `198.51.${networks}.1`;
  };

  beforeAll(async () => {
    owner = await register(client);
    expect((await client.post(LOGIN, { email: owner.email, password: owner.password }, from(home()))).status).toBe(200);
  });

  it.each(Object.entries(networksOfKind))(
    'the owner logs in within 5 s from where it logged in lately, and also from new networks: %s',
    async (_kind, addressOf) => {
      await duringFlood(addressOf, wrongLogin, async () => {
        expect(await slowestLogin(owner, home)).toBeLessThan(SOON_MS);
        await slowestLogin(owner, newNetwork, TRIES_OF_NEW_NETWORKS);
      });
    },
  );

  it('a flood of registrations does not close log-ins', async () => {
    await duringFlood(networksOfKind['IPv4 networks (/24)'], newRegistration, async () => {
      expect(await slowestLogin(owner, home)).toBeLessThan(SOON_MS);
      await slowestLogin(owner, newNetwork, TRIES_OF_NEW_NETWORKS);
    });
  });
});
