import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, withConsole } from '#testing/console.js';
import { samplesIn } from '#testing/metrics.js';
import { waitFor } from '#testing/wait-for.js';

const consoles = withConsole();

const NOT_LIVE = /Not live since \d\d:\d\d:\d\d/;

const overview = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' });

/** Streams that the API has open. */
async function openStreams(): Promise<number> {
  const { body } = await consoles.api.client.get('/metrics');
  return samplesIn(body)
    .filter(({ name }) => name === 'ledger_streams_open')
    .reduce((sum, { value }) => sum + value, 0);
}

describeInBrowser('pages of one browser', () => {
  it('share one stream, and hand it on when its tab closes', async () => {
    const { page, context } = await consoles.open();
    const tabs = [page];
    for (let count = 1; count < 4; count += 1) tabs.push(await consoles.openTab(context));
    for (const tab of tabs) await overview(tab).waitFor();
    await waitFor(async () => (await openStreams()) === 1);
    await page.close();
    await waitFor(async () => (await openStreams()) === 1);
    // The next tab has the lock, and goes on.
    const locksHeld = () => tabs[1]?.evaluate('navigator.locks.query().then(({ held }) => held.length)');
    await waitFor(async () => (await locksHeld()) === 1);
  });
});

describeInBrowser('a page without the API', () => {
  it('says since when it is not live, and is live again by itself', async () => {
    const { page } = await consoles.open();
    await overview(page).waitFor();
    await waitFor(async () => (await openStreams()) === 1);
    await consoles.stopApi();
    await page.getByText(NOT_LIVE).waitFor();
    await consoles.expectAccessible(page);
    await consoles.startApi();
    await page.getByText(NOT_LIVE).waitFor({ state: 'hidden' });
  });
});

describeInBrowser('the shell', () => {
  it('is used by the keyboard alone, at 390 pixels and at 200 percent', async () => {
    const { page } = await consoles.open({ browser: { viewport: { width: 390, height: 700 } } });
    await overview(page).waitFor();
    const widthOf = () => page.evaluate('document.documentElement.scrollWidth');
    expect(await widthOf()).toBe(390);
    await consoles.expectAccessible(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
    await page.getByRole('button', { name: 'Menu' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Overview', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'hidden' });
    // A browser at 200 percent has half as many pixels.
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await widthOf()).toBe(640);
  });

  it('shows admins what is for admins, and leads others to a page that is not there', async () => {
    const admin = await consoles.newAccount('admin');
    const { page } = await consoles.open({ account: admin });
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.waitForURL(`${consoles.url}/queues`);
    await page.getByText('settlement').first().waitFor();
    const { page: other } = await consoles.open();
    await overview(other).waitFor();
    expect(await other.getByRole('link', { name: 'Queues' }).count()).toBe(0);
  });
});
