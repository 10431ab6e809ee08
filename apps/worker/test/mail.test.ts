import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { outboxJobId } from '#jobs/queues.js';
import { register, type TestClient } from '#testing/client.js';
import { createTestEnvironment } from '#testing/environment.js';
import { linkTokenIn, waitForMail } from '#testing/mails.js';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { startSmtpServer, type TestSmtpServer } from '#testing/smtp-server.js';
import { openTestQueue, type TestQueue } from '#testing/test-queue.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

const VERIFY = 'Confirm your e-mail address';
/** The stored reason for the server's '450 4.2.1 not now'. */
const REFUSED = 'mail not sent: EMESSAGE DATA 450';

const environment = withTestEnvironment(async () => api?.close());
let api: TestPart;
let client: TestClient;
let smtp: TestSmtpServer;

beforeAll(async () => {
  api = await startTestApi(environment);
  client = api.client;
});

beforeEach(async () => {
  smtp = await startSmtpServer();
});

afterEach(async () => {
  await smtp.close();
});

async function outboxOf(email: string): Promise<Record<string, unknown> | undefined> {
  const rows = await environment.database.query(
    `SELECT o.* FROM outbox o JOIN accounts a ON a.id = o.account_id WHERE a.email = $1`,
    [email],
  );
  return rows[0];
}

const isDone = async (email: string) => ((await outboxOf(email))?.done_at ?? null) !== null;

async function verifies(email: string, count = 1): Promise<void> {
  const mail = await waitForMail(() => smtp.mails, { to: email, subject: VERIFY, count });
  expect((await client.get(`/auth/account/verify-email?token=${linkTokenIn(mail)}`)).status).toBe(200);
}

interface ShortJob extends TestQueue {
  readonly jobId: string;
}

/** Replaces the job of this mail by one that gives up after two tries. */
async function shortenJob(email: string): Promise<ShortJob> {
  const entry = await waitFor(async () => {
    const found = await outboxOf(email);
    return found?.relayed_at != null && found;
  });
  await environment.emptyRedis();
  const mails = openTestQueue(environment, 'mail');
  const jobId = outboxJobId({ id: BigInt(String(entry.id)), createdAt: entry.created_at as Date });
  const data = { accountId: String(entry.account_id), outboxId: String(entry.id) };
  await mails.queue.add(String(entry.topic), data, { jobId, attempts: 2, backoff: 10 });
  return { ...mails, jobId };
}

const failedEntry = (email: string) =>
  waitFor(async () => {
    const found = await outboxOf(email);
    return found?.failed_at != null && found;
  });

const failedJob = ({ queue, jobId }: ShortJob) =>
  waitFor(async () => {
    const found = await queue.getJob(jobId);
    return (await found?.getState()) === 'failed' && found;
  });

/** Runs the worker as a process of its own, as in production. */
function spawnWorker(): ChildProcess {
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  return spawn(process.execPath, [main], {
    stdio: 'ignore',
    env: {
      DATABASE_URL: environment.database.url,
      REDIS_URL: environment.redisUrl,
      REDIS_PREFIX: environment.redisPrefix,
      SMTP_URL: smtp.url,
      BCRYPT_COST: '10',
    },
  });
}

describe('a mail', () => {
  it('is sent once, in plain text and HTML, from the configured sender', async () => {
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url, MAIL_FROM: 'Bets <bets@example.com>' });
    const { email } = await register(client);
    await verifies(email);
    await waitFor(() => isDone(email));
    await worker.close();
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]?.raw).toMatch(/^From: Bets <bets@example.com>\r$/m);
    expect(smtp.mails[0]?.raw).toMatch(/text\/plain[\s\S]+text\/html/);
  });

  it.each(['refuse', 'drop', 'hang'] as const)('arrives in the end though the server may %s', async (behaviour) => {
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url, SMTP_TIMEOUT: '1s' });
    smtp.behave(behaviour);
    const { email } = await register(client);
    await waitFor(() => smtp.offered() >= 2, { timeoutMs: 30_000 });
    expect(await isDone(email)).toBe(false);
    smtp.behave('accept');
    await verifies(email);
    await worker.close();
  });

  it('stays failed with its reason after the last try, and a provider can retry it', async () => {
    const { email } = await register(client);
    const short = await shortenJob(email);
    smtp.behave('refuse');
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url });
    expect(await failedEntry(email)).toMatchObject({ done_at: null, failure: REFUSED });
    const job = await failedJob(short);
    expect(job.failedReason).toBe(REFUSED);
    expect(smtp.offered()).toBe(2);

    smtp.behave('accept');
    await job.retry();
    await verifies(email);
    await waitFor(() => isDone(email));
    expect(await outboxOf(email)).toMatchObject({ failed_at: null, failure: null });
    await worker.close();
    await short.close();
  });

  it('does not leave its secret behind when a server quotes it in the refusal', async () => {
    const { email } = await register(client);
    const short = await shortenJob(email);
    smtp.behave('quote');
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url });
    const entry = await failedEntry(email);
    await failedJob(short);
    const places = {
      redis: await environment.dumpRedis(),
      log: environment.logLines.join(''),
      outbox: JSON.stringify(entry, (_key, value) => (typeof value === 'bigint' ? String(value) : value)),
    };
    expect(smtp.quoted).toHaveLength(2);
    for (const token of smtp.quoted.map(linkTokenIn)) {
      expect(token).toMatch(/^\d+\.[\w-]{43}$/);
      for (const [place, text] of Object.entries(places)) {
        // All three hold the reason, which must not quote the server.
        expect([place, text.includes('EMESSAGE DATA 554'), text.includes(token)]).toEqual([place, true, false]);
      }
    }
    await worker.close();
    await short.close();
  });

  it('is recorded as failed though the database was away at that moment', async () => {
    const { email } = await register(client);
    const short = await shortenJob(email);
    await environment.database.query(
      `CREATE FUNCTION refuse_failure() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''away''; END'`,
    );
    await environment.database.query(
      `CREATE TRIGGER refuse_failure BEFORE UPDATE ON outbox FOR EACH ROW WHEN (NEW.failed_at IS NOT NULL)
         EXECUTE FUNCTION refuse_failure()`,
    );
    smtp.behave('refuse');
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url });
    await failedJob(short);
    expect(await outboxOf(email)).toMatchObject({ done_at: null, failed_at: null });
    await environment.database.query('DROP FUNCTION refuse_failure CASCADE');
    await environment.database.query(`UPDATE outbox SET relayed_at = now() - interval '1 min' WHERE done_at IS NULL`);
    expect(await failedEntry(email)).toMatchObject({ done_at: null, failure: REFUSED });
    await worker.close();
    await short.close();
  });

  it('tells of a webhook endpoint that fails, and of one that is disabled', async () => {
    const { email } = await register(client);
    const [account] = await environment.database.query('SELECT id::int FROM accounts WHERE email = $1', [email]);
    const accountId = Number(account?.id);
    await environment.database.queryOf(
      accountId,
      `INSERT INTO outbox (account_id, topic, payload)
       SELECT $1, 'webhook-' || state || '-mail', '{"endpointId": "7"}' FROM unnest('{failing,disabled}'::text[]) AS state`,
      [accountId],
    );
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url });
    for (const subject of ['A webhook endpoint fails', 'A webhook endpoint was disabled']) {
      expect((await waitForMail(() => smtp.mails, { to: email, subject })).raw).toContain('endpoint 7');
    }
    await worker.close();
  });

  it('arrives though Redis remembers another database', async () => {
    const former = await createTestEnvironment();
    const fresh = await createTestEnvironment();
    try {
      for (const { database } of [former, fresh]) {
        const overrides = { DATABASE_URL: database.url, SMTP_URL: smtp.url };
        const formerApi = await startTestApi(former, overrides);
        const worker = await startTestWorker(former, overrides);
        const { email } = await register(formerApi.client);
        await waitForMail(() => smtp.mails, { to: email, subject: VERIFY });
        const done = 'SELECT id FROM outbox WHERE done_at IS NOT NULL';
        const rows = await waitFor(async () => {
          const found = await database.query(done);
          return found.length > 0 && found;
        });
        expect(rows).toEqual([{ id: '1' }]);
        await worker.close();
        await formerApi.close();
      }
    } finally {
      await former.close();
      await fresh.close();
    }
  });

  it('waits while no worker runs', async () => {
    const { email } = await register(client);
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url });
    await verifies(email);
    await worker.close();
  });

  it('arrives though the process that wrote it died before it relayed it', async () => {
    const { email } = await register(client);
    await waitFor(async () => ((await outboxOf(email))?.relayed_at ?? null) !== null);
    // As if the process had died before it handed the entry over and marked it.
    await environment.database.query('UPDATE outbox SET relayed_at = NULL WHERE done_at IS NULL');
    await environment.emptyRedis();
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url });
    await verifies(email);
    await worker.close();
  });

  it('arrives though the worker is killed while it sends', async () => {
    smtp.behave('hang');
    const victim = spawnWorker();
    const { email } = await register(client);
    await waitFor(() => smtp.offered() >= 1);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    smtp.behave('accept');
    const heir = spawnWorker();
    await verifies(email);
    heir.kill('SIGTERM');
    expect(await once(heir, 'exit')).toEqual([0, null]);
  });
});

describe('stopping', () => {
  it('finishes the active mail', async () => {
    const worker = await startTestWorker(environment, { SMTP_URL: smtp.url });
    const { email } = await register(client);
    const held = smtp.holdNext();
    await held.offered;
    const stopped = worker.close();
    held.accept();
    await stopped;
    expect(await isDone(email)).toBe(true);
    expect(smtp.mails).toHaveLength(1);
  });
});
