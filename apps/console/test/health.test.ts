import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { LoggedIn } from '#testing/client.js';
import { describeInBrowser, expectSoon, withConsole } from '#testing/console.js';
import { type PartProcess, startPartOn } from '#testing/part-process.js';
import { runCli } from '#testing/run-cli.js';
import { ok, openTestBusiness } from '#testing/test-business.js';

// The worker settles every bet: a decision settles none itself.
const settings = { SETTLEMENT_BOUND: '0', ALLOW_PRIVATE_WEBHOOKS: 'true' };
const consoles = withConsole(settings);

/** Three seconds more without a heartbeat, an answer that is shared for 5, and a page that asks every 10; and a busy machine. */
const DEAD_WITHIN_MS = 33_000;
/** A page is not live any more after 10 seconds of silence; and a busy machine. */
const FROZEN_WITHIN_MS = 25_000;

const startPart = (name: 'api' | 'worker', more: Record<string, string> = {}): Promise<PartProcess> =>
  startPartOn(consoles.environment, name, { ...settings, ...more });

const health = (page: Page, title = 'Health') =>
  page.locator('section.section', { has: page.getByRole('heading', { name: title, exact: true }) });

interface Shown {
  readonly className: string;
  readonly textContent: string;
  querySelector(selector: string): Shown | null;
}

/** What the page says of each, with the style that it says it in: all of it in one look, for tests look often. */
async function judgements(page: Page, title?: string): Promise<Record<string, string>> {
  const figures = health(page, title).locator('dl.figures > div');
  const found = await figures.evaluateAll((all) =>
    (all as unknown as Shown[]).map((figure) => {
      const tag = figure.querySelector('dd > span');
      return [figure.querySelector('dt')?.textContent, `${tag?.className}: ${tag?.textContent}`];
    }),
  );
  return Object.fromEntries(found);
}

const judgementOf = (page: Page, name: string, title?: string) => async () => (await judgements(page, title))[name];

const quiet = {
  Service: 'tag good: ready',
  'Background work': 'tag good: runs',
  Settlements: 'tag good: none is stuck',
  Webhooks: 'tag good: none fails',
  'Waiting work': 'tag good: in time',
  'Nightly audit': 'tag good: in time',
  'Last audit': 'tag warn: has not run yet',
};

const unknown = Object.fromEntries(Object.keys(quiet).map((name) => [name, 'tag warn: unknown']));

/** An account with a bet, and its Overview. */
async function openOverview(account?: LoggedIn) {
  const business = await openTestBusiness(consoles.api.client);
  for (const name of ['ann', 'bob']) await business.user(name);
  await business.match('ann', 'bob', 10);
  const { page } = await consoles.open({ account: account ?? business.account });
  return { business, page };
}

describeInBrowser('what Overview says of the health', () => {
  it('is good while a worker lives, and shows what `npm run audit` has found', async () => {
    const { page } = await openOverview();
    await expectSoon(() => judgements(page), quiet);
    await consoles.expectAccessible(page);
    const { code } = await runCli('audit', [], { DATABASE_URL: consoles.environment.database.url });
    expect(code).toBe(0);
    await expectSoon(judgementOf(page, 'Last audit'), 'tag good: balanced');
    await health(page).getByText('by command').waitFor();
  });

  it('names a webhook that fails, to its account alone', async () => {
    const { business, page } = await openOverview();
    const { page: others } = await openOverview();
    const body = { url: 'http://127.0.0.1:9/receiver', types: ['wager.*'] };
    const { id } = ok(await business.client.post('/webhook-endpoints', body)).data;
    await business.make('bob', 1, 2, { wager_reference: 'another' });
    // The worker sends the event to a port where nobody listens.
    await expectSoon(judgementOf(page, 'Webhooks'), 'tag bad: 1 fails');
    expect(await judgementOf(others, 'Webhooks')()).toBe('tag good: none fails');
    await consoles.expectAccessible(page);
    await health(page).getByRole('link', { name: body.url }).click();
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Webhook' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/webhooks/${id}`);
  });

  it('is bad soon after the only worker was killed, and names the settlement that is stuck', async () => {
    await consoles.stopWorker();
    const worker = await startPart('worker');
    const { business, page } = await openOverview();
    const { page: adminPage } = await openOverview(await consoles.newAccount('admin'));
    const ofAll = 'Health of all accounts';
    await expectSoon(judgementOf(page, 'Background work'), 'tag good: runs');
    await expectSoon(judgementOf(adminPage, 'Workers', ofAll), 'tag good: 1 runs');
    await worker.kill();
    // Three seconds before it is dead.
    await consoles.environment.database.query(`UPDATE worker_heartbeats SET beat_at = beat_at - interval '12 s'`);
    const killedAt = performance.now();
    await expectSoon(judgementOf(page, 'Background work'), 'tag bad: no worker runs');
    expect(performance.now() - killedAt).toBeLessThan(DEAD_WITHIN_MS);
    await expectSoon(judgementOf(adminPage, 'Workers', ofAll), 'tag bad: none runs');
    await health(adminPage, ofAll).getByText('No heartbeat since').waitFor();

    ok(await business.decide('win'));
    await consoles.environment.database.query(
      `UPDATE wagers SET settling_since = now() - interval '61 s' WHERE settling_since IS NOT NULL`,
    );
    await expectSoon(judgementOf(page, 'Settlements'), 'tag bad: 1 is stuck');
    await health(page).getByText('0% settled, nothing since').waitFor();
    await consoles.expectAccessible(page);
    await expectSoon(judgementOf(adminPage, 'Settlements', ofAll), 'tag bad: 1 is stuck');
    expect(await judgementOf(adminPage, 'Settlements')()).toBe('tag good: none is stuck');
    await consoles.expectAccessible(adminPage);
    await health(adminPage, ofAll).getByRole('link', { name: 'match' }).click();
    await adminPage.getByRole('heading', { level: 1 }).filter({ hasText: 'match' }).waitFor();
    await consoles.environment.database.query('DELETE FROM worker_heartbeats');
  });

  it('is unknown while the API is frozen, and known again after that', async () => {
    const { port } = new URL(consoles.api.client.baseUrl);
    const { page } = await openOverview();
    await expectSoon(judgementOf(page, 'Service'), 'tag good: ready');
    await consoles.stopApi();
    const api = await startPart('api', { PORT: port });
    try {
      await page.reload();
      await expectSoon(judgementOf(page, 'Service'), 'tag good: ready');
      process.kill(api.pid, 'SIGSTOP');
      const frozenAt = performance.now();
      await expectSoon(() => judgements(page), unknown);
      expect(performance.now() - frozenAt).toBeLessThan(FROZEN_WITHIN_MS);
      await consoles.expectAccessible(page);
      process.kill(api.pid, 'SIGCONT');
      await expectSoon(judgementOf(page, 'Service'), 'tag good: ready');
    } finally {
      await page.context().close();
      await api.kill();
      await consoles.startApi();
    }
  });
});
