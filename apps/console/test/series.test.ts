import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { focused } from '#testing/page-parts.js';
import { ok, openTestBusiness } from '#testing/test-business.js';

const consoles = withConsole();
const PHONE = { viewport: { width: 390, height: 844 } };

const charts = (page: Page) => page.locator('figure svg.chart');
const chosen = (page: Page) => () => page.getByLabel('Time', { exact: true }).inputValue();
const rows = (page: Page) => page.getByRole('region', { name: 'Hours in which something changed' }).getByRole('row');

async function openLedger() {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  await business.match('ann', 'bob', 10, 2.5);
  return business;
}

describeInBrowser('the figures by hour', () => {
  it('are opened, stretched and read by the keyboard alone, and stay open', async () => {
    const business = await openLedger();
    const { page } = await consoles.open({ account: business.account, path: '/', browser: PHONE });
    await page.locator('summary', { hasText: 'By hour' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Matched by hour', { exact: true }).waitFor();
    expect(await charts(page).count()).toBe(3);
    await page.keyboard.press('Tab');
    await expectSoon(chosen(page), '24');
    await page.keyboard.press('ArrowDown');
    await expectSoon(chosen(page), '168');
    await page.keyboard.press('Tab');
    await expectSoon(focused(page), 'The hours as a table');
    await page.keyboard.press('Enter');
    await rows(page).filter({ hasText: '25.00' }).waitFor();
    await consoles.expectAccessible(page);
    await expectWidth(page, 390);
    // What happens is in the figures without a click.
    await business.match('bob', 'ann', 7);
    await rows(page).filter({ hasText: '39.00' }).waitFor();
    await page.reload();
    await page.getByText('Matched by hour', { exact: true }).waitFor();
  });

  it('are those of a wager and of a user on their pages', async () => {
    const business = await openLedger();
    await business.match('bob', 'ann', 7);
    ok(await business.decide('win'));
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await page.locator('summary', { hasText: 'By hour' }).click();
    await page.getByText('The hours as a table').click();
    // 15 from the first bet, 7 from the second; nothing is at risk any more.
    await rows(page).filter({ hasText: '17.00' }).filter({ hasText: '22.00' }).waitFor();
    await consoles.expectAccessible(page);
    await page.goto(`${consoles.url}/users/ann`);
    await page.getByText('The hours as a table').click();
    await rows(page).filter({ hasText: '17.00' }).filter({ hasText: '22.00' }).waitFor();
    await consoles.expectAccessible(page);
  });
});
