import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, withConsole } from '#testing/console.js';
import { losingAnswers } from '#testing/lost-answer.js';
import { heading } from '#testing/page-parts.js';

const consoles = withConsole();

async function fillIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

describeInBrowser('a person without a session', () => {
  it('logs in with the form, and is at the address that was asked for', async () => {
    const account = await consoles.newAccount();
    const { page } = await consoles.open({ account: null, path: '/nowhere?x=1' });
    await heading(page, 'Log in').waitFor();
    await consoles.expectAccessible(page);
    const field = page.getByLabel('Password');
    expect(await field.getAttribute('type')).toBe('password');
    expect(await field.getAttribute('autocomplete')).toBe('current-password');
    await fillIn(page, account);
    await heading(page, 'Not found').waitFor();
    expect(page.url()).toBe(`${consoles.url}/nowhere?x=1`);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await heading(page, 'Overview').waitFor();
    await expectSoon(() => page.title(), 'Overview · Betting Ledger');
    await consoles.expectAccessible(page);
  });

  it('reads why it is refused, with the focus there, and can try again', async () => {
    const account = await consoles.newAccount();
    const { page } = await consoles.open({ account: null });
    await fillIn(page, { ...account, password: 'wrong password' });
    const alert = page.getByRole('alert');
    await alert.getByText('The e-mail or the password is wrong').waitFor();
    await expectSoon(() => page.evaluate(`document.activeElement.getAttribute('role')`), 'alert');
    await fillIn(page, account);
    await heading(page, 'Overview').waitFor();
  });

  it('sees no page, whatever the address', async () => {
    const { page } = await consoles.open({ account: null, path: '/users/ann' });
    await heading(page, 'Log in').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });
});

describeInBrowser('a session', () => {
  it('has a new id after each log-in, also when the browser brings a planted one', async () => {
    const account = await consoles.newAccount();
    const { page, context } = await consoles.open({ account: null });
    const planted = 'p'.repeat(43);
    await context.addCookies([{ name: 'console', value: planted, url: consoles.url }]);
    await page.reload();
    await fillIn(page, account);
    await heading(page, 'Overview').waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'console', httpOnly: true, sameSite: 'Strict', expires: -1 });
    expect(cookie?.value).not.toBe(planted);
    const headers = { Cookie: `console=${planted}` };
    expect(await (await fetch(`${consoles.url}/session`, { headers })).json()).toEqual({ session: null });
  });

  it('leaves no token and no session id where a script could read it', async () => {
    const answers: Promise<string>[] = [];
    const account = await consoles.newAccount();
    const { page, context } = await consoles.open({ account: null });
    page.on('response', (response) => {
      if (response.url().includes('/events/stream')) return;
      const text = response.text().catch(() => '');
      answers.push(text.then((body) => JSON.stringify([response.headers(), body])));
    });
    await fillIn(page, account);
    await heading(page, 'Overview').waitFor();
    await expectSoon(() => page.locator('.waiting').count(), 0);
    const [cookie] = await context.cookies();
    const id = cookie?.value ?? '-';
    const seen = await page.evaluate(
      'JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}, document.documentElement.outerHTML])',
    );
    const received = (await Promise.all(answers)).join().replaceAll(/"set-cookie":"[^"]*"/g, '');
    const everything = `${received}${seen}`;
    expect(received).toContain(account.email);
    expect(everything).not.toContain(id);
    expect(everything).not.toMatch(/\b\d+\.[\w-]{43}\b/);
  });

  it('is not begun, used or ended by another site', async () => {
    const { context, account } = await consoles.open();
    const { request } = context;
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    const { email, password } = account;
    const statuses = [
      (await request.post(`${consoles.url}/session`, { headers, data: { email, password } })).status(),
      (await request.delete(`${consoles.url}/session`, { headers })).status(),
      (await request.post(`${consoles.url}/api/account/user`, { headers, data: { reference: 'x' } })).status(),
    ];
    expect(statuses).toEqual([403, 403, 403]);
    expect((await request.get(`${consoles.url}/api/wagers`)).status()).toBe(200);
  });

  it('that ends under a page is begun anew above it, and the page goes on', async () => {
    const { page, account } = await consoles.open();
    await heading(page, 'Overview').waitFor();
    await expectSoon(() => page.locator('.waiting').count(), 0);
    await page.evaluate('window.wasHere = true');
    expect((await account.client.post('/auth/logout/account?logout_all=true')).status).toBe(200);
    // The stream ends with the token, so the page notices without a click.
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await consoles.expectAccessible(page);
    // A browser lets the page prevent the first one only.
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
    await dialog.waitFor();
    // A link in a dialog opens a tab of its own: the page and its forms stay.
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Forgot password?' }).click(),
    ]);
    await heading(tab, 'Forgot password').waitFor();
    await tab.close();
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(account.email);
    await dialog.getByLabel('Password').fill(account.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await heading(page, 'Overview').waitFor();
    expect(await page.evaluate('window.wasHere')).toBe(true);
  });

  it('ends with the button, for all tabs', async () => {
    const { page, context } = await consoles.open();
    const other = await consoles.openTab(context);
    await heading(other, 'Overview').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await heading(page, 'Log in').waitFor();
    expect(await context.cookies()).toEqual([]);
    await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  });

  it('of another account, begun in another tab, is none of a page that is open', async () => {
    const [first, second] = [await consoles.newAccount(), await consoles.newAccount()];
    const { page, context } = await consoles.open({ account: null, path: '/users' });
    const other = await consoles.openTab(context, '/users');
    await heading(other, 'Log in').waitFor();
    // Without its stream, the page hears of nothing.
    await page.route('**/api/events/stream?*', () => undefined);
    await fillIn(page, first);
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await page.getByLabel('Reference').fill('ann');
    await fillIn(other, second);
    await heading(other, 'Users').waitFor();
    await page.getByRole('button', { name: 'Create the user' }).click();
    const ended = (tab: Page) => tab.getByRole('dialog', { name: 'Your session has ended' });
    await ended(page).waitFor();
    expect((await second.client.get('/account/user/ann/reference')).status).toBe(404);
    // The other page hears by its stream that its session has ended now.
    await fillIn(page, first);
    await ended(other).waitFor();
    await ended(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create the user' }).click();
    await heading(page, 'User ann').waitFor();
    expect((await first.client.get('/account/user/ann/reference')).status).toBe(200);
  });

  it('of another account gets nothing of a form without an answer', async () => {
    const second = await consoles.newAccount();
    const { page, context } = await consoles.open({ path: '/users' });
    await page.getByLabel('Name', { exact: true }).fill('Ann Archer');
    const create = () => page.getByRole('button', { name: 'Create the user' }).click();
    await losingAnswers(consoles, [page, '**/api/account/user'], create);
    await page.getByText('No answer came').waitFor();
    const stored = () => page.evaluate('JSON.stringify(sessionStorage)');
    expect(await stored()).toContain('Ann Archer');
    await context.clearCookies();
    await page.reload();
    await fillIn(page, second);
    await heading(page, 'Users').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
    expect(await stored()).toBe('{}');
  });
});
