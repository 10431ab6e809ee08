import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { button, dialog } from '#testing/page-parts.js';
import { addPerson } from '#testing/people.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

const consoles = withConsole();

const REASON = 'The match has ended 2:1';
const fact = (page: Page, name: string) =>
  page
    .locator('dl.facts')
    .first()
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]');
const stateIs = (page: Page, state: string) => expectSoon(() => fact(page, 'State').innerText(), state);

/** A business of two people, with a matched bet, which asks for approval. */
async function openBusiness() {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  await business.match('ann', 'bob', 10);
  const accountId = business.account.id;
  const bea = await addPerson(consoles.environment.database, consoles.api.client, { accountId });
  const approvals = { kinds: ['update_wager_outcome'], above: 1, expires_in: 3_600 };
  ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
  return { business, bea };
}

const outcomeOf = async ({ client }: TestBusiness) => ok(await client.get('/wagers/match'), 200).data.outcome;
const decision = (outcome: string) => ({ type: 'update_wager_outcome', reference: 'match', outcome });

describeInBrowser('a change request', () => {
  it('is found, looked at and approved, and then it is done', async () => {
    const { business, bea } = await openBusiness();
    ok(await bea.client.post('/change-requests', { operation: decision('win'), reason: REASON, suspend: true }));
    const { page } = await consoles.open({ account: business.account, path: '/approvals' });
    await consoles.expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    await page.getByRole('link', { name: 'Decide match as win' }).click();
    await stateIs(page, 'pending');
    expect(await fact(page, 'Asked by').innerText()).toBe('Bea');
    await page.getByText(REASON).waitFor();
    await page.getByRole('heading', { name: 'What it moves' }).waitFor();
    await consoles.expectAccessible(page);
    expect(await outcomeOf(business)).toBe('undecided');
    await button(page, 'Approve …').click();
    await consoles.expectAccessible(page);
    await dialog(page, 'Approve').getByRole('button', { name: 'Approve and do it' }).click();
    await stateIs(page, 'executed');
    expect(await outcomeOf(business)).toBe('win');
    expect(await button(page, 'Approve …').count()).toBe(0);
  });

  it('is rejected with a reason, after which nothing waits', async () => {
    const { business, bea } = await openBusiness();
    ok(await bea.client.post('/change-requests', { operation: decision('loss'), reason: REASON }));
    const { page } = await consoles.open({ account: business.account, path: '/approvals' });
    await page.getByRole('link', { name: 'Decide match as loss' }).click();
    await button(page, 'Reject …').click();
    await page.keyboard.type('The result is another one');
    await page.keyboard.press('Enter');
    await stateIs(page, 'rejected');
    await page.getByText('The result is another one').waitFor();
    await page.goto(`${new URL(page.url()).origin}/approvals`);
    await page.getByText('Nothing waits for approval.').waitFor();
    expect(await outcomeOf(business)).toBe('undecided');
  });

  it('is asked for from the page of the wager, and its maker cannot approve it', async () => {
    const { business } = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Ask to decide …').click();
    const asking = dialog(page, 'Ask to decide the wager');
    await asking.getByLabel('Result').selectOption('win');
    await asking.getByLabel('Why').fill(REASON);
    await asking.getByRole('button', { name: /^Ask to decide win: / }).click();
    await asking.waitFor({ state: 'detached' });
    const { data } = ok(await business.client.get('/change-requests'), 200);
    expect(data).toMatchObject([{ state: 'pending', reason: REASON, suspended: true }]);
    await page.goto(`${new URL(page.url()).origin}/approvals/${data[0].id}`);
    await button(page, 'Withdraw …').waitFor();
    expect(await button(page, 'Approve …').count()).toBe(0);
    expect(await outcomeOf(business)).toBe('undecided');
  });

  it('is made by a decision above the bound, which the console says', async () => {
    const { business } = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Decide …').click();
    const deciding = dialog(page, 'Decide the wager');
    await deciding.getByLabel('Result').selectOption('win');
    await deciding.getByLabel('Reference').fill('match');
    await deciding.getByRole('button', { name: /^Decide win: / }).click();
    await page.getByText(/^Approval required: change request \d+ waits for a second person\.$/).waitFor();
    expect(await outcomeOf(business)).toBe('undecided');
  });

  it('can no longer be approved when something else moves, and the page shows both', async () => {
    const { business, bea } = await openBusiness();
    const { id } = ok(await bea.client.post('/change-requests', { operation: decision('win'), reason: REASON })).data;
    await business.match('ann', 'bob', 5);
    const { page } = await consoles.open({ account: business.account, path: `/approvals/${id}` });
    await page.getByRole('heading', { name: 'What it would move now' }).waitFor();
    await page.getByText(/so it cannot be approved/).waitFor();
  });
});

describeInBrowser('what needs approval', () => {
  it('is shown, and is made less only with the approval of another person', async () => {
    const { business } = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/approvals' });
    await page.getByLabel('Needs a second person').selectOption('Nothing');
    await button(page, 'Save').click();
    await page.getByRole('link', { name: 'Change which operations need approval' }).waitFor();
  });
});
