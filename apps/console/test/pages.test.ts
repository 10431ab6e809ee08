import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { describeInBrowser, expectWidth, measureThread, withConsole } from '#testing/console.js';
import { deferred } from '#testing/deferred.js';
import { offerBatch, ok, openTestBusiness } from '#testing/test-business.js';

const consoles = withConsole({ ALLOW_PRIVATE_WEBHOOKS: 'true' });

const FOLDER = fileURLToPath(new URL('../../../../apps/console/ui/pages', import.meta.url));
/** A page with its path in the address. */
const PAGE = /export const \w+(?:: Page = \{| = laterPage\(\s*\{| = view\('\w+', \{)\s*path: (?:'([^']*)'|PATH)/g;

/** The paths of all pages, from their sources. */
const paths = readdirSync(FOLDER)
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(`${FOLDER}/${file}`, 'utf8'))
  .flatMap((source) =>
    [...source.matchAll(PAGE)].map(([, path]) => path ?? /const PATH = '([^']*)'/.exec(source)?.[1] ?? source),
  );

const forAdmins = (path: string): boolean => path.startsWith('/tenants');

/** An account that has something to show on each page. */
async function openBusiness() {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name, 1_000);
  const bet = await business.match('ann', 'bob', 10, 2.5);
  const { client } = business;
  for (let count = 0; count < 5; count += 1) ok(await client.post('/bets/batch', offerBatch('ann', 'match')));
  const webhook = ok(await client.post('/webhook-endpoints', { url: 'http://127.0.0.1:9/hook', types: ['user.*'] }));
  const account = business.account.id;
  const { id: person } = ok(await client.get('/operators/me'), 200).data;
  const user = ok(await client.get('/account/user/ann/reference'), 200).data.id;
  const withdrawal = { type: 'withdraw_user', user_reference: 'ann', amount: 1 };
  const { id: request } = ok(
    await client.post('/change-requests', { operation: withdrawal, reason: 'A reason of ten characters' }),
  ).data;
  return { account: business.account, ids: { bet, webhook: webhook.data.id, account, user, person, request } };
}

describeInBrowser('every page', () => {
  it('is accessible light and dark, and fits a phone and 200 percent', async () => {
    const { account, ids } = await openBusiness();
    const addresses: Record<string, string> = {
      '/wagers/:reference': '/wagers/match',
      '/bets/:id': `/bets/${ids.bet}`,
      '/users/:reference': '/users/ann',
      '/users/by-id/:id': `/users/by-id/${ids.user}`,
      '/events/:seq': '/events/5',
      '/webhooks/:id': `/webhooks/${ids.webhook}`,
      '/people/:id': `/people/${ids.person}`,
      '/approvals/:id': `/approvals/${ids.request}`,
      '/tenants/:id': `/tenants/${ids.account}`,
    };
    expect(paths.length).toBeGreaterThan(15);
    const { page: own } = await consoles.open({ account });
    const { page: admins } = await consoles.open({ account: await consoles.newAccount('admin') });
    for (const path of paths) {
      const page = forAdmins(path) ? admins : own;
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.goto(consoles.url + (addresses[path] ?? path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await page.getByRole('heading', { name: 'Not found' }).count()]).toEqual([path, 0]);
      await consoles.expectAccessible(page);
      // A browser of 1,280 pixels at 200 percent, and a phone.
      for (const width of [640, 390]) {
        await page.setViewportSize({ width, height: 700 });
        await expectWidth(page, width);
      }
    }
  });
});

/** Answers when a table has its hundredth row, and the browser has painted it. Playwright's own looks would cost as much. */
const HUNDRED_ROWS_SHOWN = `new Promise((shown) => {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll('tbody tr').length < 100) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(shown));
  });
  observer.observe(document, { childList: true, subtree: true });
})`;

describeInBrowser('a table of 100 rows', () => {
  it('comes onto the page with little work', async () => {
    const { account } = await openBusiness();
    const { page, context } = await consoles.open({ account, path: '/get-started' });
    const [asked, released] = [deferred(), deferred()];
    await context.route('**/api/events?sort_direction=desc&per_page=100', async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await asked.promise;
    const shown = page.evaluate(HUNDRED_ROWS_SHOWN);
    const spentMs = await measureThread(page);
    released.resolve();
    await shown;
    // The goal is 50 ms on a processor of its own. Other tests share this one and its caches, and this runs the code first.
    expect(await spentMs()).toBeLessThan(110);
    expect(await page.locator('tbody tr').count()).toBe(100);
  });
});
