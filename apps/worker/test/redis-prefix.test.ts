import { beforeAll, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { registerAndLogIn } from '#testing/client.js';
import { mailsInFolder, waitForMail } from '#testing/mails.js';
import { startTestApi, startTestWorker } from '#testing/parts.js';
import { isSettling, seedAcceptedBets } from '#testing/seeded-wagers.js';
import { ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// A prefix in braces is a hash tag: a Redis cluster stores its keys in one slot, which BullMQ needs.

const environment = withTestEnvironment(async () => {
  const keys = await redis.keys(`*${environment.redisPrefix}*`);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
});
let redis: Redis;

beforeAll(async () => {
  redis = new Redis(environment.redisUrl);
});

it('stands in front of every key: of queues, limits and locks', async () => {
  const prefix = `{${environment.redisPrefix}}`;
  const settings = { REDIS_PREFIX: prefix, SETTLEMENT_BOUND: '0' };
  const api = await startTestApi(environment, settings);
  const worker = await startTestWorker(environment, settings);
  const { client, email, id } = await registerAndLogIn(api.client);
  await waitForMail(() => mailsInFolder(`${environment.folder}/mail`), {
    to: email,
    subject: 'Confirm your e-mail address',
  });
  await seedAcceptedBets(environment.database, { accountId: id, bets: 3, name: 'tagged' });
  ok(await client.post('/bets/update-wager-outcome', { reference: 'tagged1', outcome: 'win' }));
  await waitFor(async () => !(await isSettling(environment.database, 'tagged1')));
  await api.close();
  await worker.close();

  const keys = await redis.keys(`*${environment.redisPrefix}*`);
  expect(keys.filter((key) => !key.startsWith(`${prefix}:`))).toEqual([]);
  for (const kind of ['mail', 'settlement', 'maintenance', 'limit']) {
    expect(keys.some((key) => key.startsWith(`${prefix}:${kind}:`))).toBe(true);
  }
});
