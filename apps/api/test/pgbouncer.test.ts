import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, type Queryable, withTx } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { ensurePgbouncer, startPrivatePgbouncer } from '#tools/services/private-pgbouncer.js';
import type { PrivateService } from '#tools/services/service-process.js';

// A few requests through PgBouncer in transaction mode; `npm run proof:pgbouncer` sends all tests of the API through it.

const program = await ensurePgbouncer();
if (program === undefined) {
  const advice = 'install pgbouncer, or let the tests install it with apt (as root, or with a sudo that does not ask)';
  // biome-ignore lint/style/noProcessEnv: continuous integration sets it, for every program
  if (process.env.CI) throw new Error(`There is no PgBouncer on this machine: ${advice}.`);
  process.stderr.write(`\nSKIPPED: ALL TESTS THROUGH PGBOUNCER. There is none on this machine: ${advice}.\n\n`);
}
const describeWithPgbouncer = program === undefined ? describe.skip : describe;

/** Far fewer than the connections of two APIs. */
const POOL_SIZE = 4;

const environment = withTestEnvironment(async () => {
  await Promise.all((apis ?? []).map((api) => api.close()));
  await pgbouncer?.stop();
});
let pgbouncer: PrivateService;
let apis: TestPart[];
let business: TestBusiness;

beforeAll(async () => {
  if (program === undefined) return;
  const { url } = environment.database;
  const options = { dataDir: path.join(environment.folder, 'pgbouncer'), postgresUrl: url, poolSize: POOL_SIZE };
  pgbouncer = await startPrivatePgbouncer(program, options);
  const settings = { DATABASE_URL: pgbouncer.url, DATABASE_LISTEN_URL: url };
  apis = [await startTestApi(environment, settings), await startTestApi(environment, settings)];
  business = await openTestBusiness((apis[0] as TestPart).client, { ann: 1_000_000, bob: 1_000_000 });
});

const clients = () => apis.map(({ client }) => client.as({ token: business.account.token }));

describeWithPgbouncer('two APIs behind PgBouncer in transaction mode', () => {
  it('share its few connections: bets, lists and decisions at once', async () => {
    const bodies = Array.from({ length: 60 }, (_each, index) => ({
      wager_reference: `w${index % 5}`,
      requesting_odds: 2,
      requesting_amount: 1 + index,
      requesting_user_reference: 'ann',
    }));
    await Promise.all(
      bodies.flatMap((body, index) => {
        const client = clients()[index % 2];
        return [
          client?.post('/bets/make-offer', body).then((answer) => ok(answer)),
          client?.get('/bets/open-bets').then((answer) => ok(answer, 200)),
        ];
      }),
    );
    const connections = await environment.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'betting-ledger'`,
    );
    expect(connections.length).toBeLessThanOrEqual(POOL_SIZE);
    await Promise.all([1, 2, 3].map(async () => ok(await business.accept('bob', 10, { wager_reference: 'w0' }))));
    ok(await business.decide('win', 'w0'));
    expect(ok(await business.client.get('/bets/open-bets'), 200).total).toBe(48);
    await expectBooksToBalance(environment.database);
  });

  it('hear of ended access at the address for listeners', async () => {
    const session = await openTestBusiness((apis[0] as TestPart).client);
    const elsewhere = (apis[1] as TestPart).client.as({ token: session.account.token });
    ok(await elsewhere.get('/auth/account/me'), 200);
    ok(await session.client.post('/auth/logout/account'), 200);
    expect((await elsewhere.get('/auth/account/me')).status).toBe(401);
  });

  it('bring the time-outs of a transaction with its BEGIN, and leave none behind', async () => {
    const database = openDatabase({
      url: pgbouncer.url,
      connections: 2,
      deadlineMs: 10_000,
      onConnectionError: () => undefined,
    });
    const timeouts = (from: Queryable) => from.$queryRaw`SELECT current_setting('lock_timeout') AS lock,
      current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`;
    try {
      for (let times = 0; times < POOL_SIZE; times += 1) {
        expect(await withTx(database.shared, timeouts)).toEqual([{ lock: '4s', statement: '7s', idle: '5s' }]);
        expect(await timeouts(database.shared)).toEqual([{ lock: '0', statement: '0', idle: '0' }]);
      }
    } finally {
      await database.disconnect();
    }
  });
});
