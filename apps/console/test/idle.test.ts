import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, withConsole } from '#testing/console.js';
import { waitFor } from '#testing/wait-for.js';

const consoles = withConsole();

interface Marked {
  readonly pathname: string;
  /** Whether it says that a person caused it. */
  readonly byPerson: boolean;
}

/** The requests of the page to the server. */
function watchRequests(page: Page): Marked[] {
  const requests: Marked[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/') && pathname !== '/session') return;
    requests.push({ pathname, byPerson: 'console-person' in request.headers() });
  });
  return requests;
}

describeInBrowser('a page', () => {
  it('tells the server which of its requests a person caused: those after a key or a press', async () => {
    const { page } = await consoles.open({ path: '/users' });
    const requests = watchRequests(page);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Users', exact: true }).waitFor();
    await waitFor(() => requests.length > 1);
    expect(requests.filter(({ byPerson }) => byPerson)).toEqual([]);
    await page.getByRole('link', { name: 'Wagers', exact: true }).click();
    const ofWagers = () => requests.filter(({ pathname }) => pathname.startsWith('/api/wagers'));
    await waitFor(() => ofWagers().length > 0);
    expect(ofWagers().filter(({ byPerson }) => !byPerson)).toEqual([]);
  });

  it('tells it in a long form, which asks for nothing', async () => {
    const { page } = await consoles.open({ path: '/users' });
    await page.clock.install();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Users', exact: true }).waitFor();
    const kept = page.waitForRequest((request) => new URL(request.url()).pathname === '/session');
    await page.clock.fastForward('06:00');
    await page.keyboard.press('Tab');
    expect((await kept).headers()['console-person']).toBe('1');
  });
});
