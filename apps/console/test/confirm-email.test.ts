import { expect, it } from '@jest/globals';
import { register } from '#testing/client.js';
import { describeInBrowser, expectSoon, withConsole } from '#testing/console.js';
import { startTestWorker } from '#testing/parts.js';

const consoles = withConsole();

const PAGE = /http:\/\/console\.test(\/confirm-email\?token=[\w.-]+)/;

/** A new account, and the path of the page that its mail names first. */
async function newcomer() {
  const worker = await startTestWorker(consoles.environment);
  try {
    const account = await register(consoles.api.client);
    const { raw } = await consoles.mailTo(account, 'Confirm your e-mail address');
    expect(raw.search(PAGE)).toBeLessThan(raw.indexOf('http://ledger.test/auth/account/verify-email?token='));
    return { ...account, path: PAGE.exec(raw)?.[1] ?? '' };
  } finally {
    await worker.close();
  }
}

const proofOf = async (email: string) =>
  (await consoles.environment.database.query('SELECT email_proved_at FROM accounts WHERE email = $1', [email]))[0]
    ?.email_proved_at;

describeInBrowser('the page that a verification mail names', () => {
  it('proves the address with the password, without a session, and once', async () => {
    const { email, password, path } = await newcomer();
    const { page } = await consoles.open({ account: null, path });
    await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor();
    await consoles.expectAccessible(page);
    await page.getByLabel('Password').fill('not my password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The password is incorrect').waitFor();
    expect(await proofOf(email)).toBeNull();
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    expect(await proofOf(email)).toBeInstanceOf(Date);
    await consoles.expectAccessible(page);
    await page.reload();
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await expectSoon(() => page.evaluate(`document.activeElement.getAttribute('role')`), 'alert');
  });

  it('opens with a session of another account, and says when the address is not whole', async () => {
    const { page } = await consoles.open({ path: '/confirm-email' });
    await page.getByRole('alert').getByText('This address has no token.').waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await consoles.expectAccessible(page);
  });

  it('proves it by the keyboard alone, beside a session, and says what a used link is', async () => {
    const { email, password, path, ...account } = await newcomer();
    const { page } = await consoles.open({
      account: { ...account, id: 0, email, password, token: '', client: consoles.api.client },
      path,
    });
    await page.getByLabel('Password').focus();
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
    await expectSoon(() => page.evaluate('document.activeElement.textContent'), 'Your address is confirmed');
    expect(await proofOf(email)).toBeInstanceOf(Date);
    await page.goto(consoles.url + path);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid or expired verification token').waitFor();
    await page.getByText('Is your address confirmed already?').waitFor();
    await consoles.expectAccessible(page);
    await page.getByRole('link', { name: 'Go to the console' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
  });

  it('takes no request of another site', async () => {
    const { email, password, path } = await newcomer();
    const token = path.split('=')[1];
    const answer = await fetch(`${consoles.url}/confirm-email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' },
      body: JSON.stringify({ token, password }),
    });
    expect([answer.status, await proofOf(email)]).toEqual([403, null]);
  });
});
