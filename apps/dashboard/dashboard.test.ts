import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type Credential, registerAndLogIn, type TestClient } from '#testing/client.js';
import { logInAtDashboard } from '#testing/dashboard-session.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { samplesIn } from '#testing/metrics.js';
import { startTestApi, startTestDashboard, type TestPart } from '#testing/parts.js';

let environment: TestEnvironment;
let api: TestPart;
let dashboard: TestPart;
let admin: TestClient;
let stranger: TestClient;
let redis: Redis;
/** Of an admin, in the forms that the API takes, or none. */
let credentials: Credential[];

beforeAll(async () => {
  environment = await createTestEnvironment();
  api = await startTestApi(environment);
  dashboard = await startTestDashboard(environment);
  stranger = dashboard.client;
  const owner = await registerAndLogIn(api.client);
  await environment.database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1`, [owner.email]);
  credentials = [
    { base64: Buffer.from(`${owner.email}:${owner.password}`).toString('base64') },
    { token: owner.token },
    undefined,
  ];
  admin = await logInAtDashboard(stranger, owner);
  redis = new Redis(environment.redisUrl, { maxRetriesPerRequest: null });
});

afterAll(async () => {
  redis?.disconnect();
  await dashboard?.close();
  await api?.close();
  await environment?.close();
});

const paths = ['/', '/api/queues', '/static/favicon-32x32.png', '/healthz', '/queue/mail', '/nowhere'];

describe('the dashboard', () => {
  it.each(paths)('refuses all requests without the session of an admin: %s', async (path) => {
    for (const credential of credentials) {
      const answer = await stranger.as(credential).get(path);
      expect([answer.status, answer.body.error]).toEqual([401, 'Log in first']);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await fetch(`${stranger.baseUrl}${path}`, { headers, redirect: 'manual' });
      expect([page.status, page.headers.get('location')]).toEqual([303, '/login']);
    }
  });

  it('refuses actions without a session, too', async () => {
    expect((await stranger.call('PUT', '/api/queues/mail/pause')).status).toBe(401);
    const headers = { Cookie: 'ledger-session=1.invented' };
    expect((await stranger.call('PUT', '/api/queues/mail/pause', { headers })).status).toBe(401);
  });

  it('shows an admin the page and the queues', async () => {
    const page = await admin.get('/');
    expect(page.status).toBe(200);
    expect(page.body).toContain('Betting Ledger');
    expect(page.body).toContain('"url":"/logout"');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self';style-src 'self' 'unsafe-inline'");
    expect(policy).toContain("object-src 'none';base-uri 'self';form-action 'self';frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    const { body } = await admin.get('/api/queues');
    expect(body.queues.map(({ name }: { name: string }) => name).sort()).toEqual([
      'cancellation',
      'exports',
      'mail',
      'maintenance',
      'portfolio',
      'settlement',
      'webhooks',
    ]);
  });

  it('counts its requests, and serves metrics without the gate', async () => {
    await admin.get('/queue/mail?page=2');
    const { body } = await dashboard.client.get('/metrics');
    const routes = samplesIn(body).flatMap(({ labels }) => labels.route ?? []);
    expect(routes).toContain('/api/queues');
    expect(routes.filter((route) => /mail|page/.test(route))).toEqual([]);
  });

  it('lets an admin act from its own page, and no other site', async () => {
    const queue = new Queue('mail', { connection: redis, prefix: environment.redisPrefix });
    const act = (action: string, headers: Record<string, string>) =>
      admin.call('PUT', `/api/queues/mail/${action}`, { headers });
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

  it.each(['/', '/queue/mail', '/login', '/logout'])('asks no other host for anything: %s', async (path) => {
    const { status, body } = await admin.get(path);
    expect(status).toBe(200);
    const links = [...String(body).matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => /^(?:\w+:)?\/\//.test(link))).toEqual([]);
    expect(body).not.toMatch(/googleapis|gstatic/);
  });
});
