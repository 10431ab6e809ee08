import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { button, dialog, figure, focused, tabTo } from '#testing/page-parts.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

const consoles = withConsole();

const HOUR_MS = 3_600_000;
/** The clock of the browser is an hour fast. */
const FAST_CLOCK = `Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(Date.now());
    else super(...given);
  }
  static #real = Date.now;
  static now() {
    return Date.#real() + ${HOUR_MS};
  }
};`;

const status = (page: Page) => figure(page, 'Status').locator('.tag');
const statusIs = (page: Page, text: string) => expectSoon(() => status(page).innerText(), text);

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const wagerOf = async ({ client }: TestBusiness, reference = 'match') =>
  ok(await client.get(`/wagers/${reference}`), 200).data;
const schedule = async ({ client }: TestBusiness, closesAt: string, reference = 'match') =>
  ok(await client.put(`/wagers/${reference}`, { closes_at: closesAt }), 200);

async function openBusiness(): Promise<TestBusiness> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  ok(await business.make('ann', 10, 2.5));
  return business;
}

/** Presses Tab until what has this text has the focus, and Enter. */
async function enter(page: Page, text: string): Promise<void> {
  await tabTo(page, text);
  await page.keyboard.press('Enter');
}

const NO_OFFERS = /nobody makes or accepts offers/;

describeInBrowser('the status of a wager', () => {
  it('is changed by the keyboard alone, with a question before', async () => {
    const business = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await statusIs(page, 'open');
    expect([await button(page, 'Suspend').isEnabled(), await button(page, 'Resume').isEnabled()]).toEqual([
      true,
      false,
    ]);
    expect(await page.getByText(NO_OFFERS).count()).toBe(0);
    await page.keyboard.press('s');
    await dialog(page, 'Suspend the wager').waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog(page, 'Suspend the wager').waitFor({ state: 'detached' });
    expect((await wagerOf(business)).status).toBe('open');

    await page.keyboard.press('s');
    await expectSoon(focused(page), 'reason');
    await page.keyboard.type('Goal, so stop');
    await page.keyboard.press('Enter');
    await statusIs(page, 'suspended');
    await figure(page, 'Status').getByText('Goal, so stop').waitFor();
    await page.getByText(NO_OFFERS).waitFor();
    expect(await wagerOf(business)).toMatchObject({ status: 'suspended', status_reason: 'Goal, so stop', revision: 1 });
    expect([await button(page, 'Suspend').isEnabled(), await button(page, 'Resume').isEnabled()]).toEqual([
      false,
      true,
    ]);
    await consoles.expectAccessible(page);

    await page.keyboard.press('s');
    const resume = dialog(page, 'Resume the wager');
    await expectSoon(focused(page), 'Resume');
    await page.keyboard.press('Enter');
    await resume.waitFor({ state: 'detached' });
    await statusIs(page, 'open');
    await figure(page, 'Status').getByText('Revision 2').waitFor();
    expect((await business.accept('bob', 2)).status).toBe(201);

    await enter(page, 'Close …');
    await expectSoon(focused(page), 'reason');
    await page.keyboard.press('Enter');
    await statusIs(page, 'closed');
    expect((await business.accept('bob', 2)).body.error).toBe('Wager is closed');
    for (const name of ['Suspend', 'Resume', 'Close …', 'Closing time …']) {
      expect([name, await button(page, name).count()]).toEqual([name, 0]);
    }
    await page.keyboard.press('s');
    await page.getByText(NO_OFFERS).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await consoles.expectAccessible(page);
  });

  it('has the two largest buttons of the page, on a phone too', async () => {
    const business = await openBusiness();
    const browser = { viewport: { width: 390, height: 844 } };
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match', browser });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await statusIs(page, 'open');
      const sizes = await page.locator('#page button').evaluateAll((all) =>
        (all as unknown as { textContent: string; offsetWidth: number; offsetHeight: number }[]).map((each) => ({
          name: each.textContent,
          size: each.offsetWidth * each.offsetHeight,
        })),
      );
      const bySize = sizes.sort((one, other) => other.size - one.size).map(({ name }) => name);
      expect(bySize.slice(0, 2).sort()).toEqual(['Resume', 'Suspend']);
      await expectWidth(page, width);
    }
  });

  it('is left alone by a key that is written, held with another one, or turned off', async () => {
    const business = await openBusiness();
    const { page, context } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await statusIs(page, 'open');
    const openDialogs = () => page.getByRole('dialog').count();
    await page.getByLabel('Levels').focus();
    await page.keyboard.press('s');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Alt+s');
    expect(await openDialogs()).toBe(0);
    await page.getByLabel('The key s asks').uncheck();
    await page.keyboard.press('s');
    expect(await openDialogs()).toBe(0);
    const other = await consoles.openTab(context, '/wagers/match');
    await statusIs(other, 'open');
    await other.keyboard.press('s');
    expect(await other.getByRole('dialog').count()).toBe(0);
    await other.getByLabel('The key s asks').check();
    await other.keyboard.press('s');
    await dialog(other, 'Suspend the wager').waitFor();
  });

  it('is not changed by an Enter that is held since it opened the question', async () => {
    const business = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await statusIs(page, 'open');
    await button(page, 'Suspend').focus();
    await page.keyboard.down('Enter');
    await expectSoon(focused(page), 'reason');
    await page.keyboard.down('Enter');
    expect(await dialog(page, 'Suspend the wager').getByRole('button', { name: 'Suspend' }).count()).toBe(1);
    await page.keyboard.up('Enter');
    await page.keyboard.press('Escape');
    expect(await wagerOf(business)).toMatchObject({ status: 'open', revision: 0 });
  });

  it('is suspended by a page that does not follow the ledger, and not resumed', async () => {
    const business = await openBusiness();
    const { page, context } = await consoles.open({ account: business.account });
    await context.route('**/api/events/stream?*', () => undefined);
    await page.goto(`${consoles.url}/wagers/match`);
    await page.getByText(/Not live since/).waitFor();
    await page.keyboard.press('s');
    await expectSoon(focused(page), 'reason');
    await page.keyboard.press('Enter');
    await statusIs(page, 'suspended');
    expect(await button(page, 'Resume').isDisabled()).toBe(true);
    await page.keyboard.press('s');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('follows what happens elsewhere, also who cancels all offers', async () => {
    const business = await openBusiness();
    const { page, context } = await consoles.open({ account: business.account, path: '/wagers/match' });
    const other = await consoles.openTab(context, '/wagers/match');
    await other.locator('.ladder').getByText('2.50').waitFor();
    await page.keyboard.press('s');
    await page.getByLabel('Reason').fill('<b>Fog</b>');
    await page.getByLabel('Open offers').selectOption('Are canceled');
    await dialog(page, 'Suspend the wager').getByRole('button', { name: 'Suspend' }).click();
    await statusIs(other, 'suspended');
    await figure(other, 'Status').getByText('<b>Fog</b>').waitFor();
    await other.getByText('There are no open offers on this wager.').waitFor();
    ok(await business.client.post('/wagers/match/resume'), 200);
    await statusIs(other, 'open');
    await schedule(business, '2099-01-15T18:00:00Z');
    await figure(other, 'Closes in')
      .getByText(/^\d+ d \d+ h$/)
      .waitFor();
    ok(await business.client.post('/wagers/match/close', { reason: 'Kick-off' }), 200);
    await statusIs(other, 'closed');
    await page.goto(`${consoles.url}/events?types=wager.*,offer.*`);
    await page.getByRole('row', { name: /wager\.suspended match: <b>Fog<\/b>/ }).waitFor();
    await page.getByRole('row', { name: /wager\.changed match closes at 1\d Jan 2099/ }).waitFor();
    await page.getByRole('row', { name: /offer\.canceled .*: its wager was suspended or closed/ }).waitFor();
  });

  it('is no business of an admin who looks into another account', async () => {
    const business = await openBusiness();
    const { id } = business.account;
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin, path: `/wagers/match?account=${id}` });
    await statusIs(page, 'open');
    for (const name of ['Suspend', 'Resume', 'Close …', 'Closing time …']) {
      expect([name, await button(page, name).count()]).toEqual([name, 0]);
    }
  });
});

describeInBrowser('the time at which a wager closes', () => {
  it('is set, moved and taken away by a form, and shown by the clock of the service', async () => {
    const business = await openBusiness();
    const { context } = await consoles.open({
      account: business.account,
      browser: { timezoneId: 'America/New_York' },
    });
    await context.addInitScript({ content: FAST_CLOCK });
    const page = await consoles.openTab(context, '/wagers/match');
    const save = async (time: string) => {
      await button(page, 'Closing time …').click();
      await page.getByLabel('Closes at').fill(time);
      await page.keyboard.press('Enter');
    };
    await statusIs(page, 'open');
    await save('2020-01-15T18:00:00');
    await page.getByText('must be in the future').waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.press('Escape');
    await save('2099-01-15T18:00:00');
    await page.getByText('The closing time is set').waitFor();
    expect((await wagerOf(business)).closes_at).toBe('2099-01-15T23:00:00.000Z');
    await schedule(business, inMs(HOUR_MS / 2));
    await figure(page, 'Closes in')
      .getByText(/^29 min [1-5]\d s$/)
      .waitFor();
    await consoles.expectAccessible(page);
    await save('');
    await page.getByText('The wager closes at no time').waitFor();
    await figure(page, 'Closes in').waitFor({ state: 'detached' });
    expect((await wagerOf(business)).closes_at).toBeNull();
  });

  it('makes the list of those that close soon', async () => {
    const business = await openBusiness();
    const { client } = business;
    for (let place = 0; place < 22; place += 1) await schedule(business, inMs((place + 1.5) * HOUR_MS), `m${place}`);
    await schedule(business, inMs(HOUR_MS / 2), 'first');
    ok(await client.post('/wagers/first/suspend'), 200);
    const { context } = await consoles.open({ account: business.account });
    await context.addInitScript({ content: FAST_CLOCK });
    const page = await consoles.openTab(context, '/wagers');
    const rows = () => page.getByLabel('Wagers that close soon').locator('tbody tr');
    await rows()
      .first()
      .getByText(/^29 min [1-5]\d s$/)
      .waitFor();
    expect(await rows().count()).toBe(20);
    expect(await rows().first().innerText()).toMatch(/^first\s+suspended/);
    expect(await rows().nth(1).innerText()).toMatch(/^m0\s+open\s+1 h 29 min/);
    await consoles.expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectWidth(page, 390);
    ok(await client.post('/wagers/first/close', {}), 200);
    await expectSoon(async () => (await rows().first().innerText()).slice(0, 2), 'm0');
    await page.getByRole('link', { name: 'All 22 that will close' }).click();
    await expectSoon(() => rows().count(), 22);
    await page.getByRole('row', { name: /^m21 Undecided open 22 h 29 min/ }).waitFor();
  });

  it('ends offers too, which say when', async () => {
    const business = await openBusiness();
    const end = inMs(100 * 24 * HOUR_MS);
    const shown = new RegExp(`^${new Date(end).getUTCDate()} \\w{3} \\d{4}, ${end.slice(11, 19)}`);
    const bet = ok(await business.make('ann', 5, 3, { expires_at: end })).data.bet_id;
    const { page } = await consoles.open({ account: business.account, path: '/users/ann' });
    await page
      .getByRole('row', { name: /match 3\.00 5\.00/ })
      .getByText(shown)
      .waitFor();
    await page.goto(`${consoles.url}/bets/${bet}`);
    await page.locator('.facts').getByText(shown).waitFor();
    await page.goto(`${consoles.url}/wagers/match`);
    await page
      .getByRole('row', { name: /Open offer until/ })
      .getByText(shown)
      .waitFor();
    ok(await business.make('ann', 6, 3, { expires_in: 1 }));
    await page.goto(`${consoles.url}/events?types=offer.*`);
    await page.getByRole('row', { name: /offer\.expired 6\.00 at 3\.00, .*: its time had come/ }).waitFor();
  });

  it('closes the wager on the page when it comes, before anybody says so', async () => {
    const business = await openBusiness();
    await consoles.stopWorker();
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await statusIs(page, 'open');
    await schedule(business, inMs(3_000));
    await figure(page, 'Closes in')
      .getByText(/^[123] s$/)
      .waitFor();
    await statusIs(page, 'closed');
    await figure(page, 'Closes in').waitFor({ state: 'detached' });
    await page.getByText(NO_OFFERS).waitFor();
    expect(ok(await business.client.get('/events?types=wager.closed'), 200).data).toEqual([]);
  });
});
