import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import {
  inventAccount,
  type LoggedIn,
  register,
  registerAndLogIn,
  type TestAccount,
  type TestClient,
} from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { samplesIn } from '#testing/metrics.js';
import { startTestApi, startTestDashboard, type TestPart } from '#testing/parts.js';

let environment: TestEnvironment;
let api: TestPart;
let dashboard: TestPart;
let admin: LoggedIn;
let business: LoggedIn;
let redis: Redis;

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  dashboard = await startTestDashboard(environment);
  admin = await registerAndLogIn(api.client);
  business = await registerAndLogIn(api.client);
  await environment.database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1`, [admin.email]);
  redis = new Redis(environment.redisUrl, { maxRetriesPerRequest: null });
});

afterAll(async () => {
  redis?.disconnect();
  await dashboard?.close();
  await api?.close();
  await environment?.close();
});

const basic = ({ email, password }: TestAccount): TestClient =>
  dashboard.client.as({ base64: Buffer.from(`${email}:${password}`).toString('base64') });

const paths = ['/', '/api/queues', '/static/favicon-32x32.png', '/healthz', '/queue/mail', '/nowhere'];

describe('the dashboard', () => {
  it.each(paths)('answers nobody without an admin’s e-mail and password: %s', async (path) => {
    const callers = [
      dashboard.client,
      basic(business),
      basic({ ...admin, password: 'wrong password' }),
      dashboard.client.as({ token: admin.token }),
    ];
    for (const caller of callers) {
      const answer = await caller.get(path);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
      expect(JSON.stringify(answer.body)).not.toMatch(/queue|Bull/i);
    }
  });

  it('refuses actions without credentials, too', async () => {
    expect((await dashboard.client.call('PUT', '/api/queues/mail/pause')).status).toBe(401);
    expect((await basic(business).call('PUT', '/api/queues/mail/pause')).status).toBe(401);
  });

  it('shows an admin the page and the queues', async () => {
    const page = await basic(admin).get('/');
    expect(page.status).toBe(200);
    expect(page.body).toContain('Betting Ledger');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self';style-src 'self' 'unsafe-inline'");
    expect(policy).toContain("object-src 'none';base-uri 'self';form-action 'self';frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    const { body } = await basic(admin).get('/api/queues');
    expect(body.queues.map(({ name }: { name: string }) => name).sort()).toEqual([
      'cancellation',
      'mail',
      'maintenance',
      'portfolio',
      'settlement',
    ]);
  });

  it('counts its requests, and serves metrics without the gate', async () => {
    await basic(admin).get('/queue/mail?page=2');
    const { body } = await dashboard.client.get('/metrics');
    const routes = samplesIn(body).flatMap(({ labels }) => labels.route ?? []);
    expect(routes).toContain('/api/queues');
    expect(routes.filter((route) => /mail|page/.test(route))).toEqual([]);
  });

  it('lets an admin act from its own page, and nobody through another site', async () => {
    const queue = new Queue('mail', { connection: redis, prefix: environment.redisPrefix });
    const act = (action: string, headers: Record<string, string>) =>
      basic(admin).call('PUT', `/api/queues/mail/${action}`, { headers });
    const own = dashboard.client.baseUrl;
    // Over plain HTTP browsers send no Sec-Fetch-Site, but the origin.
    const elsewhere = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: own },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: own.replace('127.0.0.1', 'localhost') },
    ];
    for (const headers of elsewhere) expect((await act('pause', headers)).status).toBe(403);
    expect(await queue.isPaused()).toBe(false);
    expect((await act('pause', { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect(await queue.isPaused()).toBe(true);
    expect((await act('resume', { Origin: own })).status).toBe(200);
    expect(await queue.isPaused()).toBe(false);
    await queue.close();
  });

  it('shuts an admin out as soon as the role or the password is gone', async () => {
    const former = await registerAndLogIn(api.client);
    const setRole = (role: string) =>
      environment.database.query('UPDATE accounts SET role = $2 WHERE email = $1', [former.email, role]);
    await setRole('admin');
    expect((await basic(former).get('/api/queues')).status).toBe(200);
    const reset = {
      password: former.password,
      new_password: 'a new password',
      password_confirmation: 'a new password',
    };
    expect((await former.client.post('/auth/account/reset-password', reset)).status).toBe(200);
    expect((await basic(former).get('/api/queues')).status).toBe(401);
    const renewed = { ...former, password: 'a new password' };
    expect((await basic(renewed).get('/api/queues')).status).toBe(200);
    await setRole('business');
    expect((await basic(renewed).get('/api/queues')).status).toBe(401);
  });

  it('takes a password with colons whole', async () => {
    const account = { ...inventAccount(), password: 'a:b:c password' };
    await register(api.client, account);
    await environment.database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1`, [account.email]);
    expect((await basic(account).get('/api/queues')).status).toBe(200);
    for (const password of ['a', 'a:b', 'a:b:c password:more']) {
      expect((await basic({ ...account, password }).get('/api/queues')).status).toBe(401);
    }
  });

  it('stops the guessing of passwords', async () => {
    const guessed = await registerAndLogIn(api.client);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 22; attempt += 1) {
      statuses.push((await basic({ ...guessed, password: 'wrong password' }).get('/')).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });
});
