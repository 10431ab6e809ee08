import { expect, it } from '@jest/globals';
import { logIn } from '#testing/client.js';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { losingAnswers } from '#testing/lost-answer.js';
import { button, heading } from '#testing/page-parts.js';
import { ok, registerAdmin } from '#testing/test-business.js';

const consoles = withConsole();

/** So many wrong passwords the API takes. */
const WRONG_PASSWORDS = 20;

describeInBrowser('an API key', () => {
  it('is made with a secret that is shown once and works, and is revoked', async () => {
    const { page } = await consoles.open({ path: '/access' });
    await page.getByText('No API key yet.').waitFor();
    await button(page, 'New API key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('settlement server');
    await dialog.getByLabel('Role').selectOption({ label: 'Settler: also decides and closes wagers' });
    await button(page, 'Create the key').click();
    const secret = (await dialog.getByRole('region', { name: 'Secret' }).textContent()) ?? '';
    const call = await dialog.getByRole('region', { name: 'Example call' }).textContent();
    const base64 = /Basic (\S+)'/.exec(call ?? '')?.[1] ?? '';
    expect(Buffer.from(base64, 'base64').toString()).toMatch(new RegExp(`:${secret}$`));
    const withKey = consoles.api.client.as({ base64 });
    ok(await withKey.get('/account/user'), 200);
    expect((await withKey.post('/webhook-endpoints', {})).body.error).toBe('Your role does not allow this');
    await consoles.expectAccessible(page);
    await button(page, 'I have stored it').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /^settlement server settler/ }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke the key settlement server' }).click();
    await button(page, 'Revoke the key').click();
    await page.getByText('No API key yet.').waitFor();
    expect((await withKey.get('/account/user')).status).toBe(401);
    await consoles.expectAccessible(page);
  });
});

describeInBrowser('sessions', () => {
  it('are listed, and end one by one', async () => {
    const { page, account } = await consoles.open({ path: '/access' });
    const token = await logIn(consoles.api.client, account);
    await page.reload();
    const rows = page.getByRole('table', { name: 'Sessions' }).locator('tbody tr');
    await rows.filter({ hasText: 'this session' }).waitFor();
    // One of the registration, one of the console, and this one, which is the newest.
    await expectSoon(() => rows.count(), 3);
    await rows.first().getByRole('button').click();
    await button(page, 'End the session').click();
    await rows.nth(2).waitFor({ state: 'hidden' });
    expect((await consoles.api.client.as({ token }).get('/account/user')).status).toBe(401);
    await page.getByRole('link', { name: 'Account events' }).click();
    await page.getByRole('row', { name: /Session ended/ }).waitFor();
    await page.getByLabel('Type').selectOption('Registered');
    await button(page, 'Apply').click();
    await page.getByRole('row', { name: /Session ended/ }).waitFor({ state: 'hidden' });
    await consoles.expectAccessible(page);
  });
});

describeInBrowser('a form that the API takes too often', () => {
  it('counts down until it may be sent again', async () => {
    const { page, account } = await consoles.open({ path: '/access' });
    const wrong = { password: 'wrong', new_password: 'battery staple 7', password_confirmation: 'battery staple 7' };
    for (let count = 0; count < WRONG_PASSWORDS; count += 1) {
      await account.client.post('/auth/account/reset-password', wrong);
    }
    await page.getByLabel('Current password').fill(account.password);
    await page.getByLabel('New password', { exact: true }).fill(wrong.new_password);
    await page.getByLabel('New password again').fill(wrong.new_password);
    await button(page, 'Change the password').click();
    const wait = page.getByRole('button', { name: /^Try again in \d+ s$/, disabled: true });
    const shown = String(await wait.textContent());
    await button(page, shown).waitFor({ state: 'hidden' });
    await wait.waitFor();
    // The password stays in the form, and nowhere else.
    expect(await page.getByLabel('Current password').inputValue()).toBe(account.password);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(account.password);
  });
});

describeInBrowser('the first calls', () => {
  it('are shown with the e-mail of the account and without a token', async () => {
    const { page, account } = await consoles.open({ path: '/get-started' });
    await heading(page, 'Get started').waitFor();
    const calls = page.getByRole('listitem').filter({ has: page.locator('pre') });
    await expectSoon(() => calls.count(), 5);
    await page.getByText(`{"email":"${account.email}","password":"YOUR PASSWORD"}`).waitFor();
    await consoles.expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectWidth(page, 390);
  });
});

describeInBrowser('tenants', () => {
  it('are found, changed, suspended and activated by an admin', async () => {
    const tenant = await consoles.newAccount();
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin, path: '/tenants' });
    await page.getByLabel('Name or e-mail').fill(tenant.email);
    await button(page, 'Apply').click();
    await consoles.expectAccessible(page);
    await page.getByRole('link', { name: tenant.name }).click();
    await heading(page, `Tenant ${tenant.name}`).waitFor();
    await page.getByRole('table', { name: 'The last days (UTC)' }).waitFor();
    await button(page, 'Suspend').click();
    await button(page, 'Suspend the account').click();
    await page.getByRole('row', { name: /Status changed/ }).waitFor();
    await consoles.expectAccessible(page);
    expect((await tenant.client.post('/account/user', { name: 'ann' })).status).toBe(403);
    await button(page, 'Activate').click();
    await button(page, 'Activate the account').click();
    await button(page, 'Suspend').waitFor();
    ok(await tenant.client.post('/account/user', { name: 'ann' }));
    await button(page, 'Edit').click();
    await page.getByLabel('Users may have negative balances').selectOption('Yes');
    await button(page, 'Save').click();
    await page.getByRole('row', { name: /Preferences changed/ }).waitFor();
  });

  it('are suspended again after a suspension without an answer', async () => {
    const { id, ...tenant } = await consoles.newAccount();
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin, path: `/tenants/${id}` });
    const suspend = () => button(page, 'Suspend the account').click();
    await button(page, 'Suspend').click();
    await losingAnswers(consoles, [page, '**/api/admin/accounts/*'], suspend);
    await page.getByText('No answer came').waitFor();
    await page.reload();
    await button(page, 'Activate').click();
    await button(page, 'Activate the account').click();
    await button(page, 'Suspend').click();
    await suspend();
    await page.getByText('The account is suspended').waitFor();
    expect((await tenant.client.post('/account/user', { name: 'ann' })).status).toBe(403);
  });

  it('keep the preferences that no form shows, and those that did not change', async () => {
    const { id } = await consoles.newAccount();
    const admin = await registerAdmin(consoles.api.client, consoles.environment.database);
    const own = { allow_negative_balance: false, theme: 'dark' };
    ok(await admin.client.patch(`/admin/accounts/${id}`, { preferences: own }), 200);
    const preferences = async () => ok(await admin.client.get(`/admin/accounts/${id}`), 200).data.preferences;
    const { page } = await consoles.open({ account: admin, path: `/tenants/${id}` });
    await button(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await button(page, 'Save').click();
    await heading(page, 'Tenant Renamed').waitFor();
    expect(await preferences()).toEqual(own);
    await button(page, 'Edit').click();
    await page.getByLabel('New API keys need the password').selectOption('Yes');
    await button(page, 'Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await preferences()).toEqual({ ...own, confirm_keys: true });
  });

  it('do not exist for others', async () => {
    const { page } = await consoles.open({ path: '/tenants' });
    await heading(page, 'Not found').waitFor();
    expect(await page.getByRole('link', { name: 'Tenants' }).count()).toBe(0);
  });
});
