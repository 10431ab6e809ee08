import { expect, it } from '@jest/globals';
import type { LoggedIn } from '#testing/client.js';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { losingAnswers } from '#testing/lost-answer.js';
import { atFocus, button, figure, focused, heading } from '#testing/page-parts.js';
import { acceptance, offer, ok } from '#testing/test-business.js';

const consoles = withConsole();

const HOSTILE = `<script>alert(1)</script>\u202Eevil`;
/** A browser of 1,280 pixels at 200 percent. */
const AT_200_PERCENT = { width: 640, height: 400 };
const PHONE = { viewport: { width: 390, height: 844 } };

/** A user of a new account, with money. */
async function userWithMoney(reference: string, amount: number): Promise<LoggedIn> {
  const account = await consoles.newAccount();
  ok(await account.client.post('/account/user', { name: reference, reference }));
  ok(await account.client.post('/transactions/fund-user', { user_reference: reference, amount, description: 'First' }));
  return account;
}

async function balanceOf({ client }: LoggedIn, reference: string): Promise<number> {
  return ok(await client.get(`/account/user/${encodeURIComponent(reference)}/reference`), 200).data.balance;
}

const preferencesOf = async ({ client }: LoggedIn) => ok(await client.get('/auth/account/preferences'), 200).data;

describeInBrowser('users', () => {
  it('begin with a form, and are found afterwards', async () => {
    const { page, account } = await consoles.open({ path: '/users' });
    await page.getByRole('heading', { name: 'Create the first user' }).waitFor();
    await consoles.expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await page.getByLabel('Reference').fill('a,b');
    await button(page, 'Create the user').click();
    await page.getByText('must not contain a comma').waitFor();
    await expectSoon(focused(page), 'reference');
    await page.getByLabel('Reference').fill(HOSTILE);
    await button(page, 'Create the user').click();
    await heading(page, `User ${HOSTILE}`).waitFor();
    ok(await account.client.post('/account/user', { name: 'x'.repeat(100), reference: 'long' }));
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('row', { name: 'xxx' }).waitFor();
    await page.getByLabel('Name or reference').fill('SCRIPT');
    await button(page, 'Apply').click();
    await page.getByRole('row', { name: 'xxx' }).waitFor({ state: 'hidden' });
    expect(page.url()).toBe(`${consoles.url}/users?search=SCRIPT`);
    await page.getByRole('row', { name: 'script' }).waitFor();
    await expectSoon(() => page.getByRole('row').count(), 2);
    await consoles.expectAccessible(page);
  });

  it('are there for their own account only', async () => {
    await userWithMoney('ann', 100);
    const { page } = await consoles.open({ path: '/users/ann' });
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.getByRole('button', { name: 'Fund' }).count()).toBe(0);
  });
});

describeInBrowser('money', () => {
  it('goes in by the keyboard alone', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/users/ann', browser: PHONE });
    await button(page, 'Fund').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Fund ann' }).waitFor();
    await consoles.expectAccessible(page);
    await expectSoon(focused(page), 'amount');
    await page.keyboard.type('50.5');
    await page.keyboard.press('Enter');
    await page.getByText('Funded 50.50. The balance is 150.50.').waitFor();
    await figure(page, 'Balance').getByText('150.50').waitFor();
    await expectSoon(focused(page), 'Fund');
    expect(await balanceOf(account, 'ann')).toBe(150.5);
    await expectWidth(page, 390);
  });

  it('goes out unless it is too much, and the refusal stands in the form', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/users/ann' });
    await button(page, 'Withdraw').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('1.1234567');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await dialog.locator('.field-fault').waitFor();
    await expectSoon(focused(page), 'amount');
    await dialog.getByLabel('Amount').fill('100.01');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await balanceOf(account, 'ann')).toBe(100);
    await dialog.getByLabel('Amount').fill('30');
    await dialog.getByLabel('Description').fill('Payout');
    // As by a double click.
    await page.evaluate(`for (const _ of 'ab') document.querySelector('dialog form').requestSubmit()`);
    await page.getByRole('row', { name: '−30.00 70.00 Payout' }).waitFor();
    expect(await balanceOf(account, 'ann')).toBe(70);
  });
});

describeInBrowser('a form of money', () => {
  it('asks once more about much, by the keyboard alone, and takes amounts as the page shows them', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/users/ann', browser: PHONE });
    await button(page, 'Fund').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('1.250,50');
    await page.keyboard.press('Enter');
    await page.getByText('must be a number like 1250.50').waitFor();
    await expectSoon(focused(page), 'amount');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('1.250');
    await page.keyboard.press('Enter');
    await page.getByText('may mean two numbers: write 1250 or 1.2500').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('99,999,999.5');
    await page.keyboard.press('Enter');
    await page.getByText('Fund 99 999 999.50 to ann?').waitFor();
    await expectSoon(atFocus(page, 'role'), 'alert');
    await consoles.expectAccessible(page);
    await expectWidth(page, 390);
    // The key that sent the form does not answer, and another amount is another question.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectSoon(focused(page), 'amount');
    expect(await balanceOf(account, 'ann')).toBe(100);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('10\u202f000.01');
    await page.keyboard.press('Enter');
    await page.getByText('Fund 10 000.01 to ann?').waitFor();
    await expectSoon(atFocus(page, 'role'), 'alert');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Funded 10 000.01. The balance is 10 100.01.').waitFor();
    await figure(page, 'Balance').getByText('10 100.01').waitFor();
    expect(await figure(page, 'Balance').locator('.amount').getAttribute('title')).toBe('10100.01');
  });

  it('asks above the amount that the account prefers', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/access' });
    const bound = page.getByLabel('Ask again above');
    expect(await bound.inputValue()).toBe('');
    await bound.fill('25');
    await button(page, 'Save').click();
    await page.getByText('Saved').waitFor();
    await page.goto(`${consoles.url}/users/ann`);
    await button(page, 'Withdraw').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('25.01');
    await page.keyboard.press('Enter');
    await dialog.getByText('Withdraw 25.01 from ann?').waitFor();
    await dialog.getByLabel('Amount').fill('25');
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText('Withdrew 25.00. The balance is 75.00.').waitFor();
    await page.goto(`${consoles.url}/access`);
    await expectSoon(() => bound.inputValue(), '25.00');
    await bound.fill('');
    await button(page, 'Save').click();
    await page.getByText('Saved').waitFor();
    expect(await preferencesOf(account)).toEqual({ allow_negative_balance: false });
  });

  it('sends nothing when it cannot look first', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/users/ann' });
    await page.route('**/api/auth/account/preferences', (route) =>
      route.fulfill({ status: 503, json: { status: 503, error: 'Away' } }),
    );
    await button(page, 'Fund').click();
    await page.getByRole('dialog').getByLabel('Amount').fill('5');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was sent: Away').waitFor();
    expect(await balanceOf(account, 'ann')).toBe(100);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
  });

  it('says when an offer would create a wager, and not when there is one', async () => {
    const account = await userWithMoney('ann', 100);
    ok(await account.client.post('/bets/make-offer', offer('ann', 1)));
    const { page } = await consoles.open({ account, path: '/users/ann' });
    await button(page, 'Make an offer').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Wager').fill('matsh');
    await dialog.getByLabel('Odds').fill('2,5');
    await dialog.getByLabel('Stake').fill('10');
    await page.keyboard.press('Enter');
    await dialog.getByText('must have a point before the decimals').waitFor();
    await dialog.getByLabel('Odds').fill('2.5');
    await page.keyboard.press('Enter');
    await dialog.getByText('No wager has the reference “matsh” yet: the offer will create it.').waitFor();
    await consoles.expectAccessible(page);
    await dialog.getByLabel('Wager').fill('match');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'match 2.50 10.00' }).waitFor();
    expect((await account.client.get('/wagers/matsh')).status).toBe(404);
  });
});

describeInBrowser('money without an answer', () => {
  it('does not go in again with another amount before the page says that the first may have', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/users/ann' });
    await button(page, 'Fund').click();
    const dialog = page.getByRole('dialog');
    const fund = async (amount: string) => {
      await dialog.getByLabel('Amount').fill(amount);
      await dialog.getByRole('button', { name: 'Fund' }).click();
    };
    await losingAnswers(consoles, [page, '**/api/transactions/fund-user'], () => fund('500'));
    await dialog.getByText('No answer came').waitFor();
    await fund('0.1234567');
    await dialog.locator('.field-fault').waitFor();
    await fund('50');
    await dialog.getByText('The earlier attempt arrived as it was sent.').waitFor();
    expect(await balanceOf(account, 'ann')).toBe(600);
    await fund('50');
    await page.getByText('Funded 50.00. The balance is 650.00.').waitFor();
  });
});

describeInBrowser('a user', () => {
  it('has its exposure by wager, its offers, and its statement with a chart', async () => {
    const account = await userWithMoney('ann', 100);
    const { client } = account;
    ok(await client.post('/account/user', { name: 'bob', reference: 'bob' }));
    ok(await client.post('/transactions/fund-user', { user_reference: 'bob', amount: 100 }));
    const { bet_id } = ok(await client.post('/bets/make-offer', offer('ann', 20))).data;
    ok(await client.post('/bets/accept-offer', acceptance('bob', 20, { bet_id })));
    const { page } = await consoles.open({ account, path: '/users/ann' });
    await page.getByRole('row', { name: 'match 20.00' }).waitFor();
    await page.getByText('All figures as of').waitFor();
    await button(page, 'Make an offer').click();
    const dialog = page.getByRole('dialog', { name: 'Offer of ann' });
    await dialog.getByLabel('Wager').fill('other');
    await dialog.getByLabel('Odds').fill('3');
    await dialog.getByLabel('Stake').fill('10');
    await dialog.getByRole('button', { name: 'Make the offer' }).click();
    await dialog.getByRole('button', { name: 'Create the wager' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'other 3.00 10.00' }).waitFor();
    await page.getByRole('row', { name: 'other 10.00' }).first().waitFor();
    // What happens elsewhere is shown by itself, and each figure agrees.
    ok(await client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'loss' }));
    await page.getByRole('row', { name: 'Bet settled: loss' }).waitFor();
    await page.getByRole('img', { name: /Balance over time/ }).waitFor();
    await page.getByText('Balance over time as a table').click();
    await page.getByRole('table', { name: 'Balance over time' }).getByRole('row', { name: '80.00' }).first().waitFor();
    await page.getByText('All figures as of').waitFor();
    await consoles.expectAccessible(page);
    await page.setViewportSize(AT_200_PERCENT);
    await expectWidth(page, AT_200_PERCENT.width);
    const cancel = async (amount: string) => {
      await page.reload(); // a page shows one change soon, and several at a slower pace
      await page.getByRole('button', { name: /^Cancel the offer/ }).click();
      const canceling = page.getByRole('dialog', { name: 'Cancel the offer' });
      await canceling.getByLabel('Amount').fill(amount);
      await canceling.getByRole('button', { name: 'Cancel the offer' }).click();
      await canceling.waitFor({ state: 'detached' });
    };
    await cancel('4');
    await page.getByRole('row', { name: 'other 3.00 6.00' }).waitFor();
    await cancel('');
    await page.getByText('No open offers.').waitFor();
    await page.getByText('No open bet: nothing is at risk.').waitFor();
  });

  it('has figures of one moment, which one read brings', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/users' });
    const reads: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/account/user/')) reads.push(pathname);
    });
    await page.getByRole('link', { name: 'ann' }).click();
    await page.getByText('All figures as of').waitFor();
    expect(await figure(page, 'Balance').innerText()).toBe('100.00');
    expect(await figure(page, 'Closing').innerText()).toBe('100.00');
    expect(reads).toEqual(['/api/account/user/ann/statement']);
  });

  it('has a statement of any period, and as a file', async () => {
    const account = await userWithMoney('ann', 100);
    for (let count = 0; count < 60; count += 1) {
      ok(await account.client.post('/transactions/fund-user', { user_reference: 'ann', amount: 1 }));
    }
    const { page } = await consoles.open({ account, path: '/users/ann' });
    const lines = page.getByRole('table', { name: 'Transactions, newest first' });
    await expectSoon(() => lines.getByRole('row').count(), 51);
    await lines.getByRole('row', { name: '1.00 160.00' }).waitFor();
    await button(page, 'Next').click();
    await lines.getByRole('row', { name: '100.00 100.00 First' }).waitFor();
    await expectSoon(() => lines.getByRole('row').count(), 12);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('statement.csv');
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill('2026-01-31');
    await button(page, 'Apply').click();
    await page.getByText('No transactions in this period.').waitFor();
    await figure(page, 'Opening').getByText('0.00').waitFor();
  });

  it('is edited', async () => {
    const account = await userWithMoney('ann', 100);
    const { page } = await consoles.open({ account, path: '/users/ann' });
    await button(page, 'Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('Ann Archer');
    await page.getByLabel('Negative balance').selectOption('Allowed');
    await page.getByLabel('Custom fields').fill('favourite team: Rovers');
    await button(page, 'Save').click();
    await page.getByText('must contain only letters, digits and underscores').waitFor();
    await page.getByLabel('Custom fields').fill('favourite_team: Rovers: the best');
    await button(page, 'Save').click();
    await page.getByText('Rovers: the best').waitFor();
    await page.getByText('Ann Archer').waitFor();
  });

  it('keeps the preferences that no form shows', async () => {
    const account = await userWithMoney('ann', 100);
    const path = '/account/user/ann/reference';
    const own = { theme: 'dark', limits: { day: 50 } };
    ok(await account.client.patch(path, { preferences: own }), 200);
    const preferences = async () => ok(await account.client.get(path), 200).data.preferences;
    const { page } = await consoles.open({ account, path: '/users/ann' });
    const save = async (name: string, negative?: string) => {
      await page.reload();
      await button(page, 'Edit').click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      if (negative !== undefined) await page.getByLabel('Negative balance').selectOption(negative);
      await button(page, 'Save').click();
      await page.getByText(name).waitFor();
    };
    await save('Ann Archer');
    expect(await preferences()).toEqual(own);
    await save('Ann Baker', 'Allowed');
    expect(await preferences()).toEqual({ ...own, allow_negative_balance: true });
    await save('Ann Cook', 'Account default (not allowed)');
    expect(await preferences()).toEqual(own);
  });
});
