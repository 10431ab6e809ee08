import { expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, expectSoon, withConsole } from '#testing/console.js';
import { deferred } from '#testing/deferred.js';
import { openTestBusiness } from '#testing/test-business.js';

const consoles = withConsole();

/** A browser that is logged in to a ledger with bets, and has no page. */
async function openBrowser(): Promise<BrowserContext> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  await business.match('ann', 'bob', 10, 2.5);
  const { context, page } = await consoles.open({ account: business.account, path: '/get-started' });
  await page.close();
  return context;
}

/** What a page asks the API for, but for the stream, which is open as long as the page is. */
const isAsked = ({ pathname }: URL): boolean => pathname.startsWith('/api/') && !pathname.endsWith('/stream');
const addressOf = ({ pathname, search }: URL): string => pathname + search;
const announcedIn = (link = ''): string[] => [...link.matchAll(/<(\/api\/[^>]*)>/g)].map(([, address = '']) => address);

const figures = (page: Page) => page.locator('dl.figures dd').allTextContents();

describeInBrowser('the first view of Overview', () => {
  it('asks for everything before anything is answered, and for what the server lets browsers ask for at once', async () => {
    const page = await (await openBrowser()).newPage();
    const asked: string[] = [];
    const released = deferred();
    await page.route(isAsked, async (route) => {
      asked.push(addressOf(new URL(route.request().url())));
      await released.promise;
      await route.continue();
    });
    // Without the header, so that all requests are those of the script.
    let announced: readonly string[] = [];
    await page.route(`${consoles.url}/`, async (route) => {
      const response = await route.fetch();
      const { link, ...headers } = response.headers();
      announced = announcedIn(link);
      await route.fulfill({ response, headers });
    });
    await page.goto(`${consoles.url}/`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expectSoon(async () => asked.toSorted(), announced.toSorted());
    expect(announced.length).toBeGreaterThan(5);
    released.resolve();
    await expectSoon(() => page.locator('.waiting').count(), 0);
    await page.getByText('in 1 bets').waitFor();
    expect(asked.toSorted()).toEqual(announced.toSorted());
  });

  it('asks for each of them once, though the browser has asked before the script', async () => {
    const context = await openBrowser();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (isAsked(url)) asked.push(addressOf(url));
    });
    const answer = await page.goto(`${consoles.url}/`);
    await expectSoon(() => page.locator('.waiting').count(), 0);
    expect((await figures(page)).length).toBeGreaterThan(7);
    expect(asked.toSorted()).toEqual(announcedIn(answer?.headers().link).toSorted());
  });

  it('says when the console does not answer, and goes on when it does', async () => {
    const page = await (await openBrowser()).newPage();
    await page.route('**/session', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${consoles.url}/`);
    await page.getByText('The console does not answer.').waitFor();
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('shows each figure as it comes, and waits for none', async () => {
    const page = await (await openBrowser()).newPage();
    const released = deferred();
    await page.route(isAsked, async (route) => {
      if (route.request().url().includes('/reconciliation')) await released.promise;
      await route.continue();
    });
    await page.goto(`${consoles.url}/`);
    await page.getByText('in 1 bets').waitFor();
    await page.getByRole('heading', { name: 'Newest events' }).waitFor();
    await page.getByText('offer.matched').waitFor();
    expect(await page.getByText('Balances of all users').count()).toBe(0);
    released.resolve();
    await page.getByText('Balances of all users').waitFor();
    await page.getByText('has not run yet').waitFor();
  });
});
