import { beforeAll, describe, expect, it } from '@jest/globals';
import { register, type TestClient } from '#testing/client.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { seedAcceptedBets } from '#testing/seeded-wagers.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// The trace that a request names goes into every log line of the jobs that follow from it.

const environment = withTestEnvironment(async () => {
  await worker?.close();
  await api?.close();
});
let api: TestPart;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
let business: TestBusiness;
let admin: Admin;
let accountId: number;

beforeAll(async () => {
  api = await startTestApi(environment, { SETTLEMENT_BOUND: '1' });
  worker = await startTestWorker(environment);
  business = await openTestBusiness(api.client);
  admin = await registerAdmin(api.client, environment.database);
  accountId = business.account.id;
});

const traceOf = (digit: number) => String(digit).repeat(32);
const traced = (client: TestClient, digit: number) =>
  client.with({ traceparent: `00-${traceOf(digit)}-b7ad6b7169203331-01` });

/** Waits for the log line of a finished job in this trace; null: in no trace. */
const traceOfJob = (digit: number | null, topic: string) =>
  waitFor(() => {
    const lines = environment.logLines.map((line) => JSON.parse(line));
    const trace = digit === null ? undefined : traceOf(digit);
    return lines.find((line) => line.topic === topic && line.msg.endsWith('job done') && line.trace_id === trace);
  });

describe('a trace', () => {
  it('goes with a decision into its settlement, and with a correction into the check that follows', async () => {
    await seedAcceptedBets(environment.database, { accountId, bets: 3, name: 'traced' });
    ok(await traced(business.client, 1).post('/bets/update-wager-outcome', { reference: 'traced1', outcome: 'win' }));
    await traceOfJob(1, 'settle-wager');
    const correction = { account_id: accountId, wager_reference: 'traced1', outcome: 'loss' };
    ok(await traced(admin.client, 2).post('/admin/wagers/force-update-outcome', correction), 200);
    await traceOfJob(2, 'settle-wager');
    await traceOfJob(2, 'check-portfolios');
  });

  it('stays with its own request, among others of one transaction', async () => {
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) await seedAcceptedBets(environment.database, { accountId, bets: 2, name });
    const decide = (name: string, index: number) => {
      const client = index === 3 ? business.client : traced(business.client, index + 3);
      return client.post('/bets/update-wager-outcome', { reference: `${name}1`, outcome: 'win' });
    };
    (await Promise.all(names.map(decide))).map((answer) => ok(answer));
    for (const digit of [3, 4, 5, null]) await traceOfJob(digit, 'settle-wager');
  });

  it('goes into mails', async () => {
    await register(traced(api.client, 6));
    await traceOfJob(6, 'verification-mail');
  });

  it('is in the log lines of the request and its jobs', async () => {
    const lines = environment.logLines.map((line) => JSON.parse(line)).filter((line) => line.trace_id === traceOf(1));
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['request', 'settlement job done']));
  });
});
