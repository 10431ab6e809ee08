import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Download, Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { button, heading } from '#testing/page-parts.js';
import { acceptance, offer, ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

const consoles = withConsole({ RATE_LIMITS: 'off' });

const PHONE = { viewport: { width: 390, height: 844 } };

const strip = (page: Page) => page.locator('.strip');
const bell = (page: Page) => page.locator('.bell');

async function openBusiness(): Promise<{ business: TestBusiness; id: number }> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name, 1_000);
  const { id } = business.account;
  return { business, id };
}

async function textOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), 'utf8');
}

const downloadFrom = async (page: Page, name: string): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return textOf(download);
};

/** Chooses a file that stands nowhere. */
const choose = (page: Page, text: string) =>
  page.getByLabel('CSV file').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

const NOTES_NOTIFICATIONS = `window.notified = [];
  class Notification { constructor(title, { body }) { window.notified.push(body); } close() {} }
  Notification.permission = 'granted';
  Notification.requestPermission = async () => 'granted';
  window.Notification = Notification;`;

describeInBrowser('alerts', () => {
  it('name what is wrong on every page, and a notification tells of new ones when it is wanted', async () => {
    const { business } = await openBusiness();
    const { page, context } = await consoles.open({ account: business.account, path: '/events' });
    await context.addInitScript({ content: NOTES_NOTIFICATIONS });
    await page.reload();
    await bell(page).locator('.tag.good').waitFor();
    await expectSoon(() => strip(page).innerText(), '');
    await bell(page).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is wrong.').waitFor();
    await consoles.expectAccessible(page);
    await page.getByLabel('Show new alerts as notifications').focus();
    await page.keyboard.press('Space');
    await expectSoon(() => page.evaluate(`localStorage.getItem('console:notify')`), 'true');

    const { id: ann } = ok(await business.client.get('/account/user/ann/reference'), 200).data;
    await consoles.environment.database.query(
      `INSERT INTO disputes (account_id, user_id) SELECT account_id, id FROM users WHERE id = $1`,
      [ann],
    );
    const told = 'The balance of ann is disputed';
    await strip(page).getByRole('link', { name: told }).waitFor();
    await expectSoon(() => page.evaluate('window.notified'), [told]);
    await expectSoon(() => bell(page).innerText(), 'Alerts 1');
    await consoles.expectAccessible(page);
    await page.setViewportSize(PHONE.viewport);
    await expectWidth(page, 390);
    await strip(page).getByRole('link', { name: told }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'User ann').waitFor();
    await button(page, 'Hide these alerts').focus();
    await page.keyboard.press('Enter');
    await expectSoon(() => strip(page).innerText(), '');
    await expectSoon(() => bell(page).locator('.tag.bad').count(), 1);
  });

  it('are never good when a part or all of it is not known', async () => {
    const { business } = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/events' });
    await bell(page).locator('.tag.good').waitFor();
    await page.route('**/api/account/health', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, failing_webhooks: 'unknown' } } });
    });
    await page.reload();
    await strip(page).getByText('Not known: webhooks').waitFor();
    expect(await bell(page).innerText()).toBe('Alerts ?');
    await page.unrouteAll();
    await page.route('**/api/account/health', (route) => route.fulfill({ status: 500, json: { status: 500 } }));
    await page.reload();
    await strip(page).getByText('Not known whether anything is wrong').waitFor();
    expect(await bell(page).innerText()).toBe('Alerts ?');
  });
});

/** What a page asks of its own account, also while it shows another one. */
const OWN = /^\/api\/(auth|admin|change-requests\/\d|events\/stream\?after)/;

describeInBrowser('an admin who looks into another account', () => {
  it('sees every page of it, and a bar that says so, until it leaves with a key', async () => {
    const { business, id } = await openBusiness();
    const bet = await business.match('ann', 'bob', 10, 2.5);
    const hook = { url: 'https://example.com/hook', types: ['user.*'] };
    const webhook = ok(await business.client.post('/webhook-endpoints', hook)).data.id;
    const { id: person, name } = ok(await business.client.get('/operators/me'), 200).data;
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin, path: '/tenants' });
    const reads: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => reads.push(new URL(request.url()).pathname + new URL(request.url()).search));
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    await page.getByRole('row', { name: business.account.email }).getByRole('link', { name: 'Users' }).click();
    await heading(page, 'Users').waitFor();
    const bar = page.getByRole('region', { name: 'Another account' });
    await bar.getByText(`Viewing ${name}`).waitFor();
    await consoles.expectAccessible(page);
    reads.length = 0;
    const shown: readonly (readonly [path: string, text: string])[] = [
      ['/', 'Newest events'],
      ['/users/ann', 'Exposure by wager'],
      ['/wagers', 'match'],
      ['/wagers/match', 'Payout by result'],
      ['/risk', 'bob'],
      ['/bets', 'match'],
      [`/bets/${bet}`, 'History'],
      ['/events', 'offer.matched'],
      ['/events/3', 'JSON'],
      ['/approvals', 'Nothing waits for approval.'],
      ['/webhooks', 'https://example.com/hook'],
      [`/webhooks/${webhook}`, 'Attempts'],
      ['/exports', 'No exports yet.'],
      ['/reconciliation', 'ann'],
      ['/people', name],
      [`/people/${person}`, 'owner'],
      ['/account-events', 'Read by an admin'],
      ['/alerts', 'Alerts'],
    ];
    for (const [path, text] of shown) {
      await page.goto(`${consoles.url}${path}?account=${id}`);
      await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
      await bar.waitFor();
      await expectSoon(() => page.locator('.waiting').count(), 0);
      expect([
        path,
        await page
          .locator('main')
          .getByRole('button', { name: /^(Fund|New|Invite|Decide)/ })
          .count(),
      ]).toEqual([path, 0]);
      // Each link that leads on keeps the account.
      const links = await page
        .locator('main a[href^="/"], nav a[href^="/"]')
        .evaluateAll((all) => (all as unknown as { href: string }[]).map(({ href }) => href));
      const lost = links.filter((href) => !/\/(tenants|queues|api)\b/.test(href) && !href.includes(`account=${id}`));
      expect([path, lost]).toEqual([path, []]);
    }
    const asked = reads.filter((read) => read.startsWith('/api/') && !OWN.test(read));
    expect(asked.length).toBeGreaterThan(shown.length);
    expect(asked.filter((read) => !new RegExp(`account_ids?=${id}\\b`).test(read))).toEqual([]);
    expect(faults).toEqual([]);

    await page.goto(
      `${consoles.url}/users/by-id/${ok(await business.client.get('/account/user/bob/reference'), 200).data.id}?account=${id}`,
    );
    await heading(page, 'User bob').waitFor();
    expect(new URL(page.url()).search).toBe(`?account=${id}`);
    await page.keyboard.press('x');
    await heading(page, `Tenant ${name}`).waitFor();
    expect(await bar.count()).toBe(0);

    const { page: own } = await consoles.open({ account: business.account, path: '/account-events' });
    await own
      .getByRole('row', { name: /Read by an admin.*GET \/bets\/:id/ })
      .first()
      .waitFor();
  });
});

describeInBrowser('a list', () => {
  it('is downloaded as it is filtered, and runs nothing in a spreadsheet', async () => {
    const { business } = await openBusiness();
    for (let count = 0; count < 60; count += 1) await business.user(`many-${count}`, 0);
    ok(await business.client.post('/account/user', { name: '=HYPERLINK("x")', reference: '-many' }));
    await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: '/users?search=many' });
    await page.getByRole('row', { name: 'many-59' }).waitFor();
    const users = (await downloadFrom(page, 'Download CSV')).trim().split('\r\n');
    expect(users).toHaveLength(62);
    expect(users[0]).toContain('reference');
    expect(users[1]).toContain(`"'=HYPERLINK(""x"")"`);
    expect(users[1]).toContain(`'-many`);
    await page.getByText('The file has 61 rows.').waitFor();
    for (const [path, found] of [
      ['/wagers', 'match'],
      ['/bets', 'ann'],
      ['/events', 'offer.matched'],
      ['/reconciliation', 'ann'],
      ['/account-events', 'login'],
      ['/people', 'owner'],
    ] as const) {
      await page.goto(consoles.url + path);
      expect(await downloadFrom(page, 'Download CSV')).toContain(found);
    }
  });

  it('has named views, for each list and person', async () => {
    const { business } = await openBusiness();
    await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: '/bets?user=ann&sort=odds' });
    await page.getByText('Views', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Odds of ann');
    await page.keyboard.press('Enter');
    const view = page.getByRole('link', { name: 'Odds of ann' });
    await view.waitFor();
    await consoles.expectAccessible(page);
    await page.goto(`${consoles.url}/bets`);
    await page.getByText('Views (1)').press('Enter');
    await view.focus();
    await page.keyboard.press('Enter');
    await expectSoon(async () => new URL(page.url()).search, '?user=ann&sort=odds');
    expect(await page.getByLabel('User').inputValue()).toBe('ann');
    await button(page, 'Delete the view Odds of ann').press('Enter');
    await expectSoon(() => view.count(), 0);
    await page.goto(`${consoles.url}/wagers`);
    await page.getByText('Views', { exact: true }).waitFor();
  });

  it('shows times in the zone, and lines as close, as the person prefers', async () => {
    const { business } = await openBusiness();
    const browser = { timezoneId: 'Asia/Tokyo' };
    const { page } = await consoles.open({ account: business.account, path: '/display', browser });
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByText(/It is now .* UTC/).waitFor();
    await page.getByLabel('Lines').selectOption('Compact');
    await consoles.expectAccessible(page);
    await page.goto(`${consoles.url}/users`);
    const shown = page.locator('td time').first();
    await shown.waitFor();
    const iso = new Date(String(await shown.getAttribute('datetime')));
    expect(await shown.innerText()).toContain(iso.toISOString().slice(11, 19));
    expect(await page.evaluate('document.documentElement.dataset.density')).toBe('compact');
  });

  it('finds a user by its id or a transaction', async () => {
    const { business } = await openBusiness();
    const { id } = ok(await business.client.get('/account/user/bob/reference'), 200).data;
    const { data } = ok(await business.client.get('/transactions?user_reference=ann'), 200);
    const { page } = await consoles.open({ account: business.account, path: `/users?search=${id}` });
    await page.getByRole('row', { name: 'bob' }).waitFor();
    await page.goto(`${consoles.url}/users?search=${data[0].reference}`);
    await page.getByRole('row', { name: 'ann' }).waitFor();
    await expectSoon(() => page.getByRole('row').count(), 2);
  });
});

describeInBrowser('a statement', () => {
  it('has the newest lines first, of a type, and what bets brought', async () => {
    const { business } = await openBusiness();
    const bet_id = ok(await business.client.post('/bets/make-offer', offer('ann', 20))).data.bet_id;
    ok(await business.client.post('/bets/accept-offer', acceptance('bob', 20, { bet_id })));
    ok(await business.client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'loss' }));
    const { page } = await consoles.open({ account: business.account, path: '/users/ann' });
    const lines = page.getByRole('table', { name: 'Transactions, newest first' });
    await expectSoon(() => lines.getByRole('row').nth(1).innerText(), expect.stringContaining('20.00'));
    const net = page.locator('dl.figures > div', { has: page.getByText('Net from bets', { exact: true }) });
    expect(await net.locator('dd').innerText()).toBe('−20.00');
    await page.getByLabel('Type').selectOption('Funding');
    await button(page, 'Apply').click();
    await expectSoon(() => lines.getByRole('row').count(), 2);
    expect(await net.locator('dd').innerText()).toBe('−20.00');
  });
});

describeInBrowser('an import', () => {
  it('of users shows the rows that would fail before anything is written', async () => {
    const { business } = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/import', browser: PHONE });
    await choose(page, 'reference,nome\r\nx,y\r\n');
    await page.getByText('The first line must name the columns: name missing.').waitFor();
    const file =
      'reference,name,amount,meta.team\r\ncat,Cat,12.5,Rovers\r\nann,Other,1,\r\ndan,,1,\r\neve,Eve,x,\r\ncat,Cat,1,\r\n';
    await choose(page, file);
    await page.getByText('1 row would be done, 4 would fail.').waitFor();
    await page.getByRole('row', { name: 'ann A user with this reference already exists' }).waitFor();
    await page.getByRole('row', { name: 'reference must not repeat that of row 1' }).waitFor();
    await consoles.expectAccessible(page);
    await expectWidth(page, 390);
    expect((await business.client.get('/account/user/cat/reference')).status).toBe(404);
    await button(page, 'Import 1 row').focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 row done, 4 failed.').waitFor();
    const { data } = ok(await business.client.get('/account/user/cat/reference'), 200);
    expect(data).toMatchObject({ name: 'Cat', balance: 12.5, meta: { team: 'Rovers' } });
    expect(await downloadFrom(page, 'Download the results')).toContain('1,cat,imported,true');
    // The same file again gives no money twice.
    await choose(page, file);
    await button(page, 'Import 1 row').click();
    await page.getByText('1 row done, 4 failed.').waitFor();
    expect(ok(await business.client.get('/account/user/cat/reference'), 200).data.balance).toBe(12.5);
  });

  it('of offers makes those that pass, and says of each other one why not', async () => {
    const { business } = await openBusiness();
    await business.match('ann', 'bob', 10, 2.5);
    ok(await business.decide('win'));
    const { page } = await consoles.open({ account: business.account, path: '/import' });
    await page.getByLabel('What').selectOption('Offers');
    const rows = Array.from({ length: 25 }, (_, index) => `ann,new-${index % 3},2.5,1`);
    const file = ['user,wager,odds,amount', ...rows, 'ann,match,2,1', 'bob,new-1,2,99999', 'zoe,new-1,2,1', ''].join(
      '\r\n',
    );
    await choose(page, file);
    await page.getByText('25 rows would be done, 3 would fail.').waitFor();
    await page.getByRole('row', { name: 'zoe on new-1 User not found' }).waitFor();
    await page.getByRole('row', { name: 'ann on match The wager is decided' }).waitFor();
    await consoles.expectAccessible(page);
    const offers = async () =>
      ok(await business.client.get('/bets/open-bets?per_page=1&include_totals=true'), 200).total;
    // What has changed since the check is refused alone.
    ok(await business.make('bob', 1, 2, { wager_reference: 'new-2' }));
    ok(await business.client.post('/wagers/new-2/close', {}), 200);
    const before = await offers();
    await button(page, 'Import 25 rows').focus();
    await page.keyboard.press('Enter');
    await page.getByText('17 rows done, 11 failed.').waitFor();
    expect(await offers()).toBe(before + 17);
    await choose(page, file);
    await page.getByText('17 rows would be done, 11 would fail.').waitFor();
  });
});
