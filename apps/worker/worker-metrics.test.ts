import { beforeAll, describe, expect, it } from '@jest/globals';
import { registerAndLogIn, TestClient } from '#testing/client.js';
import { valueIn } from '#testing/metrics.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

const environment = withTestEnvironment(async () => api?.close());
let api: TestPart;

beforeAll(async () => {
  api = await startTestApi(environment);
});

describe('metrics of a worker', () => {
  it('show jobs and open work, on a port of their own', async () => {
    const worker = await startTestWorker(environment, { WORKER_METRICS_PORT: '0' });
    try {
      const client = new TestClient(`http://127.0.0.1:${worker.metricsPort}`);
      await registerAndLogIn(api.client);
      const text = await waitFor(async () => {
        const { body } = await client.get('/metrics');
        const done = valueIn(body, 'ledger_job_duration_seconds_count', { queue: 'mail', end: 'completed' });
        // A scrape leaves out figures that take a second.
        const isWhole = ['ledger_database_up 1', 'ledger_queue_jobs{'].every((part) => body.includes(part));
        return done === 1 && isWhole ? (body as string) : undefined;
      });
      expect(valueIn(text, 'ledger_queue_jobs', { queue: 'mail', state: 'waiting' })).toBe(0);
      expect(valueIn(text, 'ledger_settling_wagers')).toBe(0);
      expect(valueIn(text, 'ledger_outbox_entries', { topic: 'verification-mail', state: 'failed' })).toBe(0);
      expect(valueIn(text, 'ledger_redis_up')).toBe(1);
      expect((await client.get('/healthz')).status).toBe(404);
      expect((await client.get('/metrics', { headers: { Forwarded: 'for=127.0.0.1' } })).status).toBe(403);
    } finally {
      await worker.close();
    }
  });

  it('are not served unless a port is given, and a port that is taken does not stop the worker', async () => {
    const taken = new URL(api.client.baseUrl).port;
    const workers = [await startTestWorker(environment)];
    try {
      workers.push(await startTestWorker(environment, { WORKER_METRICS_PORT: taken }));
      expect(workers.map(({ metricsPort }) => metricsPort)).toEqual([undefined, undefined]);
      const said = environment.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
      expect(said).toMatchObject([{ port: Number(taken), msg: 'metrics are not served' }]);
    } finally {
      for (const worker of workers) await worker.close();
    }
  });
});
