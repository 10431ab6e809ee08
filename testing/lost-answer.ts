import type { Page } from 'playwright-core';
import { type ConsoleFixture, expectSoon } from './console.js';

/** Meanwhile the API gets the page's requests to the address, and the page gets no answer. */
export async function losingAnswers(
  { complaints }: ConsoleFixture,
  [page, address]: readonly [Page, string],
  act: () => Promise<void>,
): Promise<void> {
  await page.route(address, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await act();
  await expectSoon(async () => complaints, ['Failed to load resource: net::ERR_FAILED']);
  complaints.splice(0);
  await page.unroute(address);
}
