import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { heading } from '#testing/page-parts.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

const consoles = withConsole();

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find', exact: true });
const options = (page: Page) => dialog(page).getByRole('option');
const chosen = (page: Page) => () =>
  page.evaluate(`(() => {
    const named = document.activeElement.getAttribute('aria-activedescendant');
    return document.getElementById(named)?.querySelector('bdi').textContent;
  })()`);
const shown = (page: Page) => () => options(page).locator('span > bdi').allInnerTexts();

async function openBusiness(): Promise<TestBusiness> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  for (const reference of ['Wembley/home', 'Wembley/away']) {
    ok(await business.client.put(`/wagers/${encodeURIComponent(reference)}`, { event: 'final' }), 200);
  }
  return business;
}

describeInBrowser('the search of the console', () => {
  it('finds and opens anything by the keyboard alone', async () => {
    const business = await openBusiness();
    const bet = await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: '/' });
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Control+k');
    await dialog(page).waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.type('EMBLEY');
    await expectSoon(shown(page), ['Wembley/away', 'Wembley/home']);
    await consoles.expectAccessible(page);
    await expectSoon(chosen(page), 'Wembley/away');
    await page.keyboard.press('ArrowDown');
    await expectSoon(chosen(page), 'Wembley/home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await heading(page, 'Wager Wembley/home').waitFor();
    await dialog(page).waitFor({ state: 'detached' });

    // Enter does not wait for the answer.
    await page.keyboard.press('/');
    await dialog(page).waitFor();
    await page.keyboard.type('bob');
    await page.keyboard.press('Enter');
    await heading(page, 'bob').or(heading(page, 'User bob')).waitFor();

    await page.keyboard.press('/');
    await dialog(page).waitFor();
    await page.keyboard.type(`#${bet}`);
    await options(page).filter({ hasText: 'Bet' }).waitFor();
    await options(page).filter({ hasText: 'Bet' }).click();
    await heading(page, `Bet ${bet}`).waitFor();

    await page.keyboard.press('/');
    await dialog(page).waitFor();
    await page.keyboard.type('nobody');
    await dialog(page).getByText('Nothing has this name.').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await heading(page, `Bet ${bet}`).waitFor();
  });

  it('ends the request of a text that is no longer wanted', async () => {
    const business = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers' });
    const held: string[] = [];
    const ended: string[] = [];
    const queryOf = (url: string) => new URL(url).searchParams.get('q') ?? '';
    page.on('requestfailed', (request) => ended.push(queryOf(request.url())));
    await page.route('**/api/search?q=a*', (route) => {
      held.push(queryOf(route.request().url()));
    });
    await page.getByRole('button', { name: 'Find' }).click();
    await dialog(page).waitFor();
    await page.keyboard.type('a');
    await expectSoon(async () => held, ['a']);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('bob');
    await expectSoon(shown(page), ['bob']);
    await expectSoon(async () => ended, ['a']);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('fits a phone', async () => {
    const business = await openBusiness();
    const browser = { viewport: { width: 390, height: 800 } };
    const { page } = await consoles.open({ account: business.account, path: '/wagers', browser });
    await page.getByRole('button', { name: 'Find' }).click();
    await dialog(page).waitFor();
    await page.keyboard.type('wembley');
    await expectSoon(shown(page), ['Wembley/away', 'Wembley/home']);
    await expectWidth(page, 390);
  });
});

describeInBrowser('the event of a wager', () => {
  it('is set on its page, and leads to the wagers of the event', async () => {
    const business = await openBusiness();
    ok(await business.make('ann', 10, 2.5));
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await page.getByRole('button', { name: 'Event …' }).click();
    await page.getByRole('dialog', { name: 'Event' }).waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.type('final');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'final', exact: true }).click();
    await heading(page, 'Wagers').waitFor();
    const rows = page.getByRole('table').getByRole('row');
    await expectSoon(() => rows.count(), 4);
    expect(await page.getByLabel('Event', { exact: true }).inputValue()).toBe('final');
    await consoles.expectAccessible(page);
    expect(ok(await business.client.get('/wagers/match'), 200).data).toMatchObject({ event: 'final', starts_at: null });
  });

  it('groups the list of wagers, and all of one event are chosen at once', async () => {
    const business = await openBusiness();
    ok(await business.make('ann', 10, 2.5));
    ok(await business.client.put('/wagers/Wembley%2Fdraw', { event: 'final' }), 200);
    const { page } = await consoles.open({ account: business.account, path: '/wagers' });
    await page.getByLabel('Order').focus();
    await page.keyboard.type('By event');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const titles = page.getByRole('table', { name: 'Wagers, newest first' }).getByRole('rowheader');
    await expectSoon(
      () => titles.allInnerTexts(),
      ['final', 'Wembley/draw', 'Wembley/away', 'Wembley/home', 'Without an event', 'match'],
    );
    await consoles.expectAccessible(page);
    await page.goto(`${consoles.url}/wagers?event=final`);
    await page.getByRole('button', { name: 'Decide several …' }).click();
    await page.getByRole('button', { name: 'Choose all shown' }).click();
    await page.getByRole('button', { name: 'Decide 3 wagers …' }).waitFor();
  });
});
