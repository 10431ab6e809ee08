import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type Credential, type LoggedIn, registerAndLogIn, type TestClient } from '#testing/client.js';
import { logInAtConsole, withConsoleServer } from '#testing/console-session.js';
import { samplesIn } from '#testing/metrics.js';
import { startTestDashboard } from '#testing/parts.js';
import { addFactor } from '#testing/second-factor.js';
import { waitFor } from '#testing/wait-for.js';

const { environment, api, console: dashboard } = withConsoleServer();
let admin: TestClient;
let business: TestClient;
let stranger: TestClient;
let redis: Redis;
/** Of an admin, in the forms that the API takes, or none. */
let credentials: Credential[];

const setRole = (email: string, role: string) =>
  environment.database.query('UPDATE accounts SET role = $2 WHERE email = $1', [email, role]);

async function newAdmin(): Promise<LoggedIn> {
  const account = await registerAndLogIn(api.client);
  await setRole(account.email, 'admin');
  return account;
}

afterAll(() => redis?.disconnect());

beforeAll(async () => {
  stranger = dashboard.client;
  const owner = await newAdmin();
  credentials = [
    { base64: Buffer.from(`${owner.email}:${owner.password}`).toString('base64') },
    { token: owner.token },
    undefined,
  ];
  admin = await logInAtConsole(stranger, owner);
  business = await logInAtConsole(stranger, await registerAndLogIn(api.client));
  redis = new Redis(environment.redisUrl, { maxRetriesPerRequest: null });
});

const paths = ['', '/api/queues', '/static/favicon-32x32.png', '/healthz', '/queue/mail', '/nowhere'];

describe('the queues', () => {
  it.each(paths)('refuse all requests without the session of an admin: %s', async (path) => {
    for (const credential of credentials) {
      const answer = await stranger.as(credential).get(`/queues${path}`);
      expect([answer.status, answer.body.error]).toEqual([401, 'Log in first']);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await fetch(`${stranger.baseUrl}/queues${path}`, { headers, redirect: 'manual' });
      expect([page.status, page.headers.get('location')]).toEqual([303, '/']);
    }
    const refused = await business.get(`/queues${path}`);
    expect([refused.status, refused.body]).toEqual([
      403,
      { status: 403, error: 'Only owners of an admin account may do this' },
    ]);
  });

  it('refuse actions without a session, too', async () => {
    expect((await stranger.call('PUT', '/queues/api/queues/mail/pause')).status).toBe(401);
    const headers = { Cookie: `console=${'x'.repeat(43)}` };
    expect((await stranger.call('PUT', '/queues/api/queues/mail/pause', { headers })).status).toBe(401);
    expect((await business.call('PUT', '/queues/api/queues/mail/pause')).status).toBe(403);
  });

  it('are shown to an admin', async () => {
    const page = await admin.get('/queues');
    expect(page.status).toBe(200);
    expect(page.body).toContain('Betting Ledger');
    expect(page.body).toContain('"url":"/"');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self';style-src 'self' 'unsafe-inline'");
    expect(policy).toContain("object-src 'none';base-uri 'self';form-action 'self';frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    const { body } = await admin.get('/queues/api/queues');
    expect(body.queues.map(({ name }: { name: string }) => name).sort()).toEqual([
      'cancellation',
      'exports',
      'mail',
      'maintenance',
      'portfolio',
      'previews',
      'sandboxes',
      'settlement',
      'webhooks',
    ]);
  });

  it('answer any number of requests of one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { host } = new URL(stranger.baseUrl);
    const headers = { ...admin.headers, host };
    const ports = new Set<unknown>();
    for (let count = 0; count < 40; count += 1) {
      const request = get(`${stranger.baseUrl}/queues/api/queues`, { agent, headers });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      ports.add(answer.socket.localPort);
      await once(answer.resume(), 'end');
    }
    agent.destroy();
    expect(ports.size).toBe(1);
  });

  it('close at once with the role, and with a suspension', async () => {
    const former = await newAdmin();
    const browser = await logInAtConsole(stranger, former);
    const chief = await newAdmin();
    const statusAfter = async (change: object) => {
      const rows = await environment.database.query('SELECT id FROM accounts WHERE email = $1', [former.email]);
      expect((await chief.client.patch(`/admin/accounts/${rows[0]?.id}`, change)).status).toBe(200);
      return (await browser.get('/queues/api/queues')).status;
    };
    expect((await browser.get('/queues/api/queues')).status).toBe(200);
    expect(await statusAfter({ role: 'business' })).toBe(403);
    expect(await statusAfter({ role: 'admin' })).toBe(200);
    const setPerson = (role: string) =>
      environment.database.query('UPDATE operators SET role = $2 WHERE email = $1', [former.email, role]);
    const becomes = (status: number) =>
      waitFor(async () => (await browser.get('/queues/api/queues')).status === status || undefined);
    await setPerson('settler');
    await becomes(403);
    await setPerson('owner');
    await becomes(200);
    expect(await statusAfter({ status: 'suspended' })).toBe(403);
  });

  it('need the second factor of an admin in production', async () => {
    const settings = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:9', APP_URL: 'https://ledger.test' };
    const more = { METRICS_TOKEN: 'a token of this test', API_URL: api.client.baseUrl };
    const production = await startTestDashboard(environment, { ...settings, ...more });
    const chief = await newAdmin();
    const browser = await logInAtConsole(production.client, chief);
    const refused = await browser.get('/queues/api/queues');
    expect([refused.status, refused.body]).toEqual([403, { status: 403, error: 'Second factor required' }]);
    await addFactor(chief.client, chief);
    expect((await browser.get('/queues/api/queues')).status).toBe(200);
    await production.close();
  });

  it('let an admin act from their own page, and no other site', async () => {
    const queue = new Queue('mail', { connection: redis, prefix: environment.redisPrefix });
    const act = (action: string, headers: Record<string, string>) =>
      admin.call('PUT', `/queues/api/queues/mail/${action}`, { headers });
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
});

describe('an admin who acts on a queue', () => {
  const MISSING = 'mail/nothing';
  // Of every kind; a job that does not exist has its event too.
  const actions: [method: string, path: string, told: object][] = [
    ['PUT', 'pause', { action: 'pause', queue: null, job: null }],
    ['PUT', 'resume', { action: 'resume', queue: null }],
    ['PUT', 'mail/pause', { action: 'pause', queue: 'mail', job: null, state: null }],
    ['PUT', 'mail/resume', { action: 'resume', queue: 'mail' }],
    ['PUT', 'mail/retry/failed', { action: 'retry', queue: 'mail', job: null, state: 'failed' }],
    ['PUT', 'mail/clean/completed', { action: 'clean', queue: 'mail', state: 'completed' }],
    ['PUT', 'mail/promote', { action: 'promote', queue: 'mail' }],
    ['PUT', 'mail/empty', { action: 'empty', queue: 'mail' }],
    ['PUT', 'mail/rate-limit/release', { action: 'rate-limit/release', queue: 'mail' }],
    ['PUT', `${MISSING}/retry`, { action: 'retry', queue: 'mail', job: 'nothing' }],
    ['PUT', `${MISSING}/promote`, { action: 'promote', job: 'nothing' }],
    ['PUT', `${MISSING}/clean`, { action: 'clean', job: 'nothing' }],
    ['PATCH', `${MISSING}/update-data`, { action: 'update-data', job: 'nothing' }],
    ['PATCH', `${MISSING}/priority`, { action: 'priority', job: 'nothing' }],
    ['PUT', 'mail/job-schedulers/daily/remove', { action: 'job-schedulers/remove', scheduler: 'daily' }],
    ['PUT', 'mail/retry/clean', { action: 'retry', queue: 'mail', job: null, state: 'clean' }],
  ];

  it('leaves an event with the action, the queue and the job, of every kind of action', async () => {
    const chief = await newAdmin();
    const browser = await logInAtConsole(stranger, chief);
    const queue = new Queue('mail', { connection: redis, prefix: environment.redisPrefix });
    const { id } = await queue.add('later', {}, { delay: 3_600_000 });
    expect((await browser.call('PUT', `/queues/api/queues/mail/${id}/clean`)).status).toBe(204);
    expect(await queue.getJob(String(id))).toBeUndefined();
    for (const [method, path] of actions) await browser.call(method, `/queues/api/queues/${path}`, { body: {} });
    await browser.get('/queues/api/queues');
    const { body } = await chief.client.get('/account-events?type=queue-action&per_page=100');
    const told = [{ action: 'clean', queue: 'mail', job: String(id) }, ...actions.map(([, , after]) => after)];
    expect(body.data.map(({ after }: { after: object }) => after)).toMatchObject(told);
    for (const event of body.data) {
      const actor = { type: 'admin', name: chief.name };
      expect(event).toMatchObject({ actor, address: '127.0.0.1', request_id: expect.any(String) });
    }
    await queue.close();
  });

  it('does nothing that no event can tell', async () => {
    const queue = new Queue('mail', { connection: redis, prefix: environment.redisPrefix });
    await environment.database.query('ALTER TABLE account_events RENAME TO account_events_away');
    expect((await admin.call('PUT', '/queues/api/queues/mail/pause')).status).toBe(500);
    await environment.database.query('ALTER TABLE account_events_away RENAME TO account_events');
    expect(await queue.isPaused()).toBe(false);
    expect((await admin.call('PUT', '/queues/api/queues/mail/%00/retry')).status).toBe(400);
    await queue.close();
  });
});

describe('the dashboard', () => {
  it('counts its requests, and serves metrics without the gate', async () => {
    await admin.get('/queues/queue/mail?page=2');
    await admin.get('/api/wagers?page=2');
    const { body } = await stranger.get('/metrics');
    const routes = samplesIn(body).flatMap(({ labels }) => labels.route ?? []);
    expect(routes).toEqual(expect.arrayContaining(['/queues/api/queues', '/api/*path']));
    expect(routes.filter((route) => /mail|page|wagers/.test(route))).toEqual([]);
  });

  it.each(['/', '/queues', '/queues/queue/mail', '/wagers/anything'])(
    'asks no other host for anything: %s',
    async (path) => {
      const { status, body } = await admin.get(path);
      expect(status).toBe(200);
      const links = [...String(body).matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(0);
      expect(links.filter((link) => /^(?:\w+:)?\/\//.test(link))).toEqual([]);
      expect(body).not.toMatch(/googleapis|gstatic/);
    },
  );
});
