import type { Page } from 'playwright-core';
import { expectSoon } from './console.js';
import { button, dialog, focused, tabTo } from './page-parts.js';
import { ok, openTestBusiness, type TestBusiness } from './test-business.js';

// Wagers that tests decide in the console.

/** Has a bet on the wager `match`, and one on `other`. */
export async function openBettingBusiness(client: Parameters<typeof openTestBusiness>[0]): Promise<TestBusiness> {
  const business = await openTestBusiness(client);
  for (const name of ['ann', 'bob']) await business.user(name);
  await business.match('ann', 'bob', 10, 2.5);
  const other = { wager_reference: 'other' };
  const { bet_id } = ok(await business.make('bob', 20, 2, other)).data;
  ok(await business.accept('ann', 20, { ...other, bet_id }));
  return business;
}

export const outcomeOf = async ({ client }: TestBusiness, reference = 'match') =>
  ok(await client.get(`/wagers/${reference}`), 200).data.outcome;

export const undoBar = (page: Page) => page.getByRole('region', { name: 'Undo', exact: true });

/** Fills the dialog in, and decides by Enter. */
export async function decideByKeys(page: Page, outcome: string, reason: string): Promise<void> {
  await button(page, 'Decide …').press('Enter');
  const deciding = dialog(page, 'Decide the wager');
  await expectSoon(focused(page), 'outcome');
  await page.keyboard.type(outcome);
  await button(page, /^Decide win: .* moves$/).waitFor();
  await tabTo(page, 'confirmation');
  await page.keyboard.type('match');
  await page.keyboard.press('Tab');
  await page.keyboard.type(reason);
  await page.keyboard.press('Enter');
  await deciding.waitFor({ state: 'detached' });
}
