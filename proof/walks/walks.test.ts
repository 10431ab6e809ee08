import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestClient } from '#testing/client.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';
import type { FromParts, ToParts } from './traced-parts.js';

const TIMES = 5;

let environment: TestEnvironment;
let parts: ChildProcess;
let business: TestBusiness;
let receiver: WebhookReceiver;

async function tell(message: ToParts): Promise<readonly string[]> {
  parts.send(message);
  const [answer] = (await once(parts, 'message')) as [FromParts];
  return 'files' in answer ? answer.files : [];
}

/** The files that are entered each time, in the order of the last time. What runs beside the walk is not there each time. */
async function traced(walk: () => Promise<unknown>): Promise<readonly string[]> {
  let files: readonly string[] | undefined;
  for (let time = 0; time < TIMES; time += 1) {
    await tell('begin');
    await walk();
    const entered = await tell('end');
    const before: readonly string[] = files ?? entered;
    files = entered.filter((file) => before.includes(file));
  }
  return files ?? [];
}

beforeAll(async () => {
  environment = await createTestEnvironment();
  receiver = await startWebhookReceiver();
  const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
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

afterAll(async () => {
  parts.disconnect();
  await once(parts, 'exit');
  await receiver.close();
  await environment.close();
});

describe('walks', () => {
  it('prints', async () => {
    for (let i = 0; i < 20; i += 1) await business.match('ann', 'bob', 1);
    const offers = Array.from({ length: TIMES }, () => business.make('ann', 1));
    await Promise.all(offers);
    const show = (name: string, files: readonly string[]) => {
      const folders = files.map((f) => f.replace(/\/[^/]+$/, ''));
      const changes = folders.filter((f, i) => i > 0 && f !== folders[i - 1]).length;
      console.log(name, files.length, changes, '\n' + files.join('\n'));
    };
    show('acceptance', await traced(async () => ok(await business.accept('bob', 1))));
    show('wager', await traced(async () => ok(await business.client.get('/wagers/match?depth=1'), 200)));
    expect(1).toBe(1);
  });
});
