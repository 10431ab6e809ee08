import { expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, expectSoon, withConsole } from '#testing/console.js';
import { deferred } from '#testing/deferred.js';
import { openTestBusiness } from '#testing/test-business.js';
import { firstRequestsOf } from '../server/first-looks.js';

const consoles = withConsole();

async function openBusiness() {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  return { business, bet: await business.match('ann', 'bob', 10, 2.5) };
}

/** A browser that is logged in to a ledger with bets, and has no page. */
async function openBrowser(opened = openBusiness()): Promise<BrowserContext> {
  const { business } = await opened;
  const { context, page } = await consoles.open({ account: business.account, path: '/get-started' });
  await page.close();
  return context;
}

/** What a page asks the API for, but for the stream, which is open as long as the page is, and the risk, which comes later. */
const isAsked = ({ pathname }: URL): boolean =>
  pathname.startsWith('/api/') && !pathname.endsWith('/stream') && !pathname.startsWith('/api/risk/');
const addressOf = ({ pathname, search }: URL): string => pathname.slice('/api'.length) + search;

/** What the page asks the API for, as it asks. */
function noteAsked(page: Page, isNoted = isAsked): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (isNoted(url)) asked.push(addressOf(url));
  });
  return asked;
}

/** The page comes without data, as after a link of another site. */
const withoutFirstAnswers = (page: Page, path = '/') =>
  page.route(`${consoles.url}${path}`, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace(/<script type="application\/json".*?<\/script>/, '') });
  });

const figures = (page: Page) => page.locator('dl.figures dd').allTextContents();

describeInBrowser('the first view of Overview', () => {
  it('shows what came with the page, and asks for nothing', async () => {
    const page = await (await openBrowser()).newPage();
    await page.route(isAsked, () => undefined); // never answered
    const asked = noteAsked(page);
    // On a busy machine the API may be slower than the page is patient: then the script asks.
    await expectSoon(async () => {
      asked.length = 0;
      await page.goto(`${consoles.url}/`);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      return asked.length;
    }, 0);
    await page.getByText('in 1 bet').waitFor();
    await page.getByText('Balances of all users').waitFor();
    await page.getByText('offer.matched').waitFor();
    await page.getByText('ready').waitFor();
    expect(await page.locator('.waiting').count()).toBe(0);
    expect((await figures(page)).length).toBeGreaterThan(7);
    expect(asked).toEqual([]);
  });

  it('goes on from what came with the page', async () => {
    const business = await openTestBusiness(consoles.api.client);
    await business.user('ann');
    const { page } = await consoles.open({ account: business.account });
    const open = page.locator('dl.figures dd').first();
    await business.make('ann', 10);
    await expectSoon(() => open.textContent(), '1');
    await business.make('ann', 10);
    await expectSoon(() => open.textContent(), '2');
  });

  it('asks for everything at once when the page came without it', async () => {
    const page = await (await openBrowser()).newPage();
    await withoutFirstAnswers(page);
    const asked = noteAsked(page);
    const released = deferred();
    await page.route(isAsked, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(`${consoles.url}/`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expectSoon(async () => asked.toSorted(), firstRequestsOf('/').toSorted());
    released.resolve();
    await expectSoon(() => page.locator('.waiting').count(), 0);
    await page.getByText('in 1 bet').waitFor();
    expect(asked.toSorted()).toEqual(firstRequestsOf('/').toSorted());
  });

  it('says when the console does not answer, and goes on when it does', async () => {
    const page = await (await openBrowser()).newPage();
    await withoutFirstAnswers(page);
    await page.route('**/session', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${consoles.url}/`);
    await page.getByText('The console does not answer.').waitFor();
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('shows each figure as it comes, and waits for none', async () => {
    const page = await (await openBrowser()).newPage();
    await withoutFirstAnswers(page);
    const released = deferred();
    await page.route(isAsked, async (route) => {
      if (route.request().url().includes('/reconciliation')) await released.promise;
      await route.continue();
    });
    await page.goto(`${consoles.url}/`);
    await page.getByText('in 1 bet').waitFor();
    await page.getByRole('heading', { name: 'Newest events' }).waitFor();
    await page.getByText('offer.matched').waitFor();
    expect(await page.getByText('Balances of all users').count()).toBe(0);
    released.resolve();
    await page.getByText('Balances of all users').waitFor();
    await page.getByText('has not run yet').waitFor();
  });
});

const PAGES = [
  ...['/wagers', '/wagers/match', '/risk', '/bets', '/users', '/users/ann', '/events', '/events/1'],
  ...['/approvals', '/people', '/alerts', '/webhooks', '/exports', '/reconciliation', '/access'],
  ...['/account-events', '/display', '/get-started', '/import'],
];

describeInBrowser('the first view of every other page', () => {
  it('comes with the page, by what the page would ask for', async () => {
    const business = openBusiness();
    const context = await openBrowser(business);
    const { bet } = await business;
    for (const path of [...PAGES, `/bets/${bet}`]) {
      const needed = firstRequestsOf(path);
      const page = await context.newPage();
      const asked = noteAsked(page, ({ pathname }) => pathname.startsWith('/api/'));
      // Without one, nothing is loaded again.
      await page.route('**/stream?*', () => undefined);
      const askedOf = async () => needed.filter((request) => asked.includes(request));
      await expectSoon(async () => {
        asked.length = 0;
        await page.goto(`${consoles.url}${path}`);
        await page.locator('main h1').waitFor();
        return [path, await askedOf()];
      }, [path, []]);
      await withoutFirstAnswers(page, path);
      await page.reload();
      await expectSoon(async () => [path, await askedOf()], [path, needed]);
      await page.close();
    }
  });
});
