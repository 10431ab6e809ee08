import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { LoggedIn } from '#testing/client.js';
import { describeInBrowser, withConsole } from '#testing/console.js';
import { button, heading } from '#testing/page-parts.js';
import { addFactor, ageProof, factorCodeOf, forgetUsedCodes } from '#testing/second-factor.js';
import { ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';

const consoles = withConsole();

const section = (page: Page) =>
  page.locator('section.section').filter({ has: page.getByRole('heading', { name: 'Second factor' }) });

async function fillIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

/** Of every session of the account. */
async function ageProofs({ client, token }: LoggedIn): Promise<void> {
  await ageProof(consoles.environment.database, token, '16 minutes');
  await waitFor(async () => (await client.delete('/auth/account/sessions/999999999')).status === 403);
}

describeInBrowser('a second factor', () => {
  it('is added with a QR code and recovery codes, is asked for at the log-in, and is removed', async () => {
    const { page, account } = await consoles.open({ path: '/access' });
    // The scripts of every page have come.
    await page.locator('.bell .tag').waitFor();
    const scripts: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
    await section(page).getByText('Your log-in needs your password alone.').waitFor();
    await button(page, 'Add a second factor').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill(account.password);
    expect(scripts).toEqual([]);
    await button(page, 'Next').click();
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    expect(scripts).toHaveLength(1);
    const secret = (await dialog.getByRole('region', { name: 'Secret' }).textContent()) ?? '';
    await consoles.expectAccessible(page);
    await dialog.getByLabel('Code', { exact: true }).fill('000000');
    await dialog.getByRole('button', { name: 'Add the second factor' }).click();
    await dialog.getByText('The code is incorrect').waitFor();
    await dialog.getByLabel('Code', { exact: true }).fill(factorCodeOf(secret));
    await dialog.getByRole('button', { name: 'Add the second factor' }).click();
    const codes = ((await dialog.getByRole('region', { name: 'Recovery codes' }).textContent()) ?? '').split('\n');
    expect(codes).toHaveLength(10);
    await consoles.expectAccessible(page);
    await button(page, 'I have stored them').click();
    await section(page).getByText('10 recovery codes are left').waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    await button(page, 'Log out').click();
    await heading(page, 'Log in').waitFor();
    await fillIn(page, account);
    await page.getByRole('alert').getByText('Second factor required').waitFor();
    await consoles.expectAccessible(page);
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The e-mail, the password or the code is wrong').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await heading(page, 'Overview').waitFor();
    await page.goto(`${consoles.url}/access`);
    await section(page).getByText('9 recovery codes are left').waitFor();
    await section(page).getByRole('button', { name: 'Remove' }).click();
    await dialog.getByLabel('Password').fill(account.password);
    await dialog.getByLabel('Code', { exact: true }).fill(codes[1] ?? '');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await section(page).getByText('Your log-in needs your password alone.').waitFor();
    await consoles.expectAccessible(page);
  });

  it('is asked for in place of every page, where the account asks for one', async () => {
    const account = await consoles.newAccount();
    await consoles.environment.database.query(
      `UPDATE accounts SET preferences = preferences || '{"require_second_factor": true}' WHERE email = $1`,
      [account.email],
    );
    const { page } = await consoles.open({ account, path: '/users' });
    await heading(page, 'Add a second factor').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.getByLabel('Password').fill(account.password);
    await button(page, 'Next').click();
    const secret = (await page.getByRole('region', { name: 'Secret' }).textContent()) ?? '';
    await page.getByLabel('Code', { exact: true }).fill(factorCodeOf(secret));
    await button(page, 'Add the second factor').click();
    await consoles.expectAccessible(page);
    await button(page, 'I have stored them').click();
    await heading(page, 'Users').waitFor();
  });
});

describeInBrowser('a call that needs a fresh proof', () => {
  it('waits for the password and the code, and is done then', async () => {
    const { page, account } = await consoles.open({ path: '/access' });
    const { secret } = await addFactor(account.client, account);
    await forgetUsedCodes(consoles.environment.database, account);
    await ageProofs(account);
    await button(page, 'New API key').click();
    await page.getByRole('dialog').getByLabel('Name').fill('late server');
    await button(page, 'Create the key').click();
    const asked = page.getByRole('dialog', { name: 'Confirm your password' });
    await asked.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('alert').getByText('Confirm your password').waitFor();
    await button(page, 'Create the key').click();
    await asked.getByLabel('Password').fill(account.password);
    await consoles.expectAccessible(page);
    await button(page, 'Confirm').click();
    await asked.getByText('Second factor required').waitFor();
    await asked.getByLabel('Code', { exact: true }).fill(factorCodeOf(secret));
    await button(page, 'Confirm').click();
    await button(page, 'I have stored it').click();
    await page.getByRole('row', { name: /^late server owner/ }).waitFor();
    const { data } = ok(await account.client.get('/auth/account/api-keys'), 200);
    expect(data).toHaveLength(1);
  });
});
