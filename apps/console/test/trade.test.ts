import { expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { losingAnswers } from '#testing/lost-answer.js';
import { button, dialog, focused, tabTo } from '#testing/page-parts.js';
import { joinAs } from '#testing/people.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';

const consoles = withConsole();

async function openBusiness(): Promise<TestBusiness> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob', 'cat']) await business.user(name);
  ok(await business.make('ann', 10, 2.5));
  ok(await business.make('ann', 30, 3.25));
  return business;
}

const openOffers = async ({ client }: TestBusiness) =>
  ok(await client.get('/bets/open-bets?sort_by=requesting_odds&sort_direction=asc'), 200).data.map(
    (bet: { requesting_user_reference: string; requesting_odds: number; requesting_amount: number }) => [
      bet.requesting_user_reference,
      bet.requesting_odds,
      bet.requesting_amount,
    ],
  );

describeInBrowser('the ladder of a wager', () => {
  it('is traded from by the keyboard alone: a level is taken, and an offer made, for a user who is kept', async () => {
    const business = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Trade at 3.25').waitFor();
    await tabTo(page, 'Trade at 2.50');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)()).toBe('Trade at 3.25');
    await page.keyboard.press('Enter');
    await expectSoon(focused(page), 'user');
    await page.keyboard.type('bo');
    await button(page, 'bob').waitFor();
    await consoles.expectAccessible(page);
    await tabTo(page, 'bob');
    await page.keyboard.press('Enter');
    await expectSoon(focused(page), 'amount');
    await dialog(page, 'Trade on match').getByText('1\u202f000.00 available').waitFor();
    await page.keyboard.type('25');
    await page.getByText('Risks at most 56.25 to win 25.00.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('bob has accepted 25.00 of 25.00').waitFor();
    expect(await openOffers(business)).toEqual([['ann', 3.25, 15]]);

    // The level that was left has the focus again, or the heading when it went.
    await page.keyboard.press('t');
    await expectSoon(focused(page), 'odds');
    await page.keyboard.type('4.5');
    await page.keyboard.press('Tab');
    await page.keyboard.type('8');
    await page.getByText('Risks 8.00 to win 28.00.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Offer \d+ of bob is open$/).waitFor();
    await expectSoon(
      () => openOffers(business),
      [
        ['ann', 3.25, 15],
        ['bob', 4.5, 8],
      ],
    );
    await button(page, 'Trade at 4.50').waitFor();
    await consoles.expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    await page.locator('.ladder tbody tr').first().click();
    await expectSoon(focused(page), 'amount');
    await expectWidth(page, 390);
    await consoles.expectAccessible(page);
    await expectBooksToBalance(consoles.environment.database);
  });

  it('takes the stake once when its answer is lost, and shows a refusal in the form', async () => {
    const business = await openBusiness();
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Trade at 2.50').click();
    const trade = dialog(page, 'Trade on match');
    await trade.getByLabel('User', { exact: true }).fill('ann');
    await trade.getByText('available').waitFor();
    await trade.getByLabel('Stake').fill('1');
    await trade.getByRole('button', { name: 'Accept' }).click();
    await trade.getByText(/No matching bet offers found|a user cannot accept its own offer/).waitFor();
    await trade.getByLabel('User', { exact: true }).fill('nobody');
    await trade.getByText('No user has this in the name or the reference.').waitFor();
    expect(await trade.getByRole('button', { name: 'Accept' }).isDisabled()).toBe(true);
    await trade.getByLabel('User', { exact: true }).fill('cat');
    await trade.getByText('available').waitFor();
    const accept = () => trade.getByRole('button', { name: 'Accept' }).click();
    await losingAnswers(consoles, [page, '**/api/bets/accept-offer'], accept);
    await trade.getByText('No answer came').waitFor();
    await trade.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('cat has accepted 1.00 of 1.00').waitFor();
    expect(await openOffers(business)).toEqual([
      ['ann', 2.5, 9],
      ['ann', 3.25, 30],
    ]);
  });

  it('is only read by a viewer, and where nobody trades', async () => {
    const business = await openBusiness();
    const person = await joinAs(business.client, 'viewer', consoles.mailTo);
    const viewer = { ...person, token: '', client: business.client };
    const { page } = await consoles.open({ account: viewer, path: '/wagers/match' });
    await page.locator('.ladder').getByText('3.25').waitFor();
    for (const name of ['Trade …', 'Cancel offers …', 'Trade at 2.50', 'Suspend', 'Resume']) {
      expect([name, await button(page, name).count()]).toEqual([name, 0]);
    }
    await page.keyboard.press('t');
    await page.locator('.ladder tbody tr').first().click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    ok(await business.client.post('/wagers/match/suspend', {}), 200);
    const { page: traders } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(traders, 'Trade …').waitFor();
    expect(await button(traders, 'Trade …').isDisabled()).toBe(true);
    expect(await button(traders, 'Trade at 2.50').count()).toBe(0);
  });
});

describeInBrowser('all open offers', () => {
  it('of a user, or of the wager, are canceled by the keyboard after their count and sum were shown', async () => {
    const business = await openBusiness();
    ok(await business.make('bob', 7, 2));
    ok(await business.make('ann', 5, 3, { wager_reference: 'other' }));
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await button(page, 'Cancel offers …').waitFor();
    await tabTo(page, 'Cancel offers …');
    await page.keyboard.press('Enter');
    const canceling = dialog(page, 'Cancel offers');
    await canceling.getByText('3 open offers, together 47.00.').waitFor();
    await button(page, 'Cancel 3 offers: 47.00').waitFor();
    await expectSoon(focused(page), 'whose');
    await page.keyboard.type('One');
    await tabTo(page, 'user');
    await page.keyboard.type('ann');
    await button(page, 'Cancel 2 offers: 40.00').waitFor();
    await consoles.expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('2 offers of ann canceled').waitFor();
    expect(await openOffers(business)).toEqual([
      ['bob', 2, 7],
      ['ann', 3, 5],
    ]);
    await button(page, 'Cancel offers …').press('Enter');
    await button(page, 'Cancel 1 offer: 7.00').waitFor();
    await tabTo(page, 'Cancel 1 offer: 7.00');
    await page.keyboard.press('Enter');
    await page.getByText(/^All open offers are canceled\. The wager is suspended/).waitFor();
    await expectSoon(() => openOffers(business), [['ann', 3, 5]]);
    expect(ok(await business.client.get('/wagers/match'), 200).data.status).toBe('suspended');
    await page.setViewportSize({ width: 390, height: 800 });
    await button(page, 'Cancel offers …').click();
    await canceling.getByText('No offers are open.').waitFor();
    await expectWidth(page, 390);
    await consoles.expectAccessible(page);
  });

  it('of a user are canceled on every wager', async () => {
    const business = await openBusiness();
    ok(await business.make('ann', 5, 3, { wager_reference: 'other' }));
    ok(await business.make('bob', 7, 2));
    const { page } = await consoles.open({ account: business.account, path: '/users/ann' });
    await button(page, 'Cancel all …').waitFor();
    await tabTo(page, 'Cancel all …');
    await page.keyboard.press('Enter');
    await dialog(page, 'Cancel all offers').getByText('ann has 3 open offers on 2 wagers, together 45.00.').waitFor();
    await consoles.expectAccessible(page);
    await tabTo(page, 'Cancel 3 offers: 45.00');
    await page.keyboard.press('Enter');
    await page.getByText('3 offers of ann canceled').waitFor();
    expect(await openOffers(business)).toEqual([['bob', 2, 7]]);
  });
});
