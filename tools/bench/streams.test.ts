import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import type { Bench } from './bench.js';
import type { BenchDatabase } from './database.js';
import type { LoadAccount } from './load/plan.js';
import { type LoadProcess, startLoadProcess } from './load-process.js';
import { seedAccounts } from './seed.js';
import { measureLag } from './streams.js';

const ACCOUNTS = 3;

let environment: TestEnvironment;
let api: TestPart;
let load: LoadProcess;
let accounts: LoadAccount[];

beforeAll(async () => {
  environment = await createTestEnvironment();
  const { name, url, query } = environment.database;
  const database = { name, url, query: query as BenchDatabase['query'], close: async () => undefined };
  accounts = await seedAccounts(database, ACCOUNTS, 2);
  api = await startTestApi(environment, { RATE_LIMITS: 'off' });
  load = await startLoadProcess();
});

afterAll(async () => {
  await load?.stop();
  await api?.close();
  await environment?.close();
});

async function measure(of: readonly LoadAccount[]): Promise<Bench['figures']> {
  const figures: Bench['figures'] = { rates: [], growth: [], background: [] };
  const bench = { options: { seconds: 1 }, load, print: () => undefined, figures } as unknown as Bench;
  await measureLag(bench, { api: { port: Number(new URL(api.client.baseUrl).port) }, accounts: of });
  return figures;
}

const offersMade = async () => (await environment.database.query('SELECT FROM bets')).length;

describe('the time from a commit to its frame', () => {
  it('is measured of every offer', async () => {
    const { background } = await measure(accounts);
    expect(background.map(({ complaints, value }) => [complaints, value < Infinity])).toEqual(
      Array(4).fill([[], true]),
    );
    const events = background.map(({ note }) => Number(/^(\d+) events of 3 accounts/.exec(note)?.[1]));
    // Of each pace, the second load is measured; the first lasts for two seconds.
    const made = await offersMade();
    expect(events[0]).toBeGreaterThan(50);
    expect((events[0] ?? 0) + (events[2] ?? 0)).toBeLessThan(made);
  });

  it('is no figure when a stream fails', async () => {
    const stranger = { ...(accounts[0] as LoadAccount), authorization: `Basic ${btoa('no:key')}` };
    await expect(measure([...accounts, stranger])).rejects.toMatchObject({ status: 401 });
  });
});
