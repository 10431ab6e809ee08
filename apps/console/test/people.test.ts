import { expect, it } from '@jest/globals';
import { type LoggedIn, logIn } from '#testing/client.js';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { button, focused, heading } from '#testing/page-parts.js';
import { INVITED, joinAs, type TestPerson } from '#testing/people.js';
import { addFactor, factorCodeOf, forgetUsedCodes, giveFactor } from '#testing/second-factor.js';
import { ok } from '#testing/test-business.js';

const consoles = withConsole();

const PAGE = /http:\/\/console\.test(\/accept-invitation\?token=[\w.-]+)/;

/** The account, as a person of another role sees it. */
async function joined(role: string): Promise<{ account: LoggedIn; person: TestPerson; asPerson: LoggedIn }> {
  const account = await consoles.newAccount();
  const person = await joinAs(account.client, role, consoles.mailTo);
  const token = await logIn(consoles.api.client, person);
  return { account, person, asPerson: { ...person, token, client: consoles.api.client.as({ token }) } };
}

describeInBrowser('people', () => {
  it('are invited and accept by the keyboard, and then log in', async () => {
    const { page } = await consoles.open({ path: '/people' });
    const bob = { email: `bob-${Date.now()}@example.com`, name: 'Bob' };
    await button(page, 'Invite a person').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.type(bob.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(bob.name);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Set');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(`The invitation goes to ${bob.email}`).waitFor();
    const row = page.getByRole('row', { name: /^Bob bob-.* settler invited no never/ });
    await row.waitFor();
    await consoles.expectAccessible(page);
    const { raw } = await consoles.mailTo(bob, INVITED);
    const path = PAGE.exec(raw)?.[1] ?? '';
    expect(raw).toContain('http://ledger.test/operators/accept-invitation');

    const { page: bobs } = await consoles.open({ account: null, path });
    await heading(bobs, 'Accept the invitation').waitFor();
    await consoles.expectAccessible(bobs);
    await bobs.getByLabel('Choose a password').focus();
    await bobs.keyboard.type('password1');
    await bobs.keyboard.press('Enter');
    await bobs.getByText(/common or breached/).waitFor();
    await bobs.getByLabel('Choose a password').fill('correct battery of Bob');
    await bobs.keyboard.press('Enter');
    await heading(bobs, 'You are in').waitFor();
    await expectSoon(focused(bobs), 'You are in');
    await consoles.expectAccessible(bobs);
    await bobs.goto(consoles.url + path);
    await bobs.getByLabel('Choose a password').fill('correct battery of Bob');
    await bobs.keyboard.press('Enter');
    await bobs.getByText('Invalid or expired invitation').waitFor();
    await bobs.goto(`${consoles.url}/`);
    await bobs.getByLabel('E-mail').fill(bob.email);
    await bobs.getByLabel('Password').fill('correct battery of Bob');
    await bobs.keyboard.press('Enter');
    await heading(bobs, 'Overview').waitFor();
    await bobs.getByRole('navigation').getByText('Bob, settler').waitFor();
  });

  it('are changed, suspended, activated and deleted, with a trail of what each did', async () => {
    const { account, person, asPerson } = await joined('trader');
    ok(await asPerson.client.post('/exports', { kind: 'bets', from: '2026-01-01', to: '2026-02-01' }), 202);
    const { page } = await consoles.open({ account, path: '/people' });
    await page.getByRole('link', { name: person.name }).click();
    await heading(page, person.name).waitFor();
    const trail = page.getByRole('table', { name: 'Account events, newest first' });
    await trail.getByRole('row', { name: /Export requested/ }).waitFor();
    await trail.getByRole('row', { name: /Invitation accepted/ }).waitFor();
    expect(await trail.getByRole('row', { name: /Person invited/ }).count()).toBe(0);
    await consoles.expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectWidth(page, 390);
    await button(page, 'Edit').click();
    await page.getByLabel('Role').selectOption('viewer');
    await button(page, 'Save').click();
    await page.getByText('The person is changed').waitFor();
    expect((await asPerson.client.post('/account/user', {})).status).toBe(403);
    await giveFactor(consoles.environment.database, person.id);
    await page.reload();
    await button(page, 'Remove the second factor').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the second factor' }).click();
    await page.getByText('The second factor is removed').waitFor();
    await button(page, 'Remove the second factor').waitFor({ state: 'detached' });
    await button(page, 'Suspend').click();
    await button(page, 'Suspend the person').click();
    await button(page, 'Activate').waitFor();
    expect((await asPerson.client.get('/account/user')).status).toBe(401);
    await button(page, 'Activate').click();
    await button(page, 'Activate the person').click();
    await button(page, 'Suspend').waitFor();
    await button(page, 'Delete').click();
    await consoles.expectAccessible(page);
    await page.keyboard.press('Escape');
    await button(page, 'Delete').click();
    await button(page, 'Delete the person').click();
    await heading(page, 'People').waitFor();
    await page.getByRole('row', { name: /^A trader/ }).waitFor({ state: 'detached' });
    await page.goto(`${consoles.url}/people/${person.id}`);
    await page.getByText('Operator not found').waitFor();
    await trail.getByRole('row', { name: /Export requested/ }).waitFor();
    await consoles.expectAccessible(page);
  });

  it('see their own e-mail where a page fills it in', async () => {
    const { asPerson, person } = await joined('trader');
    const { page } = await consoles.open({ account: asPerson, path: '/get-started' });
    await page.getByText(`{"email":"${person.email}","password":"YOUR PASSWORD"}`).waitFor();
    for (const path of ['/forgot-password', '/reset-password']) {
      await page.goto(consoles.url + path);
      await expectSoon(() => page.getByLabel('E-mail').inputValue(), person.email);
    }
  });

  it('all need a second factor when an owner who has one says so, and until an owner says otherwise', async () => {
    const { page, account } = await consoles.open({ path: '/people' });
    const ask = async () => {
      await button(page, 'Ask everybody for one').click();
      await page.getByRole('dialog').waitFor();
      await button(page, 'Ask for it').click();
    };
    await ask();
    await page.getByRole('dialog').getByText('Add a second factor of your own first').waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.press('Escape');
    const { secret } = await addFactor(account.client, account);
    await ask();
    await page.getByText('Everybody needs a second factor: who has none').waitFor();
    await consoles.expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectWidth(page, 390);
    const required = async () =>
      ok(await account.client.get('/auth/account/preferences'), 200).data.require_second_factor;
    expect(await required()).toBe(true);
    const { database } = consoles.environment;
    await database.query(`UPDATE access_tokens SET proved_at = now() - interval '16 minutes'`);
    await forgetUsedCodes(database, account);
    await button(page, 'Leave it to each person').click();
    await button(page, 'Leave it to each').click();
    const asked = page.getByRole('dialog', { name: 'Confirm your password' });
    await asked.getByLabel('Password').fill(account.password);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await asked.getByLabel('Code', { exact: true }).fill(factorCodeOf(secret));
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Each person chooses whether').waitFor();
    expect(await required()).toBe(false);
  });

  it('keep their last owner, and say so', async () => {
    const { page } = await consoles.open({ path: '/people' });
    await page
      .getByRole('row', { name: /owner active/ })
      .getByRole('link')
      .click();
    await button(page, 'Delete').click();
    await button(page, 'Delete the person').click();
    await page.getByRole('dialog').getByText('The last owner stays').waitFor();
  });

  it('are offered what their role allows', async () => {
    const { account, person, asPerson } = await joined('viewer');
    ok(await account.client.post('/account/user', { name: 'Ann', reference: 'ann' }));
    const { page } = await consoles.open({ account: asPerson, path: '/people' });
    expect(await button(page, 'Invite a person').isDisabled()).toBe(true);
    await page.getByText('Your role, viewer, does not allow this.').first().waitFor();
    expect(await button(page, 'Ask everybody for one').isDisabled()).toBe(true);
    await consoles.expectAccessible(page);
    await page.goto(`${consoles.url}/users/ann`);
    await button(page, 'Fund').waitFor();
    for (const name of ['Fund', 'Withdraw', 'Edit', 'Make an offer']) {
      expect([name, await button(page, name).isDisabled()]).toEqual([name, true]);
    }
    await page.goto(`${consoles.url}/access`);
    await page
      .getByRole('row', { name: /this session/ })
      .getByText(person.name)
      .waitFor();
    expect(await button(page, 'New API key').isDisabled()).toBe(true);
    // A role that was raised meanwhile shows with the next page.
    ok(await account.client.patch(`/operators/${person.id}`, { role: 'trader' }), 200);
    await page.goto(`${consoles.url}/users/ann`);
    await expectSoon(() => button(page, 'Fund').isDisabled(), false);
    ok(await account.client.patch(`/operators/${person.id}`, { role: 'viewer' }), 200);
    await button(page, 'Fund').click();
    await page.getByRole('dialog').getByLabel('Amount').fill('5');
    await page.getByRole('dialog').getByLabel('Amount').press('Enter');
    await page.getByRole('dialog').getByText('Your role does not allow this').waitFor();
  });

  it('are named by the events of the ledger', async () => {
    const { account, person, asPerson } = await joined('trader');
    ok(await asPerson.client.post('/account/user', { name: 'Ann', reference: 'ann' }));
    const { page } = await consoles.open({ account, path: '/events' });
    await page
      .getByRole('row', { name: /user\.created/ })
      .getByRole('link', { name: person.name })
      .click();
    await heading(page, person.name).waitFor();
  });
});
