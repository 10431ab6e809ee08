import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectBooksToBalance } from '#testing/books.js';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { decideByKeys, openBettingBusiness, outcomeOf, undoBar } from '#testing/decisions.js';
import { button, dialog, focused, tabTo } from '#testing/page-parts.js';
import { addPerson } from '#testing/people.js';
import { ok } from '#testing/test-business.js';

const consoles = withConsole();

describeInBrowser('a decision', () => {
  it('is undone after a reload, to another result, within 60 seconds and on a phone', async () => {
    const business = await openBettingBusiness(consoles.api.client);
    const browser = { viewport: { width: 390, height: 800 } };
    const { page, context } = await consoles.open({ account: business.account, path: '/wagers/match', browser });
    await button(page, 'Decide …').waitFor();
    await decideByKeys(page, 'Win', 'Wrong');
    await page.reload();
    await undoBar(page).getByText('match is decided as win.').waitFor();
    await expectWidth(page, 390);
    await button(page, 'Undo …').click();
    const undo = dialog(page, 'Undo the decision');
    await undo.getByLabel('Result').selectOption('loss');
    await undo.getByRole('button', { name: 'Correct to loss: 25.00 moves', disabled: false }).click();
    await undo.waitFor({ state: 'detached' });
    expect(await outcomeOf(business)).toBe('loss');
    // Another tab has decided nothing, and a minute later nothing is left to undo.
    const tab = await consoles.openTab(context, '/');
    await tab.getByRole('heading', { level: 1 }).waitFor();
    expect(await undoBar(tab).count()).toBe(0);
  });

  it('is no longer undone after a minute', async () => {
    const business = await openBettingBusiness(consoles.api.client);
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Decide …').waitFor();
    await decideByKeys(page, 'Win', '');
    await undoBar(page).waitFor();
    await page.evaluate(`for (const key of Object.keys(sessionStorage)) {
      const stored = JSON.parse(sessionStorage.getItem(key));
      if (Array.isArray(stored)) sessionStorage.setItem(key, JSON.stringify(stored.map((one) => ({ ...one, until: Date.now() + 5_000 }))));
    }`);
    await page.reload();
    await undoBar(page).waitFor();
    await undoBar(page).waitFor({ state: 'detached' });
  });

  it('is undone by two people where the account asks for that, which the dialog says', async () => {
    const business = await openBettingBusiness(consoles.api.client);
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Decide …').waitFor();
    await decideByKeys(page, 'Win', '');
    const accountId = business.account.id;
    await addPerson(consoles.environment.database, consoles.api.client, { accountId });
    const approvals = { kinds: ['update_wager_outcome'], above: 1, expires_in: 3_600 };
    ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
    await expectSoon(() => button(page, 'Undo …').isEnabled(), true);
    await page.keyboard.press('u');
    const undo = dialog(page, 'Undo the decision');
    await undo.getByText(/^It moves more than 1\.00: a second person must approve it\./).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Approval required: change request \d+ waits for a second person\.$/).waitFor();
    expect(await outcomeOf(business)).toBe('win');
  });
});

describeInBrowser('several wagers', () => {
  const choose = async (page: Page) => {
    await button(page, 'Decide several …').waitFor();
    await tabTo(page, 'Decide several …');
    await page.keyboard.press('Enter');
    for (const reference of ['other', 'match']) {
      await tabTo(page, `Choose ${reference}`);
      await page.keyboard.press('Space');
    }
    await button(page, 'Decide 2 wagers …').press('Enter');
    const several = dialog(page, 'Decide 2 wagers');
    await expectSoon(focused(page), 'result_0');
    await page.keyboard.type('Win');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Loss');
    return several;
  };

  it('are decided by one dialog and the keyboard alone, with one total and the answer of each', async () => {
    const business = await openBettingBusiness(consoles.api.client);
    const { page } = await consoles.open({ account: business.account, path: '/wagers' });
    const several = await choose(page);
    await button(page, 'Decide 2 wagers: 30.00 moves').waitFor();
    expect(await several.locator('.preview dd').allInnerTexts()).toEqual(['30.00', '2 settled', '2']);
    const ann = several.locator('.preview').getByRole('row', { name: /^ann/ });
    expect((await ann.innerText()).split('\t').slice(1)).toEqual(['1\u202f000.00', '970.00', '30.00', '0.00']);
    await consoles.expectAccessible(page);
    await tabTo(page, 'count');
    await page.keyboard.type('2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Full time');
    await page.keyboard.press('Enter');
    await dialog(page, '2 of 2 wagers decided').waitFor();
    for (const name of [/^other.* Win Wager outcome updated$/, /^match.* Loss Wager outcome updated$/]) {
      await page.getByRole('row', { name }).waitFor();
    }
    await consoles.expectAccessible(page);
    expect(await business.moneyOf('ann')).toEqual({ balance: 970, exposure: 0 });
    await page.keyboard.press('Escape');
    await undoBar(page).getByText('2 wagers are decided.').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    await button(page, 'Undo match …').click();
    await button(page, 'Correct to undecided: 10.00 moves').click();
    await undoBar(page).getByText('other is decided as win.').waitFor();
    expect([await outcomeOf(business), await outcomeOf(business, 'other')]).toEqual(['undecided', 'win']);
    await expectBooksToBalance(consoles.environment.database);
  });

  it('wait for a second person one by one where the account asks for one', async () => {
    const business = await openBettingBusiness(consoles.api.client);
    const accountId = business.account.id;
    await addPerson(consoles.environment.database, consoles.api.client, { accountId });
    const approvals = { kinds: ['update_wager_outcome'], above: 15, expires_in: 3_600 };
    ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
    const { page } = await consoles.open({ account: business.account, path: '/wagers' });
    const several = await choose(page);
    await several.getByText(/^The account asks for a second person above 15\.00/).waitFor();
    await button(page, 'Decide 2 wagers: 30.00 moves').waitFor();
    await several.getByLabel('Number of wagers').fill('2');
    await page.keyboard.press('Enter');
    await dialog(page, '1 of 2 wagers decided').waitFor();
    await page.getByRole('row', { name: /^other.* Approval required: change request \d+ waits/ }).waitFor();
    await page.getByRole('row', { name: /^match.* Wager outcome updated$/ }).waitFor();
    expect([await outcomeOf(business), await outcomeOf(business, 'other')]).toEqual(['loss', 'undecided']);
  });
});
