import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { expectBooksToBalance } from '#testing/books.js';
import { describeInBrowser, expectSoon, withConsole } from '#testing/console.js';
import { decideByKeys, openBettingBusiness, outcomeOf, undoBar } from '#testing/decisions.js';
import { button, dialog } from '#testing/page-parts.js';
import { ok, openTestBusiness } from '#testing/test-business.js';

const consoles = withConsole();

const hiddenHeight = (of: Locator): Promise<number> =>
  of.evaluate((element) => {
    const { scrollHeight, clientHeight } = element as unknown as Record<string, number>;
    return Number(scrollHeight) - Number(clientHeight);
  });

describeInBrowser('a decision', () => {
  it('is seen whole at 1440 × 900: result, totals, users, reason and button', async () => {
    const names = Array.from({ length: 9 }, (_, place) => `trader-${place}`);
    const business = await openTestBusiness(consoles.api.client);
    for (const name of names) await business.user(name, 100);
    for (const [place, name] of names.entries()) {
      await business.match(name, names[(place + 4) % 9] ?? '', 10 + place, 2 + place / 8);
    }
    const browser = { viewport: { width: 1_440, height: 900 } };
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match', browser });
    await button(page, 'Decide …').click();
    const deciding = dialog(page, 'Decide the wager');
    await deciding.getByLabel('Result').selectOption('win');
    await deciding.getByLabel('Reference').fill('match');
    await deciding.getByLabel('Why').fill('Final score 2:1');
    const confirm = button(page, /^Decide win: .* moves$/);
    await expectSoon(() => confirm.isEnabled(), true);
    expect(await hiddenHeight(deciding)).toBe(0);
    for (const part of [deciding.getByLabel('Result'), deciding.locator('.preview table'), confirm]) {
      const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(900);
    }
    await consoles.expectAccessible(page);
  });

  it('keeps its reason, and is undone with two keys on another page', async () => {
    const business = await openBettingBusiness(consoles.api.client);
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Decide …').waitFor();
    await decideByKeys(page, 'Win', 'Final score 2:1');
    await undoBar(page).getByText('match is decided as win.').waitFor();
    const [event] = ok(await business.client.get('/events?types=wager.decided'), 200).data;
    expect(event.reason).toBe('Final score 2:1');
    await consoles.expectAccessible(page);
    await page.getByRole('link', { name: 'Users', exact: true }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await undoBar(page).getByRole('link', { name: 'match' }).waitFor();

    await page.keyboard.press('u');
    const undo = dialog(page, 'Undo the decision');
    await undo.getByRole('button', { name: 'Correct to undecided: 15.00 moves', disabled: false }).waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.press('Enter');
    await undo.waitFor({ state: 'detached' });
    await undoBar(page).waitFor({ state: 'detached' });
    expect(await outcomeOf(business)).toBe('undecided');
    expect(await business.moneyOf('ann')).toEqual({ balance: 1_000, exposure: 30 });
    await expectBooksToBalance(consoles.environment.database);
  });
});
