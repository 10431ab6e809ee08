import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectBooksToBalance } from '#testing/books.js';
import { describeInBrowser, expectSoon, expectWidth, measureThread, withConsole } from '#testing/console.js';
import { losingAnswers } from '#testing/lost-answer.js';
import { heading, tabTo } from '#testing/page-parts.js';
import { seedAcceptedBets } from '#testing/seeded-wagers.js';
import { createUser, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

const consoles = withConsole();

const amountIn = (text: string) => Number(text.replaceAll(/\s/g, '').replace('\u2212', '-'));

/** The texts of the cells of a table's body, row by row. */
const rowsOf = (page: Page, table: string): Promise<string[][]> =>
  page.locator(`${table} tbody tr`).evaluateAll((rows) => {
    const all = rows as unknown as { cells: Iterable<{ innerText: string }> }[];
    return all.map(({ cells }) => [...cells].map(({ innerText }) => innerText));
  });

interface Level {
  readonly odds: number;
  readonly amount: number;
  readonly offers: number;
}

/** The ladder as the page shows it. */
const ladderOf = async (page: Page): Promise<Level[]> =>
  (await rowsOf(page, '.ladder')).map(([odds = '', , amount = '', , offers = '']) => ({
    odds: amountIn(odds),
    amount: amountIn(amount),
    offers: amountIn(offers),
  }));

const bookOf = async ({ client }: TestBusiness): Promise<Level[]> => {
  const { levels } = ok(await client.get('/wagers/match/book?depth=100'), 200) as { levels: Level[] };
  return levels.map(({ odds, amount, offers }) => ({ odds, amount, offers }));
};

/** A settlement goes on up to the last bet, and waits there until `use` has ended. */
const holdingLastBet = (accountId: number, use: () => Promise<void>): Promise<void> =>
  withPostgresClient({ connectionString: consoles.environment.database.url }, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM bets WHERE account_id = $1 ORDER BY id DESC LIMIT 1 FOR UPDATE', [accountId]);
    await use();
    await client.query('COMMIT');
  });

const NOT_LIVE = /Not live since \d\d:\d\d:\d\d/;

async function fillInPassword(page: Page): Promise<void> {
  for (const label of ['Current password', 'New password', 'New password again']) {
    await page.getByLabel(label, { exact: true }).fill('battery staple 7');
  }
}

/** The form is refused by 503, counts down by Retry-After, and can be sent again. */
async function expectCountdown(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('button', { name: /^Try again in \d s$/, disabled: true }).waitFor();
  await page.getByRole('button', { name: action, exact: true, disabled: false }).waitFor();
}

async function openBusiness(): Promise<TestBusiness> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  return business;
}

describeInBrowser('an empty account', () => {
  it('comes from nothing to its first offer by the forms of the overview', async () => {
    const { page } = await consoles.open();
    await page.getByLabel('Name').fill('Ann');
    await page.getByLabel('Reference').fill('ann');
    await consoles.expectAccessible(page);
    await page.getByRole('button', { name: 'Create the user' }).click();
    await page.getByLabel('Amount').fill('100');
    await page.getByRole('button', { name: 'Fund' }).click();
    await page.getByLabel('Wager').fill('home-win');
    await page.getByLabel('Odds').fill('0.5');
    await page.getByLabel('Stake').fill('10');
    await page.getByRole('button', { name: 'Make the offer' }).click();
    // The refusal of the API stands at its field.
    await page.getByText('must not be less than 1').waitFor();
    await expectSoon(() => page.getByLabel('Odds').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Odds').fill('2.5');
    await page.keyboard.press('Enter');
    await heading(page, 'Wager home-win').waitFor();
    await expectSoon(() => ladderOf(page), [{ odds: 2.5, amount: 10, offers: 1 }]);
  });
});

describeInBrowser('a decision', () => {
  it('shows what it moves, asks for the reference, and moves exactly that, once', async () => {
    const business = await openBusiness();
    const { account, client } = business;
    const bet = await business.match('ann', 'bob', 10, 2.5);
    await business.match('bob', 'ann', 7, 1.333333);
    await business.make('ann', 5, 3);
    const { page } = await consoles.open({ account, path: '/wagers/match' });
    await page.getByLabel('If the result is').selectOption('half-win');
    const ann = ['ann', '1\u202f000.000000', '1\u202f006.333334', '8.000000', '0.000000'];
    await expectSoon(async () => (await rowsOf(page, '.preview table'))[0], ann);
    await consoles.expectAccessible(page);
    await page.getByLabel('If the result is').selectOption('');
    await page.setViewportSize({ width: 640, height: 400 });
    await expectWidth(page, 640);
    await page.getByRole('button', { name: 'Decide …', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Decide the wager' });
    const decide = dialog.getByRole('button', { name: 'Decide', exact: false });
    await dialog.getByLabel('Result').selectOption('win');
    const figures = ['17.333331', expect.stringMatching(/^2 settled\s+1 offer expires$/), '2'];
    await expectSoon(() => dialog.locator('dd').allInnerTexts(), figures);
    await expectSoon(() => decide.innerText(), 'Decide win: 17.333331 moves');
    expect(await decide.isDisabled()).toBe(true);
    await dialog.getByLabel('Reference').fill('matc');
    expect(await decide.isDisabled()).toBe(true);
    await dialog.getByLabel('Reference').fill('match');
    await consoles.expectAccessible(page);
    await decide.dblclick();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.figures').getByText('settled').waitFor();
    expect((await business.moneyOf('ann')).balance).toBe(1_012.666669);
    await page.reload();
    await page.locator('.figures').getByText('settled').waitFor();
    expect(await page.getByRole('button', { name: 'Decide …', exact: true }).count()).toBe(0);
    const { total } = ok(await client.get('/transactions?transaction_source=bet'), 200);
    expect(total).toBe(4);

    await page.getByRole('link', { name: String(bet), exact: true }).click();
    await heading(page, `Bet ${bet}`).waitFor();
    await page.getByText('bob paid 15.00 to ann.').waitFor();
    await consoles.expectAccessible(page);
  });

  it('is made by the keyboard alone', async () => {
    const business = await openBusiness();
    await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: '/wagers' });
    await page.getByRole('link', { name: 'match', exact: true }).first().waitFor();
    // Never decided: it has the time at which it was made, and no other one.
    expect(await page.getByRole('row', { name: 'match' }).locator('time').count()).toBe(1);
    await tabTo(page, 'match');
    await page.keyboard.press('Enter');
    await heading(page, 'Wager match').waitFor();
    await page.getByRole('button', { name: 'Decide …', exact: true }).waitFor();
    await tabTo(page, 'Decide …');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Decide the wager' });
    await dialog.waitFor();
    await tabTo(page, 'Result');
    await page.keyboard.type('Win');
    await dialog.getByRole('button', { name: 'Decide win: 15.00 moves' }).waitFor();
    await tabTo(page, 'Reference');
    await page.keyboard.type('match');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.figures').getByText('settled').waitFor();
    // The button that opened the dialog has gone.
    await expectSoon(() => page.evaluate('document.activeElement.tagName'), 'H1');
    expect((await business.moneyOf('ann')).balance).toBe(1_015);
  });

  it('with a lost answer is done once, also after a reload', async () => {
    const business = await openBusiness();
    const bet = await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: `/bets/${bet}` });
    const override = async () => {
      await page.getByRole('button', { name: 'Override result …' }).click();
      await page.getByLabel('Result', { exact: true }).selectOption('half-win');
      await page.getByText('bob pays ann 7.50.').waitFor();
      await page.getByRole('button', { name: 'Override to half win: 7.50 moves' }).click();
    };
    await losingAnswers(consoles, [page, '**/api/bets/override-outcome'], override);
    await page.getByText('No answer came').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Override result …' }).click();
    await page.getByText('The last attempt had no answer').waitFor();
    await page.getByRole('button', { name: 'Override to half win' }).click();
    await page.getByText('Bet outcome overridden').waitFor();
    const trail = (await business.bet(bet)).bet_trails as { description: string }[];
    expect(trail.filter(({ description }) => description.startsWith('Outcome overridden')).length).toBe(1);
  });

  it('of 3,000 bets is watched until its end', async () => {
    const business = await openBusiness();
    const { id: accountId } = business.account;
    await seedAcceptedBets(consoles.environment.database, { accountId, bets: 3_000, name: 'large' });
    const { page, context } = await consoles.open({ account: business.account, path: '/wagers/large1' });
    await page
      .getByText(/of the 1.000 largest of 3.000 bets/)
      .first()
      .waitFor();
    const overview = await consoles.openTab(context, '/');
    await heading(overview, 'Overview').waitFor();
    await page.getByRole('button', { name: 'Decide …', exact: true }).click();
    await page.getByLabel('Result', { exact: true }).selectOption('loss');
    await page.getByRole('dialog').getByLabel('Reference').fill('large1');
    await holdingLastBet(accountId, async () => {
      await page.getByRole('button', { name: 'Decide loss' }).click();
      await page.locator('progress[aria-label="Settlement of large1"]:not([value="0"])').first().waitFor();
      await overview.getByRole('progressbar', { name: 'Settlement of large1' }).waitFor();
      expect(await page.getByText('The settlement is done.').count()).toBe(0);
    });
    await page.getByText('The settlement is done.').waitFor();
    await page.getByRole('heading', { name: 'Settlement done' }).waitFor();
    await page.getByText('3 000 of 3 000 settled (100%)').waitFor();
    await page.locator('.figures').getByText('settled').waitFor();
    await overview.getByText('No wager is being settled.').waitFor();
    // Each bet moves again, and the page counts from the beginning.
    const admin = await registerAdmin(consoles.api.client, consoles.environment.database);
    const correction = { account_id: accountId, wager_reference: 'large1', outcome: 'win' };
    await holdingLastBet(accountId, async () => {
      ok(await admin.client.post('/admin/wagers/force-update-outcome', correction), 200);
      await page.getByText(/of 3\s000 settled \(\d\d?%\)/).waitFor();
    });
    await page.getByText('3 000 of 3 000 settled (100%)').waitFor();
    await expectBooksToBalance(consoles.environment.database);
  });
});

describeInBrowser('the ladder', () => {
  it('is the book again after the API was killed under it; decisions were off meanwhile', async () => {
    const business = await openBusiness();
    for (const odds of [2, 2.5, 3]) ok(await business.make('ann', 10, odds));
    const { page, context } = await consoles.open({ account: business.account, path: '/wagers/match' });
    const other = await consoles.openTab(context, '/access');
    await expectSoon(async () => (await ladderOf(page)).length, 3);
    ok(await business.accept('bob', 4, { maximum_odds: 2 }));
    await expectSoon(async () => (await ladderOf(page))[0]?.amount, 6);
    await page.getByRole('button', { name: 'Decide …', exact: true }).click();
    await page.getByLabel('Result', { exact: true }).selectOption('win');
    await page.getByLabel('Reference').fill('match');
    const decide = page.getByRole('button', { name: 'Decide win: 4.00 moves' });
    await expectSoon(() => decide.isEnabled(), true);
    await fillInPassword(other);
    await consoles.stopApi();
    await expectCountdown(other, 'Change the password');
    await other.getByText(NOT_LIVE).waitFor();
    await consoles.expectAccessible(other);
    await page.getByText(NOT_LIVE).waitFor();
    await page.locator('section.section').getByText('not live').waitFor();
    await expectSoon(() => decide.isDisabled(), true);
    await consoles.startApi();
    ok(await business.cancel('ann', { cancel_amount: 6 }));
    ok(await business.make('bob', 12.5, 1.75));
    const book = [
      { odds: 1.75, amount: 12.5, offers: 1 },
      { odds: 2.5, amount: 10, offers: 1 },
      { odds: 3, amount: 10, offers: 1 },
    ];
    expect(await bookOf(business)).toEqual(book);
    await expectSoon(() => ladderOf(page), book);
    for (const tab of [page, other]) await tab.getByText(NOT_LIVE).waitFor({ state: 'hidden' });
    await expectSoon(() => decide.isEnabled(), true);
  });

  it('of 100 levels takes 50 changes a second, each with at most 25 ms of work', async () => {
    const business = await openBusiness();
    const { client } = business;
    const offers = (from: number, amount: number) => ({
      operations: Array.from({ length: 20 }, (_, place) => ({
        operation_type: 'make_bet_offer',
        operation_id: String(place),
        data: {
          wager_reference: 'match',
          requesting_user_reference: 'ann',
          requesting_odds: (from + place) / 100,
          requesting_amount: amount,
        },
      })),
    });
    for (const from of [200, 220, 240, 260, 280]) ok(await client.post('/bets/batch', offers(from, 1)));
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    await page.getByLabel('Levels').selectOption('100');
    await expectSoon(async () => (await ladderOf(page)).length, 100);
    const spentMs = await measureThread(page);
    const before = Date.now();
    for (let change = 0; change < 100; change += 1) {
      ok(await business.make('ann', 0.01, (200 + ((change * 37) % 100)) / 100));
      const early = before + change * 20 - Date.now();
      if (early > 0) await page.waitForTimeout(early);
    }
    await expectSoon(() => ladderOf(page), await bookOf(business));
    // The promise is no frame above 50 ms. Everything shares the processors here, so only the time counts in which the page computes.
    expect((await spentMs()) / 100).toBeLessThan(25);
  });
});

describeInBrowser('hostile texts', () => {
  it('are text everywhere, and move nothing out of its place', async () => {
    const business = await openBusiness();
    const hostile = ['<script>alert(1)</script>', '\u202Eright-to-left', 'x'.repeat(255)];
    for (const reference of hostile) {
      await createUser(business.client, { name: 'y'.repeat(255), reference });
      ok(await business.client.post('/transactions/fund-user', { user_reference: reference, amount: 100 }));
      ok(await business.make(reference, 10, 2, { wager_reference: reference }));
      ok(await business.accept('bob', 4, { wager_reference: reference, maximum_odds: 2 }));
    }
    const browser = { viewport: { width: 390, height: 800 } };
    const { page } = await consoles.open({ account: business.account, browser });
    const { data: bets } = ok(await business.client.get('/bets/history'), 200);
    const paths = [...hostile.map((reference) => `/wagers/${encodeURIComponent(reference)}`), `/bets/${bets[0].id}`];
    for (const path of ['/', '/wagers', '/bets', ...paths]) {
      await page.goto(consoles.url + path);
      await page
        .locator('bdi', { hasText: /^\/(?:wagers|bets)\//.test(path) ? 'bob' : 'right-to-left' })
        .first()
        .waitFor();
      await expectWidth(page, 390);
    }
    await consoles.expectAccessible(page);
    await page.goto(`${consoles.url}/wagers/${'z'.repeat(10_000)}`);
    await page
      .getByText(/not found|must be shorter/i)
      .first()
      .waitFor();
    await expectWidth(page, 390);
    await page.goto(`${consoles.url}/users`);
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Name', { exact: true }).fill('z'.repeat(10_000));
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText(/must be shorter than or equal to \d+ characters/).waitFor();
    await expectWidth(page, 390);
    await page.goto(`${consoles.url}/wagers`);
    for (const reference of hostile) {
      await expectSoon(() => page.locator('table bdi', { hasText: reference }).first().textContent(), reference);
    }
  });
});

describeInBrowser("another tenant's ids in the address", () => {
  it('lead to a page that is not there; an admin looks into the account and corrects it', async () => {
    const business = await openBusiness();
    const bet = await business.match('ann', 'bob', 10, 2.5);
    const { id: accountId } = business.account;
    const { page } = await consoles.open();
    for (const path of ['/wagers/match', `/bets/${bet}`, `/wagers/match?account=${accountId}`, '/bets/x']) {
      await page.goto(consoles.url + path);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
    }
    ok(await business.decide('win'));

    const admin = await registerAdmin(consoles.api.client, consoles.environment.database);
    const { page: desk } = await consoles.open({ account: admin, path: `/wagers/match?account=${accountId}` });
    await heading(desk, 'Wager match').waitFor();
    expect(await desk.getByRole('button', { name: 'Decide …', exact: true }).count()).toBe(0);
    await desk.getByRole('button', { name: 'Correct the outcome …' }).click();
    await desk.getByLabel('Result', { exact: true }).selectOption('loss');
    await desk.getByText('ann pays bob 25.00.').waitFor();
    await desk.getByLabel('Why').fill('the referee <b>erred</b>');
    await desk.getByLabel('Reference').fill('match');
    await desk.getByRole('button', { name: 'Correct to loss: 25.00 moves' }).click();
    await desk.locator('.figures').getByText('Loss').waitFor();
    await desk.getByRole('link', { name: String(bet), exact: true }).click();
    await desk.getByText('the referee <b>erred</b>').first().waitFor();
    await desk.getByRole('button', { name: 'Set the bet inactive …' }).click();
    await desk.getByLabel('Why').fill('fraud');
    const setInactive = () => desk.getByRole('button', { name: 'Set inactive: 10.00 moves' }).click();
    await losingAnswers(consoles, [desk, '**/set-inactive'], setInactive);
    await desk.getByRole('button', { name: 'Set the bet active …' }).click();
    await desk.getByRole('button', { name: 'Set active: 10.00 moves' }).click();
    // Another request than the one without an answer.
    await desk.getByRole('button', { name: 'Set the bet inactive …' }).click();
    await desk.getByLabel('Why').fill('fraud');
    await setInactive();
    await desk.getByRole('button', { name: 'Set the bet active …' }).waitFor();
    await desk
      .getByText(/Bet set inactive by admin .*: fraud/)
      .first()
      .waitFor();
    await consoles.expectAccessible(desk);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1_000, exposure: 0 });
  });
});
