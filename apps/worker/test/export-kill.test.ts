import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type PartProcess, startPartOn } from '#testing/part-process.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { seedTransactions } from '#testing/seeded-transactions.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { openTestQueue } from '#testing/test-queue.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

/** A file of them takes long enough to be caught while it is written. */
const ROWS = 60_000;
const DAY = '2026-01-10';
const TRIES = 20;

const environment = withTestEnvironment(async () => {
  await worker?.kill();
  await api?.close();
});
let api: TestPart;
let business: TestBusiness;
let worker: PartProcess;
let folder: string;

beforeAll(async () => {
  folder = path.join(environment.folder, 'exports');
  api = await startTestApi(environment);
  business = await openTestBusiness(api.client);
  const userId = await business.user('ann');
  const accountId = business.account.id;
  await seedTransactions(environment.database, { accountId, userId, count: ROWS, day: `${DAY}T00:00:00Z` });
  worker = await startWorkerProcess();
});

const startWorkerProcess = (): Promise<PartProcess> => startPartOn(environment, 'worker', { BCRYPT_COST: '10' });

const filesThere = () => readdir(folder).catch((): string[] => []);

describe('a worker that is killed while it writes an export', () => {
  it('leaves no file that looks whole, and another worker makes the export', async () => {
    const asked = { kind: 'transactions', from: DAY, to: '2026-01-11' };
    let [id, partial] = [0, ''];
    // A worker that is killed late has made the file.
    for (let tries = 1; tries <= TRIES && !partial.endsWith('.partial'); tries += 1) {
      if (tries > 1) worker = await startWorkerProcess();
      for (const name of await filesThere()) await rm(path.join(folder, name));
      ({ id } = ok(await business.client.post('/exports', asked), 202).data);
      await waitFor(async () => {
        const [name] = await filesThere();
        // The worker renames a file that is done.
        const found = name === undefined ? undefined : await stat(path.join(folder, name)).catch(() => undefined);
        return (found?.size ?? 0) > 0;
      });
      await worker.kill();
      [partial = ''] = await filesThere();
    }
    expect(partial).toMatch(/-1\.csv\.partial$/);
    expect(await filesThere()).toEqual([partial]);
    expect(ok(await business.client.get(`/exports/${id}`), 200).data).toMatchObject({ state: 'running', rows: null });
    expect(await business.client.get(`/exports/${id}/file`)).toMatchObject({
      status: 409,
      body: { status: 409, error: 'The export is not done yet: it has no file' },
    });

    const next = await startTestWorker(environment);
    try {
      const done = await waitFor(
        async () => {
          const { data } = ok(await business.client.get(`/exports/${id}`), 200);
          return data.state === 'done' && data;
        },
        { timeoutMs: 40_000 },
      );
      expect(done).toMatchObject({ rows: ROWS, failure: null });
      const file = await readFile(path.join(folder, partial.replace('-1.csv.partial', '-2.csv')), 'utf8');
      expect(file.split('\r\n')).toHaveLength(ROWS + 2);
      expect(done.bytes).toBe(Buffer.byteLength(file));
      const { queue, close } = openTestQueue(environment, 'exports');
      const job = await waitFor(async () =>
        (await queue.getCompleted()).find(({ data }) => data.exportId === String(id)),
      ).finally(close);
      expect(job).toMatchObject({ progress: 100, returnvalue: { state: 'done', rows: ROWS } });
      // Housekeeping begins with the worker, and again each minute: it may have passed before.
      const left = (await filesThere()).filter((name) => name !== partial);
      expect(left).toHaveLength(1);
    } finally {
      await next.close();
    }
  }, 180_000);
});
