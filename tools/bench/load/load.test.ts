import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import type { BenchDatabase } from '../database.js';
import { seedAccounts, topUpOffers } from '../seed.js';
import type { LoadAccount, Workload } from './plan.js';
import { runLoad } from './run-load.js';

const environment = withTestEnvironment(async () => api?.close());
let api: TestPart;
let accounts: LoadAccount[];

const load = (workload: Workload) => {
  const port = Number(new URL(api.client.baseUrl).port);
  return runLoad({ port, connections: 16, warmUpMs: 700, measureMs: 500, workload });
};

beforeAll(async () => {
  const { name, url, query } = environment.database;
  const database = { name, url, query: query as BenchDatabase['query'], close: async () => undefined };
  accounts = await seedAccounts(database);
  await topUpOffers(database, accounts.length, 5);
  api = await startTestApi(environment, { RATE_LIMITS: 'off' });
});

describe('a load on the API', () => {
  it.each(['make-keyed', 'mixed', 'batch'] as const)('of %s is answered', async (kind) => {
    const { rate, done, p50Ms, p99Ms } = await load({ kind, accounts });
    expect(done).toBeGreaterThan(rate * 0.5);
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  });

  it('leaves books that balance, with what each kind writes', async () => {
    const [row] = await environment.database.query(`
      SELECT (SELECT count(*) FROM stored_answers) > 0 AS keyed,
             (SELECT count(*) FROM bets WHERE accepting_user_id IS NOT NULL) > 0 AS accepted,
             (SELECT count(*) FROM bets WHERE offer_status = 'canceled') > 0 AS canceled`);
    expect(row).toEqual({ keyed: true, accepted: true, canceled: true });
    await environment.database.query(COUNT_TOTALS);
    await expectBooksToBalance(environment.database);
  });

  it('is no figure when its requests are refused', async () => {
    const stranger = { ...(accounts[0] as LoadAccount), authorization: `Basic ${btoa('no:key')}` };
    await expect(load({ kind: 'make', accounts: [stranger] })).rejects.toThrow('had 0 good answers');
  });
});
