import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, withConsole } from '#testing/console.js';
import { heading, tabTo } from '#testing/page-parts.js';
import { addPerson } from '#testing/people.js';
import { factorCodeOf } from '#testing/second-factor.js';
import { ok, openTestBusiness } from '#testing/test-business.js';

// Journeys of a desk without a mouse, from the first key on. The journeys of one page stand with the tests of that page.

const consoles = withConsole({ RATE_LIMITS: 'off' });

/** The page of the navigation. */
async function goTo(page: Page, title: string): Promise<void> {
  await tabTo(page, title);
  await page.keyboard.press('Enter');
  await heading(page, title).waitFor();
}

describeInBrowser('by the keyboard alone, a person', () => {
  it('logs in and goes to a page', async () => {
    const { email, password } = await consoles.newAccount();
    const { page } = await consoles.open({ account: null });
    await heading(page, 'Log in').waitFor();
    await tabTo(page, 'E-mail');
    await page.keyboard.type(email);
    await tabTo(page, 'Password');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Overview').waitFor();
    await goTo(page, 'Users');
  });

  it('finds a change request, looks at it and approves it', async () => {
    const business = await openTestBusiness(consoles.api.client);
    for (const name of ['ann', 'bob']) await business.user(name);
    await business.match('ann', 'bob', 10);
    const accountId = ok(await business.client.get('/auth/account/me'), 200).data.id;
    const bea = await addPerson(consoles.environment.database, consoles.api.client, { accountId });
    const operation = { type: 'update_wager_outcome', reference: 'match', outcome: 'win' };
    ok(await bea.client.post('/change-requests', { operation, reason: 'The match has ended 2:1', suspend: true }));
    const { page } = await consoles.open({ account: business.account });
    await goTo(page, 'Approvals');
    await page.getByRole('link', { name: 'Decide match as win' }).waitFor();
    await tabTo(page, 'Decide match as win');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What it moves' }).waitFor();
    await tabTo(page, 'Approve …');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Approve' }).waitFor();
    await tabTo(page, 'Approve and do it');
    await page.keyboard.press('Enter');
    const outcome = async () => ok(await business.client.get('/wagers/match'), 200).data.outcome;
    await expectSoon(outcome, 'win');
  });

  it('imports a file after a look at what it would do', async () => {
    const business = await openTestBusiness(consoles.api.client);
    const { page } = await consoles.open({ account: business.account });
    // The browser hands over the choice of a file only from here on, so this comes well before the key.
    const chosen = page.waitForEvent('filechooser');
    await goTo(page, 'Import');
    await tabTo(page, 'CSV file');
    await page.keyboard.press('Enter');
    const buffer = Buffer.from('reference,name,amount\r\ncat,Cat,12.5\r\ndan,,1\r\n');
    await (await chosen).setFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
    await page.getByText('1 row would be done, 1 would fail.').waitFor();
    await tabTo(page, 'Import 1 row');
    await page.keyboard.press('Enter');
    await page.getByText('1 row done, 1 failed.').waitFor();
    expect(ok(await business.client.get('/account/user/cat/reference'), 200).data.balance).toBe(12.5);
  });

  it('adds a second factor', async () => {
    const { page, account } = await consoles.open({ path: '/access' });
    await page.getByText('Your log-in needs your password alone.').waitFor();
    await tabTo(page, 'Add a second factor');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Password');
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    const secret = page.getByRole('region', { name: 'Secret' });
    await secret.waitFor();
    await tabTo(page, 'Code');
    await page.keyboard.type(factorCodeOf((await secret.textContent()) ?? ''));
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor();
    await tabTo(page, 'I have stored them');
    await page.keyboard.press('Enter');
    await page.getByText('10 recovery codes are left').waitFor();
  });
});
