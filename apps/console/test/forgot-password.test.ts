import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inventAccount } from '#testing/client.js';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { codeIn } from '#testing/mails.js';
import { atFocus, focused, heading } from '#testing/page-parts.js';

const consoles = withConsole();

const PAGE = 'http://console.test/reset-password';
/** The subject of the mail with the code. */
const CODE = 'Your password reset code';
const PASSWORD = 'a newer battery 9';

/** Fills in fields one after the other by the keyboard alone, from the first one on. */
async function type(page: Page, ...texts: readonly string[]): Promise<void> {
  for (const [place, text] of texts.entries()) {
    if (place > 0) await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
}

async function ask(page: Page, email: string): Promise<string> {
  await page.goto(`${consoles.url}/forgot-password`);
  await page.getByLabel('E-mail').focus();
  await type(page, email);
  await heading(page, 'Enter the code').waitFor();
  return (await page.locator('main').innerText()).replaceAll(email, 'x');
}

describeInBrowser('a forgotten password', () => {
  it('is replaced by the keyboard alone, with the code of a mail; all access ends', async () => {
    const account = await consoles.newAccount();
    const { page } = await consoles.open({ account: null, browser: { viewport: { width: 390, height: 844 } } });
    await heading(page, 'Log in').waitFor();
    await page.getByRole('link', { name: 'Forgot password?' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Forgot password').waitFor();
    await consoles.expectAccessible(page);
    await page.getByLabel('E-mail').focus();
    await type(page, account.email);
    await heading(page, 'Enter the code').waitFor();
    await expectSoon(focused(page), 'Enter the code');
    await page.getByText('A new password ends all access to the account').waitFor();
    await consoles.expectAccessible(page);
    await expectWidth(page, 390);
    const mail = await consoles.mailTo(account, CODE);
    expect(mail.raw).toContain(PAGE);
    await page.getByLabel('Code').focus();
    await type(page, codeIn(mail), 'short', 'short');
    await page.getByText('must be longer than or equal to 8 characters').waitFor();
    await expectSoon(focused(page), 'password');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Your password is changed').waitFor();
    await expectSoon(focused(page), 'Your password is changed');
    await consoles.expectAccessible(page);
    expect((await account.client.get('/account/user')).status).toBe(401);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await heading(page, 'Log in').waitFor();
    await page.getByLabel('E-mail').focus();
    await type(page, account.email, PASSWORD);
    await heading(page, 'Overview').waitFor();
  });

  it('is asked for in the same words with an account and without', async () => {
    const account = await consoles.newAccount();
    const { page } = await consoles.open({ account: null });
    expect(await ask(page, inventAccount().email)).toBe(await ask(page, account.email));
    const refusals: string[] = [];
    for (const email of [account.email, inventAccount().email]) {
      await page.goto(`${consoles.url}/reset-password`);
      await page.getByLabel('E-mail').focus();
      await type(page, email, '00000000', PASSWORD, PASSWORD);
      refusals.push(await page.getByRole('alert').innerText());
      await expectSoon(atFocus(page, 'role'), 'alert');
    }
    expect(refusals).toEqual(Array(2).fill('Invalid or expired reset token'));
    await consoles.expectAccessible(page);
  });

  it('is replaced from a browser that has a session, which ends', async () => {
    const { page, account } = await consoles.open({ path: '/forgot-password' });
    await expectSoon(() => page.getByLabel('E-mail').inputValue(), account.email);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await heading(page, 'Enter the code').waitFor();
    const code = codeIn(await consoles.mailTo(account, CODE));
    await page.goto(`${consoles.url}/reset-password`);
    await page.getByLabel('Code').focus();
    await type(page, code, PASSWORD, `${PASSWORD}0`);
    await page.getByRole('alert').getByText('Password and confirmation do not match').waitFor();
    await page.getByLabel('New password again').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Your password is changed').waitFor();
    await page.getByRole('link', { name: 'Log in' }).click();
    await heading(page, 'Log in').waitFor();
  });

  it('takes no request of another site, and no other fields', async () => {
    const post = async (path: string, body: object, site: string) => {
      const answer = await fetch(`${consoles.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': site },
        body: JSON.stringify(body),
      });
      return answer.status;
    };
    const { email } = await consoles.newAccount();
    const reset = { email, token: '1', password: PASSWORD, password_confirmation: PASSWORD };
    expect(await post('/forgot-password', { email }, 'cross-site')).toBe(403);
    expect(await post('/reset-password', reset, 'cross-site')).toBe(403);
    expect(await post('/reset-password', { ...reset, end_access: false }, 'same-origin')).toBe(400);
    const rows = await consoles.environment.database.query(
      `SELECT FROM outbox o JOIN accounts a ON a.id = o.account_id WHERE a.email = $1 AND o.topic = 'password-reset-mail'`,
      [email],
    );
    expect(rows).toEqual([]);
  });
});
