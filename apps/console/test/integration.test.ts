import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { losingAnswers } from '#testing/lost-answer.js';
import { atFocus, button, focused, heading } from '#testing/page-parts.js';
import { runCli } from '#testing/run-cli.js';
import { acceptance, createUser, offer, ok } from '#testing/test-business.js';
import { startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';

const consoles = withConsole({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver?.close());

/** A browser of 1,280 pixels at 200 percent. */
const AT_200_PERCENT = { width: 640, height: 400 };

const eventRows = (page: Page) => page.getByRole('table', { name: 'Events, newest first' }).locator('tbody tr');

/** An account with two users, a match and an offer: 8 events and more. */
async function accountWithBets() {
  const account = await consoles.newAccount();
  for (const reference of ['ann', 'bob']) {
    await createUser(account.client, { name: reference, reference });
    ok(await account.client.post('/transactions/fund-user', { user_reference: reference, amount: 100 }));
  }
  const { bet_id } = ok(await account.client.post('/bets/make-offer', offer('ann', 20))).data;
  ok(await account.client.post('/bets/accept-offer', acceptance('bob', 20, { bet_id })));
  return account;
}

describeInBrowser('events', () => {
  it('come in live, wait while paused, and are filtered', async () => {
    const account = await accountWithBets();
    const { page } = await consoles.open({ account, path: '/events' });
    await eventRows(page).filter({ hasText: 'offer.matched' }).waitFor();
    const before = await eventRows(page).count();
    const cat = await createUser(account.client, { name: 'cat', reference: 'cat' });
    await eventRows(page).first().filter({ hasText: 'cat' }).waitFor();
    await expectSoon(() => eventRows(page).count(), before + 1);
    await button(page, 'Pause').click();
    await page.getByText('New events wait.').waitFor();
    await createUser(account.client, { name: 'dan', reference: 'dan' });
    await page.getByText('1 new event waits.').waitFor();
    expect(await eventRows(page).filter({ hasText: 'dan dan' }).count()).toBe(0);
    await button(page, 'Pause').click();
    await eventRows(page).filter({ hasText: 'dan dan' }).waitFor();
    await consoles.expectAccessible(page);
    await page.getByLabel('User', { exact: true }).fill('cat');
    await button(page, 'Apply').click();
    await eventRows(page).filter({ hasText: 'offer.matched' }).waitFor({ state: 'hidden' });
    await eventRows(page).filter({ hasText: 'cat' }).waitFor();
    await expectSoon(() => eventRows(page).count(), 1);
    // Filters hold for what comes, too.
    await createUser(account.client, { name: 'eve', reference: 'eve' });
    ok(await account.client.post('/transactions/fund-user', { user_id: cat.id, amount: 7 }));
    await eventRows(page).first().filter({ hasText: '7.00' }).waitFor();
    await expectSoon(() => eventRows(page).count(), 2);
    await page.setViewportSize(AT_200_PERCENT);
    await expectWidth(page, AT_200_PERCENT.width);
    await page.getByLabel('User', { exact: true }).fill('nobody');
    await button(page, 'Apply').click();
    await page.getByText('There is no user').waitFor();
  });

  it('are found from the bet and the wager that they are about', async () => {
    const account = await accountWithBets();
    const { data } = ok(await account.client.get('/events?types=offer.matched'), 200);
    const { bet, wager } = data[0];
    const { page } = await consoles.open({ account, path: `/bets/${bet.id}` });
    await page.getByRole('link', { name: 'Everything that happened to this bet' }).click();
    await eventRows(page).filter({ hasText: 'offer.matched' }).waitFor();
    await expectSoon(() => eventRows(page).count(), 2);
    await page.goto(`${consoles.url}/wagers/${wager.reference}`);
    await page.getByRole('link', { name: 'Everything that happened to this wager' }).click();
    await eventRows(page).filter({ hasText: 'wager.created' }).waitFor();
    await expectSoon(() => eventRows(page).count(), 3);
    await page.goto(`${consoles.url}/events?bet=ann`);
    await page.getByText('There is no bet').waitFor();
  });

  it('lead from a number to the event, and to what it is about', async () => {
    const account = await accountWithBets();
    const { page } = await consoles.open({ account, path: '/events?types=bet.*' });
    await page.getByText(/No matching events among the numbers 1 to/).waitFor();
    await page.getByLabel('Event number').fill('2');
    await page.keyboard.press('Enter');
    await heading(page, 'Event 2').waitFor();
    await page.getByRole('table', { name: 'Transactions' }).waitFor();
    await consoles.expectAccessible(page);
    await page.getByRole('link', { name: 'Next' }).click();
    await heading(page, 'Event 3').waitFor();
    await page.getByRole('link', { name: 'In the list' }).click();
    await eventRows(page).first().filter({ hasText: 'user.created' }).waitFor();
    await expectSoon(() => eventRows(page).count(), 3);
    await page
      .getByRole('link', { name: /^user \d+$/ })
      .first()
      .click();
    await heading(page, 'User ann').or(heading(page, 'User bob')).waitFor();
    await page.goto(`${consoles.url}/events/999`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await consoles.expectAccessible(page);
  });
});

describeInBrowser('a webhook', () => {
  it('is made with a secret that is shown once, tested, replayed and deleted', async () => {
    const account = await accountWithBets();
    const { page } = await consoles.open({ account, path: '/webhooks' });
    await page.getByText('No webhooks yet.').waitFor();
    await consoles.expectAccessible(page);
    await button(page, 'New webhook').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expectSoon(focused(page), 'url');
    await dialog.getByLabel('URL').fill(receiver.url);
    await page.keyboard.press('Tab');
    await page.keyboard.type('user.*, nonsense');
    await page.keyboard.press('Enter');
    await dialog.getByText('must name types of events: nonsense is none').waitFor();
    await expectSoon(focused(page), 'types');
    await dialog.getByLabel('Events').fill('user.*');
    await page.keyboard.press('Enter');
    const secret = await dialog.getByRole('region', { name: 'Secret' }).textContent();
    expect(secret).toMatch(/^whsec_/);
    // The form has gone, and the focus stays in the dialog.
    await expectSoon(atFocus(page, 'tagName'), 'DIALOG');
    await consoles.expectAccessible(page);
    await dialog.getByRole('button', { name: 'I have stored it' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Webhook \d+$/ }).waitFor();
    await expectSoon(atFocus(page, 'tagName'), 'H1');
    await page.getByText('Nothing was sent yet.').waitFor();
    expect(await page.content()).not.toContain(secret);
    await button(page, 'Test').click();
    await button(page, 'Send a ping').click();
    await page.getByText('Test delivered: status 204').waitFor();
    await page.getByRole('row', { name: 'test delivered 204' }).waitFor();
    expect(receiver.received.at(-1)?.body.type).toBe('ping');
    await button(page, 'Replay').click();
    await page.getByLabel('After event number').fill('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('row', { name: 'delivered 204' }).nth(1).waitFor();
    await consoles.expectAccessible(page);
    await button(page, 'Disable').click();
    await button(page, 'Disable the webhook').click();
    await page.getByText('disabled: by this account').waitFor();
    // The button that opened the dialog has gone, and the focus is not lost.
    await expectSoon(atFocus(page, 'tagName'), 'H1');
    expect(await button(page, 'Disable').count()).toBe(0);
    await button(page, 'Enable').click();
    await button(page, 'Enable the webhook').click();
    await page.getByText('active', { exact: true }).waitFor();
    await button(page, 'Rotate the secret').click();
    await losingAnswers(consoles, [page, '**/rotate-secret'], () => button(page, 'Create a new secret').click());
    await dialog.getByText('It may have been done: look before you send it again.').waitFor();
    await button(page, 'Create a new secret').click();
    expect(await dialog.getByRole('region', { name: 'Secret' }).textContent()).not.toBe(secret);
    await button(page, 'I have stored it').click();
    await page.getByText('Old secret valid until').waitFor();
    await button(page, 'Delete').click();
    await button(page, 'Delete the webhook').click();
    await page.getByText('No webhooks yet.').waitFor();
  });
});

describeInBrowser('an export', () => {
  it('is requested, made by the worker, and downloaded', async () => {
    const account = await accountWithBets();
    const { page } = await consoles.open({ account, path: '/exports' });
    await page.getByText('No exports yet.').waitFor();
    await page.getByLabel('Data').selectOption('Statement of a user');
    await button(page, 'Request the export').click();
    await page.getByText('must be given for a statement').waitFor();
    await page.getByLabel('User').fill('ann');
    await button(page, 'Request the export').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download the export/ }).click(),
    ]);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/,funding,100,100,100,/);
    await consoles.expectAccessible(page);
  });

  it('stands beside the reconciliation of each day', async () => {
    const account = await accountWithBets();
    const { page } = await consoles.open({ account, path: '/reconciliation' });
    await page.getByText('The figures add up').waitFor();
    await page.getByRole('row', { name: '+ funded 200.00' }).waitFor();
    await page.getByRole('row', { name: /^ann 0\.00 100\.00/ }).waitFor();
    await consoles.expectAccessible(page);
    await page.getByRole('link', { name: 'Previous day' }).click();
    await page.getByRole('row', { name: '= closing balance 0.00' }).waitFor();
  });

  it('shows the correction of a balance in its day, in the events and in the statement', async () => {
    const { database } = consoles.environment;
    const account = await accountWithBets();
    const { id } = account;
    const [row] = await database.query(
      `UPDATE balances b SET balance = balance - 4000000 FROM users u
        WHERE u.account_id = b.account_id AND u.id = b.user_id AND u.account_id = $1 AND u.reference = 'ann'
       RETURNING u.id::text`,
      [id],
    );
    const command = ['--correct', '--account', String(id), '--user', String(row?.id), '--keep', 'balance'];
    const done = await runCli('audit', [...command, '--reason', 'paid out in cash'], { DATABASE_URL: database.url });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const { page } = await consoles.open({ account, path: '/reconciliation' });
    await page.getByRole('row', { name: /corrected .4\.00/ }).waitFor();
    await page.getByText('The figures add up').waitFor();
    await page.goto(`${consoles.url}/events`);
    await eventRows(page)
      .filter({ hasText: /Balance corrected: 4.* from user/ })
      .waitFor();
    await page.goto(`${consoles.url}/users/ann`);
    await page.getByRole('row', { name: 'paid out in cash' }).waitFor();
  });

  it('of another account leads an admin to no user of its own', async () => {
    const { id } = await accountWithBets();
    const admin = await consoles.newAccount('admin');
    await createUser(admin.client, { name: 'ann', reference: 'ann' });
    const { page } = await consoles.open({ account: admin, path: '/reconciliation' });
    const link = page.getByRole('table', { name: 'Each user' }).getByRole('link', { name: 'ann', exact: true });
    await link.waitFor();
    await page.goto(`${consoles.url}/reconciliation?account=${id}`);
    await page.getByRole('row', { name: /^ann 0\.00 100\.00/ }).waitFor();
    expect(await link.getAttribute('href')).toBe(`/users/ann?account=${id}`);
  });
});
