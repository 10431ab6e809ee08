import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient } from '#testing/client.js';
import { addPerson } from '#testing/people.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';
import type { FromParts, ToParts } from './traced-parts.js';

// docs/walks.md names the files of five walks. `WRITE_WALKS=1 npm test -- proof/walks` writes it, from a trace.

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const PAGE = here('../../../docs/walks.md');
const TIMES = 5;
const MIDDLE = (TIMES - 1) / 2;
const WARM_UP = 20;
/** They tell of a walk, some of them when it is over; or each worker does them by itself: the index of the log, and the clock. */
const BESIDE = /metrics|\/logging\/|\/event-index|\/clock\.ts|\/cancel-timers\.ts/;
/** The clock ends change requests, too. */
const OF_REQUESTS = /\/approvals\/(decide-request|change-request-rows)\.ts/;
const NOTHING = /^$/;

const environment = withTestEnvironment(async () => {
  parts.disconnect();
  await once(parts, 'exit');
  await receiver.close();
});
let parts: ChildProcess;
let business: TestBusiness;
let receiver: WebhookReceiver;

interface Walk {
  /**
   * Entered each time, each file at its middle place of all times: in some the end of the walk before, or what the processes do by
   * themselves, came earlier. What runs at the same time as the walk is not there each time.
   */
  readonly always: readonly string[];
  /** Entered at least once. */
  readonly ever: ReadonlySet<string>;
}

async function tell(message: ToParts): Promise<readonly string[]> {
  parts.send(message);
  const [answer] = (await once(parts, 'message')) as [FromParts];
  return 'files' in answer ? answer.files : [];
}

async function traced(step: (time: number) => Promise<unknown>, beside = OF_REQUESTS): Promise<Walk> {
  const times: (readonly string[])[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await tell('begin');
    await step(time);
    times.push((await tell('end')).filter((file) => !BESIDE.test(file) && !beside.test(file)));
  }
  const everyTime = (times[0] ?? []).filter((file) => times.every((entered) => entered.includes(file)));
  const placeOf = (file: string) =>
    times.map((entered) => entered.indexOf(file)).toSorted((a, b) => a - b)[MIDDLE] ?? 0;
  const always = everyTime.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { always, ever: new Set(times.flat()) };
}

const without = ({ always, ever }: Walk, other: Walk): Walk => ({
  always: always.filter((file) => !other.always.includes(file)),
  ever,
});

const changesOf = (files: readonly string[]): number =>
  files.filter((file, index) => index > 0 && path.dirname(file) !== path.dirname(files[index - 1] ?? '')).length;

const isSettled = async (reference: string): Promise<boolean> => {
  const rows = await environment.database.query(
    `SELECT FROM wagers WHERE reference = '${reference}' AND outcome <> 'undecided' AND settling_since IS NULL`,
  );
  return rows.length === 1;
};

async function match(wager: string, count: number): Promise<void> {
  for (let bets = 0; bets < count; bets += 1) {
    ok(await business.make('ann', 1, 2, { wager_reference: wager }));
    ok(await business.accept('bob', 1, { wager_reference: wager }));
  }
}

async function decideAndSettle(reference: string): Promise<void> {
  ok(await business.decide('win', reference));
  await waitFor(() => isSettled(reference));
}

async function offerAndReceive(): Promise<void> {
  const before = receiver.received.length;
  ok(await business.make('ann', 1));
  await waitFor(async () => receiver.received.length > before);
}

/** A person asks for the decisions of wagers with one bet each, so nothing is left to the worker. */
async function approvals(): Promise<Walk> {
  const bea = await addPerson(environment.database, business.client, { accountId: business.account.id });
  const asked: { readonly id: number; readonly revision: number }[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const reference = `asked ${time}`;
    await match(reference, 1);
    const operation = { type: 'update_wager_outcome', reference, outcome: 'win' };
    const request = { operation, reason: 'The match is over', suspend: true };
    asked.push(ok(await bea.client.post('/change-requests', request)).data);
  }
  const approve = (time: number) => {
    const { id, revision } = asked[time] ?? { id: 0, revision: 0 };
    return business.client.post(`/change-requests/${id}/approve`, { revision });
  };
  return traced(async (time) => ok(await approve(time), 200), NOTHING);
}

async function walk(): Promise<ReadonlyMap<string, Walk>> {
  const wagers = Array.from({ length: TIMES }, (_, time) => `final ${time}`);
  for (const wager of wagers) await match(wager, 3);
  for (let offers = 0; offers < WARM_UP + TIMES; offers += 1) ok(await business.make('ann', 1));
  for (let offers = 0; offers < WARM_UP; offers += 1) ok(await business.accept('bob', 1));
  const acceptance = await traced(async () => ok(await business.accept('bob', 1)));
  const page = await traced(async () => ok(await business.client.get('/wagers/match?depth=1'), 200));
  const settlement = await traced((time) => decideAndSettle(wagers[time] ?? ''));
  const approval = await approvals();
  const offer = await traced(async () => ok(await business.make('ann', 1)));
  ok(await business.client.post('/webhook-endpoints', { url: receiver.url, types: ['*'] }));
  await offerAndReceive();
  const webhook = without(await traced(offerAndReceive), offer);
  return new Map([
    ['An acceptance, from HTTP to SQL and back', acceptance],
    ['A wager with its book, from HTTP to SQL and back', page],
    ['A decision of a wager of three bets, and its settlement by the worker', settlement],
    ['An approval of a decision that another person asked for', approval],
    ['An event, from the commit of an offer to a webhook', webhook],
  ]);
}

const lineOf = (files: readonly string[]): string => `${files.length} files, ${changesOf(files)} changes of folder.`;

const pageOf = (walks: ReadonlyMap<string, Walk>): string =>
  [
    '# Walks\n\nThe files of the product that a request enters, in the order in which they are usually entered first, without metrics, logs and what a worker does by itself. The SQL is in `prisma/functions`: `load_group` locks and reads, `write_group` writes. From a trace: `WRITE_WALKS=1 npm test -- proof/walks` writes this page. `apps/api/app.ts` has set the order of the guards when the API started.',
    ...[...walks].map(
      ([name, { always }]) => `## ${name}\n\n${lineOf(always)}\n\n${always.map((file) => `- \`${file}\``).join('\n')}`,
    ),
    '',
  ].join('\n\n');

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const env = {
    PORT: '0',
    ...environment.addresses,
    REDIS_URL: environment.redisUrl,
    REDIS_PREFIX: environment.redisPrefix,
    DATA_DIR: environment.folder,
    RATE_LIMITS: 'off',
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_KEY: Buffer.alloc(32, 'a key of the tests').toString('base64'),
    SETTLEMENT_BOUND: '1',
  };
  const register = here('../../../proof/walks/register.mjs');
  parts = spawn(process.execPath, ['--import', register, here('traced-parts.js')], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(parts, 'message')) as [{ port: number }];
  business = await openTestBusiness(new TestClient(`http://127.0.0.1:${port}`));
  await Promise.all(['ann', 'bob'].map((name) => business.user(name)));
});

describe('docs/walks.md', () => {
  it('names the files that a trace enters', async () => {
    const walks = await walk();
    // biome-ignore lint/style/noProcessEnv: the command says whether the page is written
    if (process.env.WRITE_WALKS === '1') writeFileSync(PAGE, pageOf(walks));
    const text = readFileSync(PAGE, 'utf8');
    for (const [name, { always, ever }] of walks) {
      const section = text.split('\n## ').find((one) => one.startsWith(`${name}\n`)) ?? '';
      const named = [...section.matchAll(/^- `(.+)`$/gm)].map(([, file = '']) => file);
      expect(section).toContain(lineOf(named));
      expect({ name, missing: always.filter((file) => !named.includes(file)) }).toEqual({ name, missing: [] });
      expect({ name, never: named.filter((file) => !ever.has(file)) }).toEqual({ name, never: [] });
    }
  });
});
