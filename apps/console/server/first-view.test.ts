import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient } from '#testing/client.js';
import { logInAtConsole, withConsoleServer } from '#testing/console-session.js';
import { startTestDashboard, type TestPart } from '#testing/parts.js';
import { openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { firstRequestsOf } from './first-looks.js';

const HOSTILE = '</script><script>alert(1)</script><!--';

const { environment, api, console } = withConsoleServer();
let business: TestBusiness;
let browser: TestClient;

beforeAll(async () => {
  business = await openTestBusiness(api.client);
  await business.user('ann');
  await business.make('ann', 10, 2, { wager_reference: HOSTILE });
  browser = await logInAtConsole(console.client, business.account);
});

const ELEMENT = /<script type="application\/json" id="first-view">(.*?)<\/script>/;

async function pageAt(client: TestClient, path: string) {
  const { status, headers, body } = await client.get(path);
  const [element = '', data] = ELEMENT.exec(body) ?? [];
  const html = String(body).replace(element, '');
  return { status, headers, html, data: data === undefined ? undefined : JSON.parse(data) };
}

/** Overview with all answers: a busy machine may be slower than the page is patient. */
const wholeOverview = (client: TestClient) =>
  waitFor(async () => {
    const page = await pageAt(client, '/');
    return Object.keys(page.data?.answers ?? {}).length === firstRequestsOf('/').length ? page : undefined;
  });

describe('what comes with a page', () => {
  it('is the session and, on Overview, the answers of the API with their position and their time', async () => {
    const { data, headers } = await wholeOverview(browser);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(data.session).toEqual((await browser.get('/session')).body.session);
    expect(Object.keys(data.answers)).toEqual(firstRequestsOf('/'));
    for (const [path, { body, asOf, date }] of Object.entries<Record<string, string>>(data.answers)) {
      const answer = await business.account.client.get(path);
      expect([path, body, asOf]).toEqual([path, answer.body, answer.headers.get('ledger-as-of') ?? undefined]);
      expect(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.parse(date ?? ''))).toBeLessThan(60_000);
    }
  });

  it('is the session alone on other pages, and leaves the page as it is', async () => {
    const [first, other] = [await pageAt(browser, '/'), await pageAt(browser, '/wagers/x')];
    expect([other.status, other.data]).toEqual([200, { session: first.data.session, answers: {} }]);
    expect([first.html, other.html]).toEqual([other.html, (await console.client.get('/')).body]);
  });

  it('ends no element, whatever a text of a bettor says', async () => {
    const { data, html } = await wholeOverview(browser);
    expect(JSON.stringify(data)).toContain(HOSTILE);
    expect(html).toBe((await console.client.get('/')).body);
  });

  it('is nothing once the token of the session is revoked', async () => {
    const other = await openTestBusiness(api.client);
    const visitor = await logInAtConsole(console.client, other.account);
    const { data } = await pageAt(visitor, '/wagers');
    expect(data.session.account.email).toBe(other.account.email);
    await visitor.post('/api/auth/logout/account', {});
    expect(await pageAt(visitor, '/')).toMatchObject({ status: 200, data: undefined });
  });

  it('is not asked for by HEAD', async () => {
    const answer = await fetch(`${console.client.baseUrl}/`, { method: 'HEAD', headers: browser.headers });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '',
    ]);
  });

  it('is nothing without a session of one’s own', async () => {
    for (const Cookie of ['', 'other=1', `console=${'x'.repeat(43)}`]) {
      const { status, data } = await pageAt(console.client.with({ Cookie }), '/');
      expect([Cookie, status, data]).toEqual([Cookie, 200, undefined]);
    }
    const other = await openTestBusiness(api.client);
    const { data } = await wholeOverview(await logInAtConsole(console.client, other.account));
    expect(data.session.account.name).toBe((await other.account.client.get('/auth/account/me')).body.data.name);
    expect(JSON.stringify(data)).not.toContain('alert');
  });
});

/** A server in place of the API, which is slower than the API is. */
describe('with a slow API', () => {
  let upstream: Server;
  let lonely: TestPart;
  let answer: (url: string, response: ServerResponse) => void;

  beforeAll(async () => {
    upstream = createServer((request, response) => answer(request.url ?? '', response));
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port } = upstream.address() as AddressInfo;
    lonely = await startTestDashboard(environment, { API_URL: `http://127.0.0.1:${port}` });
  });

  afterAll(async () => {
    await lonely?.close();
    upstream?.closeAllConnections();
    upstream?.close();
  });

  it('a page comes soon, with the answers that are there', async () => {
    const visitor = lonely.client.with(browser.headers);
    const hasEnded: Promise<unknown>[] = [];
    answer = (url, response) => {
      if (url === '/account/health') response.end('{"data":{}}');
      else if (url.startsWith('/bets')) response.end(JSON.stringify({ data: 'x'.repeat(100_000) }));
      else if (url.startsWith('/events?')) response.writeHead(503).end('{}');
      else if (url.startsWith('/reconciliation')) response.end('no JSON');
      else hasEnded.push(once(response, 'close'));
    };
    const since = performance.now();
    const { status, data } = await waitFor(async () => {
      const page = await pageAt(visitor, '/');
      return page.data && page;
    });
    expect(performance.now() - since).toBeLessThan(10_000);
    expect([status, Object.keys(data.answers)]).toEqual([200, ['/bets/open-bets?per_page=1', '/account/health']]);
    expect(data.session.account.email).toBe(business.account.email);
    // Nobody waits for the others any more.
    expect(hasEnded.length).toBeGreaterThanOrEqual(3);
    await Promise.all(hasEnded);
  });
});
