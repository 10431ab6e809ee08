import { beforeAll, expect, it } from '@jest/globals';
import type { Answer, TestClient } from '#testing/client.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { offer, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// Two transactions that store an answer under one key wait for each other. Whoever waits may not hold the head of the event
// log, which the other one locks last.

const ROUNDS = 5;
const PAIRS = 12;

/** A transaction that has stored an answer stays open for a while, and PostgreSQL looks for deadlocks soon. */
const settings = (name: string) => `
  CREATE FUNCTION wait_with_answer() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_sleep(0.01);
    RETURN NULL;
  END $$;
  CREATE TRIGGER slow_answer AFTER INSERT ON stored_answers FOR EACH STATEMENT EXECUTE FUNCTION wait_with_answer();
  ALTER DATABASE ${name} SET deadlock_timeout = '50ms'`;

const environment = withTestEnvironment(async () => closeApis());
let apis: TestPart[] = [];
let business: TestBusiness;

beforeAll(async () => {
  await environment.database.query(settings(environment.database.name));
  apis = await Promise.all([startTestApi(environment), startTestApi(environment)]);
  business = await openTestBusiness((apis[0] as TestPart).client);
  await business.user('ann', 1_000_000);
});

const closeApis = () => Promise.all(apis.splice(0).map((api) => api.close()));

it('requests with one key at two processes end, without a deadlock', async () => {
  const [first, second] = apis.map(({ client }) => client.as(business.client.credential)) as [TestClient, TestClient];
  type Send = (client: TestClient, key: string) => Promise<Answer>;
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
  const makeOffer: Send = (client, key) => client.post('/bets/make-offer', offer('ann', 1), keyed(key));
  const createUser: Send = (client, key) =>
    client.post('/account/user', { name: key, reference: `user-${key}` }, keyed(key));
  const fund: Send = (client, key) =>
    client.post('/transactions/fund-user', { user_reference: 'ann', amount: 1 }, keyed(key));
  const pairs: readonly (readonly [Send, Send])[] = [
    [makeOffer, makeOffer],
    [createUser, makeOffer],
    [fund, createUser],
    [createUser, createUser],
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = Array.from({ length: PAIRS }, async (_, index) => {
      const key = `key-${round}-${index}`;
      const [one, other] = pairs[index % pairs.length] as readonly [Send, Send];
      const answers = await Promise.all([one(first, key), other(second, key)]);
      const [status, body] = [answers.map((answer) => answer.status).sort(), answers.map((answer) => answer.body)];
      if (one === other) expect([status, body[1]]).toEqual([[201, 201], body[0]]);
      else expect(status).toEqual([201, 422]);
    });
    await Promise.all(all);
  }
  // PostgreSQL counts what a connection has seen when that ends. PgBouncer does not end its own.
  await closeApis();
  const database = environment.database;
  const open = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}' AND application_name = 'betting-ledger'`;
  await waitFor(async () => (await database.query(open)).length === 0);
  const [counted] = await database.query(
    `SELECT deadlocks::int FROM pg_stat_database WHERE datname = '${database.name}'`,
  );
  expect(counted).toEqual({ deadlocks: 0 });
});
