import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Answer, type LoggedIn, registerAndLogIn } from '#testing/client.js';
import type { TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { startClock } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';

const environment = withTestEnvironment();

const ME = '/auth/account/me';
const refusal = { status: 429, error: 'Too many requests: try again later' };

/** Each test has a Redis prefix of its own, so that tests do not share counts. */
let corners = 0;

async function withApi(
  limits: string,
  use: (api: TestPart) => Promise<void>,
  more: Record<string, string> = {},
  given = environment,
) {
  corners += 1;
  const api = await startTestApi(given, {
    RATE_LIMITS: limits,
    REDIS_PREFIX: `${environment.redisPrefix}-${corners}`,
    TRUST_PROXY: '1',
    ...more,
  });
  try {
    await use(api);
  } finally {
    await api.close();
  }
}

/** Of 50 requests, on a busy machine. */
const FULL_SPEED_MS = 10_000;

/** A single request that waited for Redis would then take minutes. */
const waitingForRedis = (): TestEnvironment => ({
  ...environment,
  config(overrides) {
    const config = environment.config(overrides);
    return { ...config, redis: { ...config.redis, patience: 1_000 } };
  },
});

const fieldsOf = ({ headers }: Answer) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];
const leftOf = ({ headers }: Answer) => Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

/** Sends one request after the other, up to the first refusal. */
async function askUntilRefused(ask: () => Promise<Answer>, atMost: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < atMost && answers.at(-1)?.status !== 429) answers.push(await ask());
  return answers;
}

function expectRefusal(answer: Answer | undefined, name: string): void {
  expect([answer?.status, answer?.body]).toEqual([429, refusal]);
  const [, resetSeconds] = new RegExp(`^"${name}";r=0;t=(\\d+)$`).exec(answer?.headers.get('ratelimit') ?? '') ?? [];
  expect(Number(resetSeconds)).toBeGreaterThan(0);
  expect(answer?.headers.get('retry-after')).toBe(resetSeconds);
}

describe('the limit of an account', () => {
  it('is in each answer, and refuses what is beyond it', () =>
    withApi('account=5/h', async (api) => {
      const [one, two] = [await registerAndLogIn(api.client), await registerAndLogIn(api.client)];
      const answers = await askUntilRefused(() => one.client.get(ME), 10);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(fieldsOf(answers[0] as Answer)).toEqual([
        '"account";q=5;w=3600',
        expect.stringMatching(/^"account";r=4;t=\d+$/),
      ]);
      expect(answers.slice(0, 5).map(leftOf)).toEqual([4, 3, 2, 1, 0]);
      expectRefusal(answers[5], 'account');
      // With any credential and from any address; other refusals count, too.
      const { base64_encoded: base64 } = (await two.client.post('/auth/account/generate-keys')).body.data;
      const byKey = await api.client.as({ base64 }).get('/account/user/0');
      expect([byKey.status, leftOf(byKey)]).toEqual([400, 3]);
      expect(leftOf(await two.client.get(ME, from('10.0.0.9')))).toBe(2);
    }));

  it('does not count what its address asks without a credential, nor the other way round', () =>
    withApi('account=50/h,address=8/h', async (api) => {
      const account = await registerAndLogIn(api.client);
      for (let index = 0; index < 15; index += 1) expect((await account.client.get(ME)).status).toBe(200);
      // Registration and login counted for the address; the count of the credential look-up was taken back.
      expect(leftOf(await api.client.get('/nowhere'))).toBe(5);
      expect(leftOf(await account.client.get(ME))).toBe(34);
    }));
});

describe('the limit of an address', () => {
  it('is for all that carries no credential, and for wrong ones', () =>
    withApi('address=4/h', async (api) => {
      const wrong = api.client.as({ token: 'nonsense' });
      expect((await wrong.get(ME, from('10.0.0.1'))).status).toBe(401);
      expect((await api.client.get(ME, from('10.0.0.1'))).status).toBe(401);
      const unknown = await api.client.get('/nowhere', from('10.0.0.1'));
      expect([unknown.status, ...fieldsOf(unknown)]).toEqual([
        404,
        '"address";q=4;w=3600',
        expect.stringMatching(/^"address";r=1;t=\d+$/),
      ]);
      expect((await api.client.get('/auth/account/verify-email?token=x', from('10.0.0.1'))).status).toBe(400);
      for (const path of [ME, '/nowhere', '/auth/account/verify-email?token=x']) {
        expectRefusal(await wrong.get(path, from('10.0.0.1')), 'address');
      }
      expect((await wrong.get(ME, from('10.0.0.2'))).status).toBe(401);
    }));

  it.each([
    ['0', (n: number) => `10.0.0.${n}`],
    // Our own proxy adds the last address; callers can forge all before it.
    ['1', (n: number) => `10.0.0.${n}, 203.0.113.7`],
  ])('trusts forwarded addresses of %s proxies only', (proxies, forwarded) =>
    withApi(
      'address=2/h',
      async (api) => {
        const statuses: number[] = [];
        for (const n of [1, 2, 3]) statuses.push((await api.client.get(ME, from(forwarded(n)))).status);
        expect(statuses).toEqual([401, 401, 429]);
      },
      { TRUST_PROXY: proxies },
    ),
  );

  it('takes an IPv6 network for one', () =>
    withApi('address=2/h', async (api) => {
      const ask = (address: string) => api.client.get('/nowhere', from(address));
      expect([(await ask('2001:db8::1')).status, (await ask('2001:db8::2')).status]).toEqual([404, 404]);
      expect((await ask('2001:db8::3')).status).toBe(429);
      expect((await ask('2001:db8:0:1::3')).status).toBe(404);
    }));

  it('stands beside that of a route', () =>
    withApi('on', async (api) => {
      const login = await api.client.post('/auth/login/account', {});
      expect(fieldsOf(login)).toEqual([
        '"address";q=5000;w=10, "route";q=300;w=60',
        expect.stringMatching(/^"address";r=\d+;t=\d+, "route";r=299;t=\d+$/),
      ]);
    }));

  it('leaves health and metrics alone', () =>
    withApi('address=1/h', async (api) => {
      await api.client.get('/nowhere');
      expect((await api.client.get('/nowhere')).status).toBe(429);
      for (const path of ['/healthz', '/readyz', '/metrics']) {
        const answer = await api.client.get(path);
        expect([answer.status, ...fieldsOf(answer)]).toEqual([200, null, null]);
      }
    }));
});

describe('request limits', () => {
  it('can be lifted', () =>
    withApi('off', async (api) => {
      const account = await registerAndLogIn(api.client);
      expect(fieldsOf(await account.client.get(ME))).toEqual([null, null]);
    }));

  it('are one over several processes', async () => {
    corners += 1;
    const overrides = { RATE_LIMITS: 'account=60/h', REDIS_PREFIX: `${environment.redisPrefix}-${corners}` };
    const apis = [await startTestApi(environment, overrides), await startTestApi(environment, overrides)];
    try {
      const account = await registerAndLogIn((apis[0] as TestPart).client);
      const token = account.client.credential;
      let turn = 0;
      const ask = () => {
        turn += 1;
        return (apis[turn % 2] as TestPart).client.as(token).get(ME);
      };
      const answers = await askUntilRefused(ask, 200);
      expect(answers.length).toBeGreaterThanOrEqual(60);
      expect(answers.length).toBeLessThanOrEqual(65);
    } finally {
      for (const api of apis) await api.close();
    }
  });

  it.each(['SIGKILL', 'SIGSTOP'] as const)('go on at full speed when Redis gets a %s', async (signal) => {
    const redis = await startPrivateRedis({ dataDir: path.join(environment.folder, signal), persistent: false });
    const clock = startClock(environment.database);
    try {
      await withApi(
        'account=1000/h',
        async (api) => {
          const account: LoggedIn = await registerAndLogIn(api.client);
          await account.client.get(ME);
          redis.kill(signal);
          if (signal === 'SIGKILL') {
            await waitFor(async () => (await api.client.get('/readyz')).body.redis === 'down');
          }
          const startedAt = clock.now();
          for (let index = 0; index < 50; index += 1) expect((await account.client.get(ME)).status).toBe(200);
          expect(clock.now() - startedAt).toBeLessThan(FULL_SPEED_MS);
          if (signal === 'SIGSTOP') redis.kill('SIGCONT');
        },
        { REDIS_URL: redis.url },
        waitingForRedis(),
      );
    } finally {
      await redis.stop();
      await clock.stop();
    }
  });
});
