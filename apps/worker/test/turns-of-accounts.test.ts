import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connectForMessages, connectForRequests, connectForWorkers, type RedisClient } from '#platform/redis/redis.js';
import { deferred } from '#testing/deferred.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { createTurnsOfAccounts } from '../turns-of-accounts.js';
import { startWebhookWorker } from '../webhook-worker.js';

const fixture = useLedgerDatabase();
const goOn = deferred();
const connections: RedisClient[] = [];
const delivering = new Map<bigint, number>();
let refusals = 0;
let webhooks: ReturnType<typeof startWebhookWorker>;

/** The first account is of no known network, the others of one; each endpoint has something to deliver for a long time. */
beforeAll(async () => {
  const { database, environment } = fixture;
  const { logger, redisPrefix: prefix } = environment;
  await fixture.query(`INSERT INTO accounts (name, email, registered_from)
    SELECT 'n', n || '@example.com', '192.0.2.0/24' FROM generate_series(3, 7) AS n`);
  const settings = environment.config().redis;
  const [connection, redis] = [connectForWorkers(settings, logger), connectForRequests(settings, logger)];
  connections.push(connection, redis);
  await waitFor(() => connection.status === 'ready' && redis.status === 'ready');
  webhooks = startWebhookWorker({
    database,
    redis,
    prefix,
    logger,
    connection,
    now: () => new Date(),
    subscriber: connectForMessages(settings),
    inTurn: createTurnsOfAccounts(database, () => {
      refusals += 1;
    }),
    deliver: async ({ accountId }) => {
      delivering.set(accountId, (delivering.get(accountId) ?? 0) + 1);
      await goOn.promise;
      return 'done';
    },
  });
});

afterAll(async () => {
  goOn.resolve();
  await webhooks?.close();
  await webhooks?.worker.close();
  for (const connection of connections) connection.disconnect();
});

const addEndpoints = (accounts: readonly number[], count: number) =>
  fixture.query(`INSERT INTO webhook_endpoints (account_id, url, types, mode, cursor_seq, secret_now, next_at)
    SELECT account, 'https://example.com/', '{*}', 'ordered', 0, '0123abcd:' || repeat('A', 80), now() - interval '1 second'
      FROM unnest('{${accounts.join()}}'::bigint[]) AS account, generate_series(1, ${count})`);

it('accounts of one network leave a worker room for the endpoints of others', async () => {
  await addEndpoints([3, 4, 5, 6, 7], 10);
  const ofNetwork = () => [3n, 4n, 5n, 6n, 7n].reduce((sum, id) => sum + (delivering.get(id) ?? 0), 0);
  await waitFor(() => ofNetwork() === 20 && refusals >= 30);
  await addEndpoints([1, 2], 2);
  await waitFor(() => delivering.get(1n) === 2 && delivering.get(2n) === 2);
  expect(ofNetwork()).toBe(20);
});
