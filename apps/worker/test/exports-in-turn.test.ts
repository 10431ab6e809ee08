import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Worker } from 'bullmq';
import { createExportFiles, type ExportFiles } from '#exports/export-files.js';
import { createExportMaker } from '#exports/make-export.js';
import { requestExport } from '#exports/request-export.js';
import { createOutboxRelay, type OutboxRelay } from '#jobs/relay.js';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { connectForWorkers, type RedisClient } from '#platform/redis/redis.js';
import { deferred } from '#testing/deferred.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { EXPORTS_AT_ONCE, startExportWorker } from '../export-worker.js';
import { createTurnsOfAccounts } from '../turns-of-accounts.js';

const fixture = useLedgerDatabase();
const goOn = deferred();
let source: Database;
let redis: RedisClient;
let relay: OutboxRelay;
let worker: Worker;

/** Those of all accounts but the second wait in the middle of their files. */
function slowFiles(): ExportFiles {
  const files = createExportFiles(path.join(fixture.environment.folder, 'exports'));
  return {
    ...files,
    async create(named) {
      const file = await files.create(named);
      if (named.accountId === 2n) return file;
      const append: typeof file.append = async (bytes) => {
        await goOn.promise;
        await file.append(bytes);
      };
      return { ...file, append };
    },
  };
}

beforeAll(async () => {
  const { database, environment } = fixture;
  const { logger, redisPrefix: prefix } = environment;
  const { url } = environment.database;
  source = openDatabase({ url, connections: EXPORTS_AT_ONCE, onConnectionError: () => undefined });
  redis = connectForWorkers(environment.config().redis, logger);
  await waitFor(() => redis.status === 'ready');
  relay = createOutboxRelay({ database, redis, prefix, logger });
  const { signal } = new AbortController();
  const makeExport = createExportMaker({
    database,
    source,
    files: slowFiles(),
    signal,
    onQuotaRefused: () => undefined,
  });
  const inTurn = createTurnsOfAccounts(database, () => undefined);
  worker = startExportWorker({ connection: redis, prefix, logger, database, makeExport, inTurn });
});

afterAll(async () => {
  goOn.resolve();
  await worker?.close();
  await relay?.close();
  redis?.disconnect();
  await source?.disconnect();
});

const ask = (accountId: bigint) =>
  requestExport(
    { transact: (use) => withTx(fixture.database.shared, use), relaySoon: relay.relaySoon },
    {
      accountId,
      kind: 'transactions',
      format: 'csv',
      userReference: undefined,
      periodStart: new Date('2026-01-01'),
      periodEnd: new Date('2026-02-01'),
    },
    () => Promise.resolve(),
  );

const statesOf = async (accountId: number) =>
  (await fixture.query(`SELECT state FROM exports WHERE account_id = ${accountId} ORDER BY id`)).map(
    ({ state }) => state,
  );

it('accounts of one network leave a worker room for the exports of others', async () => {
  await fixture.query(`INSERT INTO accounts (name, email, registered_from)
    SELECT 'n', n || '@example.com', '192.0.2.0/24' FROM generate_series(3, 4) AS n`);
  for (const accountId of [1n, 1n, 1n, 3n, 3n, 3n, 4n, 4n]) await ask(accountId);
  const running = async (accountId: number) =>
    (await statesOf(accountId)).filter((state) => state === 'running').length;
  const ofNetwork = async () => (await running(3)) + (await running(4));
  await waitFor(async () => (await running(1)) === 2 && (await ofNetwork()) === 3);
  await ask(2n);
  await waitFor(async () => (await statesOf(2))[0] === 'done');
  expect((await statesOf(1)).sort()).toEqual(['queued', 'running', 'running']);
  expect(await ofNetwork()).toBe(3);
  goOn.resolve();
  for (const accountId of [1, 3, 4])
    await waitFor(async () => (await statesOf(accountId)).every((state) => state === 'done'));
});
