import { expect, it } from '@jest/globals';
import { describeInBrowser, withConsole } from '#testing/console.js';

const consoles = withConsole();

describeInBrowser('a person without a session', () => {
  it('logs in with the form, and is at the address that was asked for', async () => {
    const account = await consoles.newAccount();
    const { page } = await consoles.open({ account: null, path: '/nowhere?x=1' });
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await consoles.expectAccessible(page);
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(page.url()).toBe(`${consoles.url}/nowhere?x=1`);
    await page.screenshot({ path: '/tmp/console-shot-404.png' });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await consoles.expectAccessible(page);
    await page.screenshot({ path: '/tmp/console-shot-overview.png' });
  });
});
