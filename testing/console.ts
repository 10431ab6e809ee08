import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { freePort } from '#tools/services/free-port.js';
import { hasBrowser, launchBrowser } from './browser.js';
import { type LoggedIn, registerAndLogIn } from './client.js';
import { isDocumented } from './documented-routes.js';
import { createTestEnvironment, type TestEnvironment } from './environment.js';
import { mailsInFolder, waitForMail } from './mails.js';
import { startTestApi, startTestDashboard, startTestWorker, type TestPart } from './parts.js';
import type { MailTo } from './people.js';
import { waitFor } from './wait-for.js';

// The console in a real browser, on an API, a worker, a PostgreSQL and a Redis of the test's own.

/** `describe`, and skipped where there is no browser. */
export const describeInBrowser = (name: string, tests: () => void): void =>
  (hasBrowser ? describe : describe.skip)(name, tests);

/** A page waits so long for what a test expects of it. */
const PATIENCE_MS = 60_000;
/** A look into a page takes the processor from it. */
const LOOK_EVERY_MS = 100;
/** Chromium's own line for each answer from 400 on: the console shows such answers itself. */
const REFUSED_ANSWER = /^Failed to load resource: the server responded with a status of \d{3}/;

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

export interface OpenOptions {
  readonly path?: string;
  /** A new one unless given; null for a browser without a session. */
  readonly account?: LoggedIn | null;
  readonly browser?: BrowserContextOptions;
}

export interface OpenedConsole {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly account: LoggedIn;
}

export interface ConsoleFixture {
  readonly environment: TestEnvironment;
  /** The console's address. */
  readonly url: string;
  readonly api: TestPart;
  /** A page of a browser of its own, logged in. */
  open(options?: OpenOptions): Promise<OpenedConsole>;
  /** One more tab of the same browser. */
  openTab(context: BrowserContext, path?: string): Promise<Page>;
  newAccount(role?: 'business' | 'admin'): Promise<LoggedIn>;
  /** The newest mail with this subject to the person, as soon as there are `count` of them. */
  readonly mailTo: MailTo;
  stopApi(): Promise<void>;
  stopWorker(): Promise<void>;
  /** At the address that it had. */
  startApi(): Promise<void>;
  /** Axe finds nothing, light and dark. */
  expectAccessible(page: Page): Promise<void>;
  /** What pages complained about so far. A test that causes complaints empties it. */
  readonly complaints: string[];
}

interface Running {
  environment: TestEnvironment;
  api: TestPart | undefined;
  apiUrl: string;
  worker: { close(): Promise<void> };
  dashboard: TestPart;
  browser: Browser;
}

type Settings = Record<string, string>;

async function start(settings: Settings): Promise<Running> {
  const environment = await createTestEnvironment();
  const [api, worker, browser] = await Promise.all([
    // Not a port of outgoing connections: one of them could take it while the API is stopped.
    startTestApi(environment, { ...settings, PORT: String(await freePort()) }),
    startTestWorker(environment, settings),
    launchBrowser(),
  ]);
  const apiUrl = api.client.baseUrl;
  const dashboard = await startTestDashboard(environment, { ...settings, API_URL: apiUrl });
  return { environment, api, apiUrl, worker, dashboard, browser };
}

/** Of the console's own page, and of the API what it documents. */
function isExpected(request: Request, url: string): boolean {
  if (/^(?:data|blob|about):/.test(request.url())) return true;
  const { origin, pathname } = new URL(request.url());
  if (origin !== url) return false;
  return !pathname.startsWith('/api/') || isDocumented(request.method(), pathname.slice('/api'.length));
}

/** Notes errors, violations of the content security policy, and requests to other hosts or undocumented routes. */
async function watch(context: BrowserContext, url: string, complaints: string[]): Promise<void> {
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on('page', (page) => {
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !REFUSED_ANSWER.test(message.text())) {
        complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
    page.on('request', (request) => {
      if (!isExpected(request, url)) complaints.push(`a request: ${request.method()} ${request.url()}`);
    });
  });
}

const ALL_RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The schemes differ in their colours alone. */
const COLOURS = { type: 'rule', values: ['color-contrast'] };

/** Reads until it is what is expected, as long as a page waits; the failure shows what was there last. */
export async function expectSoon(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  let found: unknown;
  const isThere = async () => {
    found = await read();
    return isAsExpected(found, expected);
  };
  await waitFor(isThere, { timeoutMs: PATIENCE_MS, pollMs: LOOK_EVERY_MS }).catch((error: unknown) => {
    expect(found).toEqual(expected);
    throw error;
  });
}

function isAsExpected(found: unknown, expected: unknown): boolean {
  try {
    expect(found).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

/** Nothing of the page is wider than its window: only its tables scroll sideways. */
export const expectWidth = async (page: Page, width: number): Promise<void> =>
  expectSoon(
    () => page.evaluate('[document.title, document.documentElement.scrollWidth]'),
    [await page.title(), width],
  );

/** Begins to measure, and answers how many milliseconds of processor time the page's thread has spent since. */
export async function measureThread(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const total = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  const before = await total();
  return async () => (await total()) - before;
}

async function expectAccessible(page: Page): Promise<void> {
  // The page as it is to be read: all that it waits for has come.
  await expectSoon(() => page.locator('.waiting').count(), 0);
  // Once in a document: to compile it costs as much as to use it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  for (const [colorScheme, runOnly] of [['light', ALL_RULES] as const, ['dark', COLOURS] as const]) {
    await page.emulateMedia({ colorScheme });
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
    const found = await page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' at ' + nodes.map(({ html }) => html).join('; ')))`);
    expect([colorScheme, found]).toEqual([colorScheme, []]);
  }
}

/** Starts everything before the tests of this file, and checks after each test that no page complained. */
function registerHooks(settings: Settings, complaints: string[]): () => Running {
  let running: Running;
  if (hasBrowser) {
    beforeAll(async () => {
      running = await start(settings);
    });
    afterEach(async () => {
      await Promise.all(running.browser.contexts().map((context) => context.close()));
      expect(complaints.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await running?.browser.close();
      await running?.dashboard.close();
      await running?.worker.close();
      await running?.api?.close();
      await running?.environment.close();
    });
  }
  return () => running;
}

async function newAccount({ api, environment }: Running, role: 'business' | 'admin'): Promise<LoggedIn> {
  if (api === undefined) throw new Error('the API is stopped');
  const account = await registerAndLogIn(api.client);
  if (role === 'admin') {
    await environment.database.query(`UPDATE accounts SET role = 'admin' WHERE email = $1`, [account.email]);
  }
  return account;
}

/** The browser gets the cookie, as from the form. */
async function logIn({ request }: BrowserContext, url: string, { email, password }: LoggedIn): Promise<void> {
  const answer = await request.post(`${url}/session`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`the log-in answered ${answer.status()}: ${await answer.text()}`);
}

export function withConsole(settings: Settings = {}): ConsoleFixture {
  const complaints: string[] = [];
  const running = registerHooks(settings, complaints);
  const urlOf = ({ dashboard }: Running) => dashboard.client.baseUrl;

  async function openTab(context: BrowserContext, path = '/'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${urlOf(running())}${path}`);
    return page;
  }

  return {
    complaints,
    expectAccessible,
    openTab,
    newAccount: (role = 'business') => newAccount(running(), role),
    mailTo: ({ email: to }, subject, count = 1) =>
      waitForMail(() => mailsInFolder(`${running().environment.folder}/mail`), { to, subject, count }),
    get environment() {
      return running().environment;
    },
    get url() {
      return urlOf(running());
    },
    get api() {
      return running().api as TestPart;
    },
    async open({ path, account, browser = {} } = {}) {
      const context = await running().browser.newContext(browser);
      await watch(context, urlOf(running()), complaints);
      const owner = account ?? (await newAccount(running(), 'business'));
      if (account !== null) await logIn(context, urlOf(running()), owner);
      return { context, account: owner, page: await openTab(context, path) };
    },
    async stopApi() {
      await running().api?.close();
      running().api = undefined;
    },
    async stopWorker() {
      await running().worker.close();
      running().worker = { close: async () => undefined };
    },
    async startApi() {
      const { environment, apiUrl } = running();
      running().api = await startTestApi(environment, { ...settings, PORT: new URL(apiUrl).port });
    },
  };
}
