import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// The connection to PostgreSQL breaks after a commit and before its confirmation arrives. Without a key the API cannot know
// whether a retry is safe: it does not retry, and its answer tells the caller to look first.

const environment = withTestEnvironment(async () => {
  await api?.close();
  gate?.close();
});
let gate: Server;
let api: TestPart;
let business: TestBusiness;
/** The gate drops the confirmations of this many commits. */
let lostConfirmations = 0;

beforeAll(async () => {
  const { hostname, port } = new URL(environment.addresses.DATABASE_URL);
  gate = createServer((caller) => {
    const server = connect(Number(port), hostname);
    let isCommitting = false;
    caller.on('data', (bytes) => {
      isCommitting = lostConfirmations > 0 && bytes.includes('COMMIT');
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!isCommitting) return void caller.write(bytes);
      lostConfirmations -= 1;
      caller.destroy();
      server.destroy();
    });
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      one.on('error', () => undefined); // a lost connection is what this is about
      one.on('close', () => other.destroy());
    }
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const throughGate = new URL(environment.addresses.DATABASE_URL);
  throughGate.host = `127.0.0.1:${(gate.address() as AddressInfo).port}`;
  api = await startTestApi(environment, { ...environment.addresses, DATABASE_URL: throughGate.href });
  business = await openTestBusiness(api.client);
  await business.user('ann', 0);
});

const fund = (key?: string) => {
  const client = key === undefined ? business.client : business.client.with({ 'Idempotency-Key': key });
  return client.post('/transactions/fund-user', { user_reference: 'ann', amount: 5 });
};

const balance = async () => (await business.moneyOf('ann')).balance;

describe('a commit whose confirmation is lost', () => {
  it('is not done again, and the answer says to look first', async () => {
    lostConfirmations = 1;
    const answer = await fund();
    expect(lostConfirmations).toBe(0);
    expect(answer.status).toBe(503);
    expect(answer.body.error).toBe('It is not known whether this was done: look before trying again');
    await waitFor(async () => (await api.client.get('/readyz')).status === 200);
    expect(await balance()).toBe(5);
    await expectBooksToBalance(environment.database);
  });

  it('says the same of what the ledger does not write, and of a read that it may be repeated', async () => {
    lostConfirmations = 1;
    const created = await business.client.post('/account/user', { name: 'Dan' });
    expect([created.status, created.body.error]).toEqual([
      ...[503, 'It is not known whether this was done: look before trying again'],
    ]);
    expect(created.headers.get('retry-after')).toBeNull();
    expect(await environment.database.query(`SELECT FROM users WHERE name = 'Dan'`)).toHaveLength(1);
    lostConfirmations = 1;
    const read = await business.client.get('/bets/history?include_bet_trails=true');
    expect([lostConfirmations, read.status, read.headers.get('retry-after')]).toEqual([0, 503, '1']);
  });

  it('is answered as it was when the request had a key, and not done again', async () => {
    lostConfirmations = 1;
    expect((await fund('lost')).status).toBe(503);
    await waitFor(async () => (await api.client.get('/readyz')).status === 200);
    const again = await fund('lost');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await balance()).toBe(10);
    await expectBooksToBalance(environment.database);
  });
});
