import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { expectBooksToBalance } from '#testing/books.js';
import { describeInBrowser, expectSoon, expectWidth, withConsole } from '#testing/console.js';
import { deferred } from '#testing/deferred.js';
import { isLongForm } from '#testing/long-form.js';
import { seedAcceptedBets } from '#testing/seeded-wagers.js';
import { ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { testSeed } from '#testing/test-seed.js';
import { readLedgerState, whatHappened } from '#testing/what-happened.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

const consoles = withConsole();
const random = createSeededRandom(testSeed);

const OUTCOMES = ['win', 'half-win', 'push', 'void', 'half-loss', 'loss', 'undecided'] as const;

const amountIn = (text: string) => Number(text.replaceAll(/[,\s]/g, '').replace('\u2212', '-'));
const resultIn = (dialog: Locator) => dialog.getByLabel('Result', { exact: true });
const buttonOf = (dialog: Locator) => dialog.locator('button[type=submit]');

async function openBusiness(...users: string[]): Promise<TestBusiness> {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of users.length === 0 ? ['ann', 'bob'] : users) await business.user(name);
  return business;
}

const newAdmin = () => registerAdmin(consoles.api.client, consoles.environment.database);

/** Opens a dialog of the page by its button. */
async function openDialog(page: Page, button: string): Promise<Locator> {
  await page.getByRole('button', { name: `${button} …`, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

async function overrideTo(page: Page, outcome: string, texts: { sides: string; button: string }): Promise<void> {
  const dialog = await openDialog(page, 'Override result');
  await resultIn(dialog).selectOption(outcome);
  await dialog.getByText(texts.sides, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: texts.button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

describeInBrowser('an override of a bet that was paid', () => {
  it('shows what it takes back too, and the history has the same amount', async () => {
    const business = await openBusiness();
    const bet = await business.match('ann', 'bob', 10, 2.26);
    const { page } = await consoles.open({ account: business.account, path: `/bets/${bet}` });
    ok(await business.override(bet, 'win'), 200);
    await overrideTo(page, 'void', { sides: 'ann pays bob 12.60.', button: 'Override to void: 12.60 moves' });
    await page.getByText('ann paid 12.60 to bob.').waitFor();
    expect((await business.moneyOf('ann')).balance).toBe(1_000);

    const other = await business.match('ann', 'bob', 3.75, 1.95);
    ok(await business.override(other, 'loss'), 200);
    await page.goto(`${consoles.url}/bets/${other}`);
    await overrideTo(page, 'win', { sides: 'bob pays ann 7.3125.', button: 'Override to win: 7.3125 moves' });
    const step = page.locator('.trail > li', { hasText: 'bob paid 7.3125 to ann.' });
    await step.getByText('4 transactions').click();
    expect(await step.locator('tbody tr').count()).toBe(4);
    await overrideTo(page, 'push', { sides: 'ann pays bob 3.5625.', button: 'Override to push: 3.5625 moves' });
    const dialog = await openDialog(page, 'Override result');
    await resultIn(dialog).selectOption('void');
    await buttonOf(dialog).getByText('Override to void: no money moves').click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('no money moved', { exact: false }).first().waitFor();
    await expectBooksToBalance(consoles.environment.database);
  });
});

describeInBrowser('a preview', () => {
  it('of another choice ends the former, and confirms nothing that it did not show', async () => {
    const business = await openBusiness();
    await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    const released = deferred();
    await page.route('**/api/previews', async (route) => {
      if (route.request().postData()?.includes('"win"')) await released.promise;
      await route.continue().catch(() => undefined);
    });
    const dialog = await openDialog(page, 'Decide');
    await dialog.getByLabel('Reference').fill('match');
    const aborted = page.waitForEvent('requestfailed');
    await resultIn(dialog).selectOption('win');
    await dialog.getByText('Making the preview …').waitFor();
    expect(await buttonOf(dialog).isDisabled()).toBe(true);
    await resultIn(dialog).selectOption('loss');
    expect((await aborted).postData()).toContain('"win"');
    await dialog.getByText('ann pays bob 10.00.').waitFor();
    released.resolve();
    await expectSoon(() => buttonOf(dialog).isEnabled(), true);
    expect(await buttonOf(dialog).innerText()).toBe('Decide loss: 10.00 moves');
  });

  it('says why it cannot be made, and goes on by itself; a refusal confirms nothing', async () => {
    const business = await openBusiness();
    await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    const dialog = await openDialog(page, 'Decide');
    await dialog.getByLabel('Reference').fill('match');
    await page.route('**/api/previews', (route) =>
      route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, json: { status: 503, error: 'Too busy now' } }),
    );
    await resultIn(dialog).selectOption('win');
    await dialog.getByText('Too busy now').waitFor();
    expect(await buttonOf(dialog).isDisabled()).toBe(true);
    await page.unroute('**/api/previews');
    await dialog.getByText('bob pays ann 15.00.').waitFor();
    await expectSoon(() => buttonOf(dialog).isEnabled(), true);
    // Somebody else is faster.
    ok(await business.decide('loss'));
    await expectSoon(() => dialog.locator('.preview .fault').count(), 1);
    expect(await buttonOf(dialog).isDisabled()).toBe(true);
  });

  it('of a decided wager confirms nothing after another correction until it is made again', async () => {
    const business = await openBusiness();
    await business.match('ann', 'bob', 10, 2.5);
    ok(await business.decide('win'));
    const [admin, account_id] = [await newAdmin(), business.account.id];
    const { page } = await consoles.open({ account: admin, path: `/wagers/match?account=${account_id}` });
    const dialog = await openDialog(page, 'Correct the outcome');
    await dialog.getByLabel('Reference').fill('match');
    await resultIn(dialog).selectOption('loss');
    await dialog.getByText('ann pays bob 25.00.').waitFor();
    await expectSoon(() => buttonOf(dialog).isEnabled(), true);
    const released = deferred();
    await page.route('**/api/previews', async (route) => {
      await released.promise;
      await route.continue();
    });
    const correction = { account_id, wager_reference: 'match', outcome: 'push' };
    ok(await admin.client.post('/admin/wagers/force-update-outcome', correction), 200);
    await expectSoon(() => buttonOf(dialog).isDisabled(), true);
    released.resolve();
    await dialog.getByText('ann pays bob 10.00.').waitFor();
    await dialog.getByRole('button', { name: 'Correct to loss: 10.00 moves' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await business.moneyOf('ann')).toEqual({ balance: 990, exposure: 0 });
  });

  it('of a wager that takes offers is made again by itself, until it is decided', async () => {
    const business = await openBusiness();
    await business.match('ann', 'bob', 10, 2.5);
    const { page } = await consoles.open({ account: business.account, path: '/wagers/match' });
    const dialog = await openDialog(page, 'Decide');
    await dialog.getByLabel('Reference').fill('match');
    await resultIn(dialog).selectOption('win');
    await dialog.getByText('still takes offers: figures may change until you decide', { exact: false }).waitFor();
    // Until one is refused.
    const offering = (async () => {
      for (;;) await business.match('ann', 'bob', 1, 2);
    })().catch((error: unknown) => error);
    await expectSoon(async () => Number.parseInt(await dialog.locator('dd').nth(1).innerText(), 10) > 20, true);
    await buttonOf(dialog).click();
    await dialog.waitFor({ state: 'detached' });
    expect(String(await offering)).toContain('LedgerError');
    await page.locator('.figures').getByText('settled').waitFor();
    await expectBooksToBalance(consoles.environment.database);
  });

  it('of more than 20,000 bets shows its progress, all its users, and what then happens', async () => {
    const { database } = consoles.environment;
    const business = await openBusiness();
    const accountId = business.account.id;
    await seedAcceptedBets(database, { accountId, bets: 20_500, bettors: 150, name: 'large' });
    const { page } = await consoles.open({ account: business.account, path: '/wagers/large1' });
    const released = deferred();
    await page.route('**/api/previews/*', async (route) => {
      await released.promise;
      await route.continue();
    });
    const dialog = await openDialog(page, 'Decide');
    await dialog.getByLabel('Reference').fill('large1');
    await resultIn(dialog).selectOption('loss');
    await dialog.getByRole('progressbar', { name: 'Preview' }).waitFor();
    expect([await buttonOf(dialog).isDisabled(), await dialog.locator('dd').count()]).toEqual([true, 0]);
    await consoles.expectAccessible(page);
    released.resolve();
    await expectSoon(() => buttonOf(dialog).isEnabled(), true);
    const shown = await figuresOf(dialog);
    await dialog.getByText(`All ${shown.users} users`, { exact: true }).click();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await expectSoon(() => dialog.locator('.all-users tbody tr').count(), shown.users - 100);
    await dialog.getByRole('button', { name: 'Previous' }).click();
    await expectSoon(() => dialog.locator('.all-users tbody tr').count(), 100);
    const before = await readLedgerState(database, accountId);
    await buttonOf(dialog).click();
    await page.getByText('The settlement is done.').waitFor();
    const { moved, bets, counts } = await whatHappened(database, before, await readLedgerState(database, accountId));
    expect(shown).toEqual({ moved: moved.credit, bets: `${bets.settled} settled`, users: counts.affected });
  });
});

/** The three figures of the preview that is shown. */
async function figuresOf(dialog: Locator) {
  const [moved = '', bets = '', users = ''] = await dialog.locator('.preview dd').allInnerTexts();
  return { moved: amountIn(moved), bets: bets.replaceAll(/(?<=\d)[,\s](?=\d)/g, ''), users: amountIn(users) };
}

/** What would have to be scrolled to. */
const hiddenIn = (dialog: Locator): Promise<{ height: number; width: number }> =>
  dialog.evaluate((element) => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element as unknown as Record<string, number>;
    return { height: Number(scrollHeight) - Number(clientHeight), width: Number(scrollWidth) - Number(clientWidth) };
  });

describeInBrowser('the dialog of a decision', () => {
  it('is seen whole, light and dark, and fits a phone; users open in a new tab', async () => {
    const names = Array.from({ length: 12 }, (_, place) => `trader-${String(place).padStart(2, '0')}`);
    const business = await openBusiness(...names);
    for (const [place, name] of names.entries()) {
      await business.match(name, names[(place + 5) % 12] ?? '', 10 + place, 2 + place / 8);
    }
    ok(await business.decide('win'));
    // The winner takes the money away.
    const balances = await Promise.all(names.map(async (name) => ({ name, ...(await business.moneyOf(name)) })));
    const [winner = { name: '', balance: 0 }] = balances.sort((one, other) => other.balance - one.balance);
    const withdrawal = { user_reference: winner.name, amount: winner.balance };
    ok(await business.client.post('/transactions/withdraw', withdrawal));
    const admin = await newAdmin();
    const path = `/wagers/match?account=${business.account.id}`;
    const browser = { viewport: { width: 1_440, height: 900 } };
    const { page } = await consoles.open({ account: admin, path, browser });
    const dialog = await openDialog(page, 'Correct the outcome');
    await resultIn(dialog).selectOption('loss');
    await dialog.getByLabel('Reference').fill('match');
    await expectSoon(() => buttonOf(dialog).isEnabled(), true);
    expect(await dialog.locator('.preview > :first-child').innerText()).toBe('1 user goes below zero.');
    expect(await dialog.locator('.preview tbody tr').first().innerText()).toContain(winner.name);
    expect(await dialog.locator('.preview tbody tr').count()).toBe(6);
    expect((await hiddenIn(dialog)).height).toBe(0);
    await consoles.expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    await expectWidth(page, 390);
    expect((await hiddenIn(dialog)).width).toBe(0);
    await consoles.expectAccessible(page);

    const own = await openBusiness();
    await own.match('ann', 'bob', 10, 2.5);
    const { page: desk, context } = await consoles.open({ account: own.account, path: '/wagers/match' });
    const decision = await openDialog(desk, 'Decide');
    await resultIn(decision).selectOption('win');
    const tab = context.waitForEvent('page');
    await decision.locator('tbody').getByRole('link', { name: 'ann' }).click();
    await (await tab).getByRole('heading', { level: 1, name: 'User ann' }).waitFor();
    expect(await decision.isVisible()).toBe(true);
  });
});

const BETTORS = ['ann', 'bob', 'cat', 'dan'] as const;
const WAGERS = ['one', 'two', 'three', 'four', 'five'] as const;
const DONE = isLongForm ? 40 : 12;

/** Offers of random amounts, some of them accepted, wholly or in part. */
async function makeBets({ make, accept }: TestBusiness): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < DONE) {
    // Each of the wagers has a bet.
    const wager_reference = WAGERS[ids.length] ?? random.pick(WAGERS);
    const odds = (1_000_001 + random.below(4_000_000)) / 1_000_000;
    const made = await make(random.pick(BETTORS), (1 + random.below(9_000_000)) / 1_000_000, odds, { wager_reference });
    ids.push(ok(made).data.bet_id);
    if (random.happens(0.8)) {
      await accept(random.pick(BETTORS), 1 + random.below(9), { wager_reference, bet_id: ids.at(-1), maximum_odds: 9 });
    }
  }
  return ids;
}

const KINDS = [
  [/settled/, 'settled'],
  [/taken back/, 'unsettled'],
  [/expires?$/, 'expired_offers'],
  [/again$/, 'reopened_offers'],
  [/canceled$/, 'canceled_offers'],
] as const;

/** All that the dialog shows of the preview, as the API would name it. */
async function shownIn(dialog: Locator) {
  const { moved, bets, users } = await figuresOf(dialog);
  const parts = bets === 'None' ? [] : bets.split(/\n+|, /).filter((part) => part !== '');
  const counts = KINDS.map(([pattern, name]) => {
    const part = parts.find((text) => pattern.test(text));
    return [name, Number.parseInt(part ?? '0', 10)];
  });
  const rows = await dialog.locator('.preview tbody tr').allInnerTexts();
  return {
    bets: Object.fromEntries(counts),
    moved: { credit: moved, debit: moved },
    affected: users,
    users: rows
      .map((row) => row.split('\t'))
      .map(([reference = '', ...amounts]) => [reference.trim(), ...amounts.map(amountIn)])
      .sort(),
  };
}

/** Opens the dialog, chooses, confirms what it shows, and compares that with what happened. False: it is refused. */
async function confirmIn(
  page: Page,
  accountId: number,
  [button, outcome]: readonly [string, string?],
): Promise<boolean> {
  const { database } = consoles.environment;
  const dialog = await openDialog(page, button);
  if (outcome !== undefined) await resultIn(dialog).selectOption(outcome);
  await dialog.locator('.preview').locator('.fault, .figures').waitFor();
  if ((await dialog.locator('.preview .fault').count()) > 0) {
    expect(await buttonOf(dialog).isDisabled()).toBe(true);
    return false;
  }
  if ((await dialog.getByLabel('Reference').count()) > 0) {
    await dialog.getByLabel('Reference').fill(await dialog.locator('.reference').innerText());
  }
  const [shown, before] = [await shownIn(dialog), await readLedgerState(database, accountId)];
  await buttonOf(dialog).click();
  await dialog.waitFor({ state: 'detached' });
  const happened = await whatHappened(database, before, await readLedgerState(database, accountId));
  const { bets, moved, counts } = happened;
  const users = happened.users.map((user) => Object.values(user)).sort();
  expect([button, outcome, shown]).toEqual([button, outcome, { bets, moved, affected: counts.affected, users }]);
  return true;
}

describeInBrowser('what a dialog shows', () => {
  it('is what then happens, for random decisions of bets and wagers in random states', async () => {
    const business = await openBusiness(...BETTORS);
    const accountId = business.account.id;
    const ids = await makeBets(business);
    const { page: own } = await consoles.open({ account: business.account });
    const { page: desk } = await consoles.open({ account: await newAdmin() });

    async function onBet(id: number): Promise<boolean> {
      const { wager_reference: wager, created_at: at, ...bet } = await business.bet(id);
      if (bet.is_active && bet.offer_status === 'accepted' && random.happens(0.4)) {
        await own.goto(`${consoles.url}/bets/${id}`);
        return confirmIn(own, accountId, ['Override result', random.pick(OUTCOMES)]);
      }
      await desk.goto(`${consoles.url}/bets/${id}?${new URLSearchParams({ account: String(accountId), wager, at })}`);
      if (random.happens(0.3)) {
        return confirmIn(desk, accountId, [`Set the bet ${bet.is_active ? 'inactive' : 'active'}`]);
      }
      return confirmIn(desk, accountId, ['Correct the result of the bet', random.pick([...OUTCOMES, 'none'])]);
    }

    async function onWager(reference: string): Promise<boolean> {
      const { outcome } = ok(await business.client.get(`/wagers/${reference}`), 200).data;
      const isOwn = outcome === 'undecided' && random.happens(0.5);
      const others = OUTCOMES.filter((each) => each !== outcome && !(isOwn && each === 'undecided'));
      const page = isOwn ? own : desk;
      await page.goto(`${consoles.url}/wagers/${reference}${isOwn ? '' : `?account=${accountId}`}`);
      const button = isOwn ? 'Decide' : 'Correct the outcome';
      return confirmIn(page, accountId, [button, random.pick(others as ['win', ...typeof others])]);
    }

    let done = 0;
    for (let tries = 0; done < DONE && tries < 3 * DONE; tries += 1) {
      const isOnWager = tries % 6 === 0;
      done += Number(isOnWager ? await onWager(random.pick(WAGERS)) : await onBet(ids[random.below(ids.length)] ?? 0));
    }
    expect(done).toBe(DONE);
    await expectBooksToBalance(consoles.environment.database);
  });
});
