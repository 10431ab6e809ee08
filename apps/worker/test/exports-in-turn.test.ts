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

const fixture = useLedgerDatabase();
const goOn = deferred();
let source: Database;
let redis: RedisClient;
let relay: OutboxRelay;
let worker: Worker;

/** Those of account 1 wait in the middle of their files. */
function slowFiles(): ExportFiles {
  const files = createExportFiles(path.join(fixture.environment.folder, 'exports'));
  return {
    ...files,
    async create(named) {
      const file = await files.create(named);
      if (named.accountId !== 1n) return file;
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
  const makeExport = createExportMaker({ database, source, files: slowFiles(), signal });
  worker = startExportWorker({ connection: redis, prefix, logger, database, makeExport });
});

afterAll(async () => {
  goOn.resolve();
  await worker?.close();
  await relay?.close();
  redis?.disconnect();
  await source?.$disconnect();
});

const ask = (accountId: bigint) =>
  requestExport(
    { transact: (use) => withTx(fixture.database, use), relaySoon: relay.relaySoon },
    {
      ...{ accountId, kind: 'transactions', format: 'csv', userReference: undefined },
      ...{ periodStart: new Date('2026-01-01'), periodEnd: new Date('2026-02-01') },
    },
    () => Promise.resolve(),
  );

const statesOf = async (accountId: number) =>
  (await fixture.query(`SELECT state FROM exports WHERE account_id = ${accountId} ORDER BY id`)).map(
    ({ state }) => state,
  );

it('an account whose exports take long leaves a worker room for those of another', async () => {
  for (const accountId of [1n, 1n, 1n]) await ask(accountId);
  const areTaken = async () => (await statesOf(1)).filter((state) => state === 'running').length === 2;
  await waitFor(areTaken);
  await ask(2n);
  await waitFor(async () => (await statesOf(2))[0] === 'done');
  expect((await statesOf(1)).sort()).toEqual(['queued', 'running', 'running']);
  goOn.resolve();
  await waitFor(async () => (await statesOf(1)).every((state) => state === 'done'));
});
