import { beforeAll, describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { logInAtConsole, postSession } from '#testing/console-session.js';
import { codeIn, linkTokenIn, mailsInFolder, waitForMail } from '#testing/mails.js';
import { startTestApi, startTestDashboard, startTestWorker, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

const environment = withTestEnvironment(async () => {
  await worker?.close();
  await dashboard?.close();
  await api?.close();
});
let api: TestPart;
let dashboard: TestPart;
let worker: Awaited<ReturnType<typeof startTestWorker>>;

const METRICS_TOKEN = 'token-of-the-metrics';

beforeAll(async () => {
  api = await startTestApi(environment, { METRICS_TOKEN });
  dashboard = await startTestDashboard(environment, { METRICS_TOKEN, API_URL: api.client.baseUrl });
  worker = await startTestWorker(environment, { METRICS_TOKEN, WORKER_METRICS_PORT: '0' });
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

/** The log line of the request with this id, once it is written. */
function lineOf(id: string): Promise<Record<string, unknown>> {
  return waitFor(() => {
    const lines = environment.logLines.map((line) => JSON.parse(line)).filter((line) => line.id === id);
    expect(lines.length).toBeLessThanOrEqual(1);
    return lines[0];
  });
}

describe('the access log', () => {
  it('says what was asked, by whom, and how it ended', async () => {
    const { client } = await registerAndLogIn(api.client);
    await client.post('/account/user', { name: 'Ann', reference: 'ann' });
    const { id, account_id } = (await client.get('/account/user/ann/reference')).body.data;
    await client.get(`/account/user/${id}?page=1`, { headers: { 'X-Request-Id': 'by-id', traceparent } });
    expect(await lineOf('by-id')).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      method: 'GET',
      path: `/account/user/${id}`,
      route: '/account/user/:userId',
      status: 400,
      ms: expect.any(Number),
      account_id,
      trace_id: TRACE,
      msg: 'request',
    });
  });

  it('leaves out what is not known', async () => {
    await api.client.get('/nowhere', { headers: { 'X-Request-Id': 'unknown', traceparent: 'nonsense' } });
    const line = await lineOf('unknown');
    expect(line).toMatchObject({ method: 'GET', path: '/nowhere', status: 404 });
    for (const field of ['route', 'account_id', 'trace_id']) expect(line).not.toHaveProperty(field);
  });
});

describe('secrets', () => {
  it('are in no log line and in no metric, right or wrong', async () => {
    const account = await registerAndLogIn(api.client);
    const { client, email, password, token } = account;
    const { api_key, api_secret, base64_encoded } = (await client.post('/auth/account/generate-keys')).body.data;
    await api.client.as({ base64: base64_encoded }).get('/account/user');
    const readMails = () => mailsInFolder(`${environment.folder}/mail`);
    const link = linkTokenIn(await waitForMail(readMails, { to: email, subject: 'Confirm your e-mail address' }));
    await api.client.get(`/auth/account/verify-email?token=${link}`);
    await api.client.post('/auth/account/forgot-password', { email });
    const code = codeIn(await waitForMail(readMails, { to: email, subject: 'Your password reset code' }));
    const wrong = { email, token: '00000000', password: 'newer horse', password_confirmation: 'newer horse' };
    await api.client.post('/auth/account/create-password-for-forgot-password', { ...wrong, token: code, extra: code });
    await api.client.post('/auth/account/create-password-for-forgot-password', wrong);
    await api.client.post('/auth/login/account', { email, password: 'guessed horse' });
    await api.client.post('/auth/login/account', `{"email":"${email}","password":"broken horse`);
    await client.post('/bets/make-offer', { authorization: 'hidden horse', requesting_odds: 'hidden horse' });
    await postSession(dashboard.client, { email, password: `${password} broken horse` });
    const browser = await logInAtConsole(dashboard.client, { email, password });
    const { Cookie: session = '' } = browser.headers;
    await browser.get('/api/wagers');
    const scraper = { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } };
    const ports = [api.client.baseUrl, dashboard.client.baseUrl, `http://127.0.0.1:${worker.metricsPort}`];
    const pages = await Promise.all(ports.map(async (base) => (await fetch(`${base}/metrics`, scraper)).text()));
    expect(pages.every((page) => page.includes('ledger_process_start_time_seconds'))).toBe(true);

    const output = `${environment.logLines.join('')}${pages.join('')}`;
    const secrets = { token, api_key, api_secret, base64_encoded, password, link, code, METRICS_TOKEN, email, session };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length).toBeGreaterThanOrEqual(8);
      expect({ [name]: output.includes(secret) }).toEqual({ [name]: false });
    }
    for (const text of ['horse', 'Bearer ', 'Basic ']) expect(output).not.toContain(text);
  });
});
