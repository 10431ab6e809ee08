import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { samplesIn } from '#testing/metrics.js';
import { createUser, offerBatch, ok, openTestBusiness } from '#testing/test-business.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

const consoles = withConsole();

const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' });

/** Streams that the API has open. */
async function openStreams(): Promise<number> {
  const { body } = await consoles.api.client.get('/metrics');
  return samplesIn(body)
    .filter(({ name }) => name === 'ledger_streams_open')
    .reduce((sum, { value }) => sum + value, 0);
}

describeInBrowser('pages of one browser', () => {
  it('share one stream, and hand it on when its tab closes', async () => {
    const { page, context, account } = await consoles.open();
    const tabs = [page];
    for (let count = 1; count < 4; count += 1) tabs.push(await consoles.openTab(context));
    for (const tab of tabs) await overview(tab).waitFor();
    await expectSoon(openStreams, 1);
    await createUser(account.client, { name: 'ann', reference: 'ann' });
    for (const tab of tabs) await tab.getByRole('row', { name: /user\.created.*ann/ }).waitFor();
    await page.close();
    // The next tab gets the lock, and tells the others what happens.
    await createUser(account.client, { name: 'bob', reference: 'bob' });
    for (const tab of tabs.slice(1)) await tab.getByRole('row', { name: /user\.created.*bob/ }).waitFor();
    await expectSoon(openStreams, 1);
  });
});

describeInBrowser('a page of another account', () => {
  it('is not live while the stream of that account is silent', async () => {
    const business = await openTestBusiness(consoles.api.client);
    await business.user('ann');
    ok(await business.make('ann', 10));
    const { id } = business.account;
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin });
    const stream = `**/api/events/stream?*account_id=${id}*`;
    await page.route(stream, () => undefined);
    await page.goto(`${consoles.url}/wagers/match?account=${id}`);
    await page.getByText(/Not live since/).waitFor();
    await page.unroute(stream);
    await page.getByText(/Not live since/).waitFor({ state: 'hidden' });
  });

  it('has one stream of its events, which all parts of the page follow', async () => {
    const business = await openTestBusiness(consoles.api.client);
    for (const user of ['ann', 'bob']) await business.user(user);
    await business.match('ann', 'bob', 10, 2);
    const { id } = business.account;
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin });
    const opened: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (searchParams.has('account_id') && pathname.endsWith('/stream')) opened.push(pathname);
    });
    await page.goto(`${consoles.url}/wagers/match?account=${id}`);
    await page.locator('.figures').getByText('open', { exact: true }).waitFor();
    await page.getByLabel('If the result is').selectOption('loss');
    await page.getByText('ann pays bob', { exact: false }).waitFor();
    ok(await business.decide('win'));
    await page.locator('.figures').getByText('settled', { exact: true }).waitFor();
    expect(opened.sort()).toEqual(['/api/events/stream', '/api/wagers/match/book/stream']);
    await page.getByRole('link', { name: 'Wagers', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Wagers', exact: true }).waitFor();
    expect(page.url()).toBe(`${consoles.url}/wagers?account=${id}`);
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Users', exact: true }).waitFor();
    // That of the admin's own account, and that of the other one, whose pages these are.
    await expectSoon(openStreams, 2);
  });
});

/** How often a page requests each address. Addresses that differ only in `after` or `cursor` count as one. */
function countRequests(page: Page): Map<string, number> {
  const counts = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    for (const name of ['after', 'cursor']) searchParams.delete(name);
    const address = `${pathname}?${searchParams}`;
    if (pathname.startsWith('/api/')) counts.set(address, (counts.get(address) ?? 0) + 1);
  });
  return counts;
}

describeInBrowser('pages of a busy account', () => {
  it('load each answer at most once a second while offers are made, and show the last state', async () => {
    const business = await openTestBusiness(consoles.api.client);
    await business.user('ann', 1_000_000);
    ok(await business.make('ann', 1));
    const { account, client } = business;
    const paths = ['/', '/users/ann', '/wagers/match', '/events?types=wager.*'];
    const opened = await Promise.all(paths.map((path) => consoles.open({ account, path })));
    const pages = opened.map(({ page }) => page);
    for (const page of pages) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectSoon(() => page.locator('.waiting').count(), 0);
    }
    const counts = pages.map(countRequests);
    const begunAt = Date.now();
    while (Date.now() - begunAt < 5_000) {
      const batches = Array.from({ length: 2 }, () => client.post('/bets/batch', offerBatch('ann', 'match')));
      for (const answer of await Promise.all(batches)) ok(answer);
    }
    const most = (Date.now() - begunAt) / 1_000 + 2;
    const tooOften = counts.flatMap((asked) => [...asked].filter(([, count]) => count > most));
    expect(tooOften).toEqual([]);
    const { total } = ok(await client.get('/bets/open-bets?per_page=1'), 200) as unknown as { total: number };
    const shown = total.toLocaleString('en-US').replaceAll(',', ' ');
    await pages[0]?.locator('.figures').getByText(shown, { exact: true }).waitFor();
    await pages[1]?.locator('.figures').getByText(`${shown}.00`, { exact: true }).first().waitFor();
    await pages[2]?.locator('.figures').getByText(`in ${shown} offers`, { exact: true }).waitFor();
    expect(total).toBeGreaterThan(100);
  });
});

describeInBrowser('a page that the API does not answer', () => {
  it('says so once, shows what it knows, and goes on by itself', async () => {
    const business = await openTestBusiness(consoles.api.client);
    await business.user('ann');
    const { page: known, context } = await consoles.open({ account: business.account });
    await known.getByText('Balances of all users').waitFor();
    await consoles.stopApi();
    const unknown = {
      '/': ['Market', 'Money', 'Settlements in progress', 'Newest events'],
      '/users/ann': ['User ann'],
      '/wagers': ['Wagers'],
    };
    const pages: Page[] = [known];
    for (const [path, headings] of Object.entries(unknown)) {
      const page = await consoles.openTab(context, path);
      await page.getByText(/^The API is not reachable\..* Reconnecting in \d s…$/).waitFor();
      await expectSoon(() => page.locator('.waiting').count(), 0);
      expect(await page.getByText('The API is not reachable').count()).toBe(1);
      expect(await page.getByText('Not loaded yet.').count()).toBe(headings.length);
      for (const name of headings) await page.getByRole('heading', { name, exact: true }).waitFor();
      expect(await page.getByRole('button', { name: /^Try/ }).count()).toBe(0);
      await consoles.expectAccessible(page);
      pages.push(page);
    }
    await known.getByText(/^(?:The API is not reachable\. )?Not live since .* Reconnecting/).waitFor();
    await known.getByText('Balances of all users').waitFor();
    await known.getByText('unknown', { exact: true }).first().waitFor();
    expect(await known.locator('dl.figures .tag.good').count()).toBe(0);
    await consoles.startApi();
    for (const page of pages) {
      await page.locator('.band').waitFor({ state: 'hidden' });
      expect(await page.getByText('Not loaded yet.').count()).toBe(0);
    }
    await pages[1]?.getByText('Balances of all users').waitFor();
    await pages[2]?.getByText('Available', { exact: true }).waitFor();
  });
});

describeInBrowser('a page that the API tells too late', () => {
  it('is not live, and its ladder neither, until a stream is in time again', async () => {
    const business = await openTestBusiness(consoles.api.client);
    await business.user('ann');
    ok(await business.make('ann', 10));
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    const band = page.getByText(/Not live since/);
    const ladder = page.locator('.tag', { hasText: /^not live$/ });
    await page.locator('.tag', { hasText: /^live$/ }).waitFor();
    await withPostgresClient({ connectionString: consoles.environment.database.url }, async (client) => {
      // The API cannot see how long the log is.
      await client.query('BEGIN');
      await client.query('LOCK TABLE event_heads IN ACCESS EXCLUSIVE MODE');
      await band.waitFor();
      await ladder.waitFor();
      await consoles.stopApi();
    });
    await consoles.startApi();
    await band.waitFor({ state: 'hidden' });
    await ladder.waitFor({ state: 'hidden' });
  });
});

describeInBrowser('the shell', () => {
  it('is used by the keyboard alone, at 390 pixels and at 200 percent', async () => {
    const { page } = await consoles.open({ browser: { viewport: { width: 390, height: 700 } } });
    await overview(page).waitFor();
    await expectWidth(page, 390);
    await consoles.expectAccessible(page);
    await page.keyboard.press('Tab');
    await expectSoon(() => page.evaluate('document.activeElement.textContent'), 'Skip to the page');
    await page.getByRole('button', { name: 'Menu' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Overview', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'hidden' });
    // A browser at 200 percent has half as many pixels.
    await page.setViewportSize({ width: 640, height: 400 });
    await expectWidth(page, 640);
  });

  it('shows admins what is for admins, and leads others to a page that is not there', async () => {
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin });
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.waitForURL(`${consoles.url}/queues`);
    await page.getByText('settlement').first().waitFor();
    const { page: other } = await consoles.open();
    await overview(other).waitFor();
    expect(await other.getByRole('link', { name: 'Queues' }).count()).toBe(0);
  });
});
