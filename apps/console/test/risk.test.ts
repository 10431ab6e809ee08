import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

const consoles = withConsole({ RATE_LIMITS: 'off' });

const MOST_SHIFT_PX = 8;

const WAGERS: readonly (readonly [reference: string, amount: number, odds: number])[] = [
  ['low', 10, 1.5],
  ['high', 20, 6],
  ['middle', 40, 2],
];

async function match(business: TestBusiness, [wager_reference, amount, odds]: (typeof WAGERS)[number]): Promise<void> {
  const { bet_id } = ok(await business.make('ann', amount, odds, { wager_reference })).data;
  ok(await business.accept('bob', amount, { wager_reference, bet_id }));
}

async function openBusiness(): Promise<TestBusiness> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  for (const wager of WAGERS) await match(business, wager);
  ok(await business.client.put('/wagers/low', { closes_at: '2099-01-15T18:00:00Z', event: 'final' }), 200);
  return business;
}

const table = (page: Page, name: string) => page.getByRole('region', { name });
const wagersIn = (page: Page, name = 'All undecided wagers') => table(page, name).locator('tbody th').allTextContents();
const order = (page: Page, title: string) =>
  table(page, 'All undecided wagers').getByRole('columnheader', { name: title }).getAttribute('aria-sort');

/** By the key that sorts the table. */
async function press(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: title, exact: true }).first().focus();
  await page.keyboard.press('Enter');
}

describeInBrowser('the risk of the undecided wagers', () => {
  it('is sorted and followed to the riskiest one by the keyboard alone', async () => {
    const business = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers' });
    await page.getByRole('link', { name: 'By risk' }).focus();
    await page.keyboard.press('Enter');
    await expectSoon(() => wagersIn(page), ['high', 'middle', 'low']);
    await consoles.expectAccessible(page);
    await press(page, 'Matched');
    await expectSoon(() => wagersIn(page), ['middle', 'high', 'low']);
    await press(page, 'Matched');
    await expectSoon(() => wagersIn(page), ['low', 'high', 'middle']);
    expect(await order(page, 'Matched')).toBe('ascending');
    await press(page, 'Worst case');
    await expectSoon(() => wagersIn(page), ['high', 'middle', 'low']);
    expect([await order(page, 'Worst case'), await order(page, 'Matched')]).toEqual(['descending', null]);
    const totals = await table(page, 'All undecided wagers').locator('tfoot').innerText();
    expect(totals.split(/\s+/)).toEqual(expect.arrayContaining(['3', 'wagers', '150.00', '70.00']));
    await page.getByRole('link', { name: 'high', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Wager high' }).waitFor();
  });

  it('is live on a narrow page, of one event, with its users and as a file', async () => {
    const business = await openBusiness();
    const browser = { viewport: { width: 390, height: 844 } };
    const { page } = await consoles.open({ account: business.account, path: '/risk', browser });
    await expectSoon(() => wagersIn(page), ['high', 'middle', 'low']);
    await expectWidth(page, 390);
    await match(business, ['low', 100, 4]);
    await expectSoon(() => wagersIn(page), ['low', 'high', 'middle']);
    await table(page, 'The first fifty users').getByRole('link', { name: 'bob' }).waitFor();
    ok(await business.decide('win', 'high'));
    await expectSoon(() => wagersIn(page), ['low', 'middle']);
    await press(page, 'P&L today (UTC)');
    await expectSoon(() => wagersIn(page, 'The first fifty users'), ['ann']);
    await press(page, 'P&L today (UTC)');
    await expectSoon(() => wagersIn(page, 'The first fifty users'), ['bob']);
    await consoles.expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const [names, ...rows] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect([names?.includes('worst_case.amount'), rows.length]).toEqual([true, 2]);
    await page.getByLabel('Event').fill('final');
    await page.keyboard.press('Enter');
    await expectSoon(() => wagersIn(page), ['low']);
  });

  it('is on the overview and above the wagers in short', async () => {
    const business = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/' });
    await expectSoon(() => wagersIn(page), ['high', 'middle', 'low']);
    await expectSoon(() => wagersIn(page, 'The most exposed users'), ['bob', 'ann']);
    await table(page, 'All undecided wagers')
      .getByRole('img', { name: 'Matched in 24 hours: 20.00, most this hour: 20.00' })
      .waitFor();
    await press(page, 'Matched');
    await expectSoon(() => wagersIn(page), ['middle', 'high', 'low']);
    await consoles.expectAccessible(page);
    await page.getByRole('link', { name: 'Wagers', exact: true }).click();
    await expectSoon(() => wagersIn(page), ['high', 'middle', 'low']);
    await page.getByRole('link', { name: 'The whole board' }).click();
    await page.getByRole('heading', { level: 1, name: 'Risk' }).waitFor();
  });

  it('keeps its place above the wagers until it comes again', async () => {
    const business = await openBusiness();
    for (const wager of ['fourth', 'fifth', 'sixth']) await match(business, [wager, 10, 2]);
    const { page } = await consoles.open({ account: business.account, path: '/' });
    await expectSoon(async () => (await wagersIn(page)).length, 6);
    const goOn = new EventEmitter();
    const released = once(goOn, 'now');
    await page.route('**/api/risk/wagers?*', (route) => released.then(() => route.continue()));
    await page.getByRole('link', { name: 'Wagers', exact: true }).click();
    const list = table(page, 'Wagers, newest first').locator('tbody');
    const top = async () => (await list.boundingBox())?.y ?? 0;
    await list.waitFor();
    const before = await top();
    goOn.emit('now');
    await expectSoon(async () => (await wagersIn(page, '5 of 6 undecided wagers, totals of all')).length, 5);
    expect(Math.abs((await top()) - before)).toBeLessThan(MOST_SHIFT_PX);
  });
});
