import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { applyMigrations } from '#platform/database/migrations.js';
import { logIn, registerAndLogIn } from '#testing/client.js';
import { linkTokenIn, mailsInFolder, waitForMail } from '#testing/mails.js';
import { startTestApi, startTestWorker } from '#testing/parts.js';
import { startClock, unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import type { PrivateService } from '#tools/services/service-process.js';

const environment = withTestEnvironment();

async function killed(service: PrivateService): Promise<void> {
  service.kill('SIGKILL');
  await service.exited;
}

describe('without Redis', () => {
  it('the API goes on, and mails wait and arrive when Redis is back, empty', async () => {
    const options = { dataDir: path.join(environment.folder, 'redis'), persistent: false };
    let redis = await startPrivateRedis(options);
    const overrides = { REDIS_URL: redis.url };
    const api = await startTestApi(environment, overrides);
    const worker = await startTestWorker(environment, overrides);
    try {
      const account = await registerAndLogIn(api.client);
      await killed(redis);
      await waitFor(async () => (await api.client.get('/readyz')).body.redis === 'down');
      expect((await api.client.get('/readyz')).status).toBe(200);

      const late = await registerAndLogIn(api.client);
      expect((await late.client.get('/auth/account/me')).status).toBe(200);
      expect((await account.client.post('/account/user', { name: 'Ann' })).status).toBe(201);
      await logIn(api.client, account);
      const wrong = { email: account.email, password: 'wrong password' };
      // Limits still work; each process counts for itself.
      const guesses = await Promise.all(
        Array.from({ length: 30 }, () => api.client.post('/auth/login/account', wrong)),
      );
      expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(7);

      redis = await startPrivateRedis({ ...options, port: redis.port });
      const mail = await waitForMail(() => mailsInFolder(`${environment.folder}/mail`), {
        to: late.email,
        subject: 'Confirm your e-mail address',
      });
      expect((await api.client.get(`/auth/account/verify-email?token=${linkTokenIn(mail)}`)).status).toBe(200);
    } finally {
      await worker.close();
      await api.close();
      await redis.stop();
    }
  });

  it('a Redis that hangs delays no request for long', async () => {
    const redis = await startPrivateRedis({ dataDir: path.join(environment.folder, 'hanging'), persistent: false });
    const api = await startTestApi(environment, { REDIS_URL: redis.url });
    try {
      const account = await registerAndLogIn(api.client);
      redis.kill('SIGSTOP');
      const clock = startClock(environment.database);
      await logIn(api.client, account);
      await logIn(api.client, account);
      expect(clock.now()).toBeLessThan(2_000);
      await clock.stop();
    } finally {
      redis.kill('SIGCONT');
      await api.close();
      await redis.stop();
    }
  });

  it('a start finds its way too', async () => {
    const overrides = { REDIS_URL: 'redis://127.0.0.1:1' };
    const api = await startTestApi(environment, overrides);
    const parts: { close(): Promise<void> }[] = [api];
    try {
      parts.unshift(await startTestWorker(environment, overrides));
      expect((await api.client.get('/readyz')).body).toMatchObject({ status: 'ready', database: 'up', redis: 'down' });
      await registerAndLogIn(api.client);
    } finally {
      for (const part of parts) await part.close();
    }
  });
});

describe('without PostgreSQL', () => {
  it('the API answers 503, says that it is not ready, and recovers by itself', async () => {
    const options = { dataDir: path.join(environment.folder, 'postgres') };
    let postgres = await startPrivatePostgres(options);
    await applyMigrations(postgres.url);
    const api = await startTestApi(environment, { DATABASE_URL: postgres.url });
    try {
      const account = await registerAndLogIn(api.client);
      await killed(postgres);
      const refused = await waitFor(async () => {
        const answer = await account.client.get('/account/user');
        return answer.status !== 200 && answer;
      });
      expect([refused.status, refused.body]).toEqual([
        503,
        { status: 503, error: 'The service is temporarily unavailable' },
      ]);
      expect(refused.headers.get('retry-after')).toBe('1');
      const line = environment.logLines.find((text) => text.includes('database unavailable'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', reason: expect.any(String) });
      expect((await account.client.post('/account/user', { name: 'x' })).status).toBe(503);
      const unready = await api.client.get('/readyz');
      expect([unready.status, unready.body.database]).toEqual([503, 'down']);
      await waitFor(async () => {
        const { details } = (await api.client.get('/readyz')).body;
        return Object.values(details).every((figure) => figure === 'unknown');
      });
      expect((await api.client.get('/healthz')).status).toBe(200);

      postgres = await startPrivatePostgres({ ...options, port: postgres.port });
      await waitFor(async () => (await api.client.get('/readyz')).status === 200);
      expect((await account.client.get('/account/user')).status).toBe(200);
    } finally {
      await api.close();
      await postgres.stop();
    }
  });

  it('a start waits until it is there', async () => {
    const options = { dataDir: path.join(environment.folder, 'late-postgres') };
    let postgres = await startPrivatePostgres(options);
    await applyMigrations(postgres.url);
    // A start waits for some seconds, in which PostgreSQL starts unless the machine stands still.
    await unlessStandingStill(async () => {
      await killed(postgres);
      environment.logLines.splice(0);
      const starting = startTestApi(environment, { DATABASE_URL: postgres.url });
      starting.catch(() => undefined); // awaited below
      await waitFor(() => environment.logLines.some((line) => line.includes('waiting for PostgreSQL')));
      postgres = await startPrivatePostgres({ ...options, port: postgres.port });
      const api = await starting;
      expect((await api.client.get('/readyz')).status).toBe(200);
      await api.close();
    }, environment.database);
    await postgres.stop();
  });
});
