import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, withConsole } from '#testing/console.js';
import { waitFor } from '#testing/wait-for.js';

const consoles = withConsole();

/** Whether each request of the page to the server says that a person caused it. */
function watchMarks(page: Page): boolean[] {
  const marks: boolean[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') || pathname === '/session') marks.push('console-person' in request.headers());
  });
  return marks;
}

describeInBrowser('a page', () => {
  it('tells the server which of its requests a person caused: those after a key or a press', async () => {
    const { page } = await consoles.open({ path: '/users' });
    const marks = watchMarks(page);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Users', exact: true }).waitFor();
    await waitFor(() => marks.length > 1);
    expect(new Set(marks)).toEqual(new Set([false]));
    marks.length = 0;
    await page.getByRole('link', { name: 'Wagers', exact: true }).click();
    await waitFor(() => marks.length > 0);
    expect(new Set(marks)).toEqual(new Set([true]));
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
