import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { UNKNOWN_CAUSE } from '#events/event-cause.js';
import { logEvents } from '#events/log-events.js';
import { type Tx, withTx } from '#platform/database/database.js';
import { answering, type Receive, startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';
import { createDeliver, type Deliver } from '#webhooks/deliver.js';
import { findDueEndpoints } from '#webhooks/delivery-rows.js';
import { createEndpoint } from '#webhooks/manage-endpoints.js';
import { createSecretBox, type SecretBox } from '#webhooks/secret-box.js';
import { createSender, createSockets, type Sockets } from '#webhooks/sender.js';
import type { EndpointKey, EndpointMode } from '#webhooks/webhook-endpoint.js';
import { type LedgerFixture, useLedgerDatabase } from './ledger-fixture.js';

/** Refuses what is about these users. */
export const refusing =
  (users: readonly number[]): Receive =>
  (webhook, response) =>
    answering(users.includes(webhook.body.data.user.id) ? 500 : 200)(webhook, response);

interface WorkerOptions {
  readonly secretBox: SecretBox;
  readonly sockets?: Sockets;
  /** Long unless given: a receiver on a slow machine is no silent one. */
  readonly timeoutMs?: number;
}

/** A worker of its own, whose clock the tests move. */
const workerOf = (
  fixture: LedgerFixture,
  { secretBox, sockets, timeoutMs = 20_000 }: WorkerOptions,
  now: () => Date,
): Deliver =>
  createDeliver({
    database: fixture.database,
    secretBox,
    send: createSender({ allowPrivate: true, timeoutMs }),
    sockets: sockets ?? createSockets(),
    relaySoon: () => undefined,
    logger: fixture.environment.logger,
    now,
    random: () => 0,
    observe: () => undefined,
    signal: new AbortController().signal,
  });

/** Events of these users of account 1, each in a commit of its own. */
async function happen({ database }: LedgerFixture, users: readonly number[]): Promise<void> {
  for (const user of users) {
    const events = [{ kind: 'user.updated', ref: BigInt(user), extra: { name: 'Ann' } }] as const;
    await withTx(database.shared, async (tx) => logEvents(tx, { accountId: 1n, cause: UNKNOWN_CAUSE, events }));
  }
}

/** What the rows say. */
const readsOf = (fixture: LedgerFixture) => ({
  query: (sql: string) => fixture.query(sql),
  row: async () =>
    (
      await fixture.query(
        'SELECT state, disabled_reason, cursor_seq::int AS cursor, failing_since, lease FROM webhook_endpoints',
      )
    )[0],
  waiting: async () =>
    (await fixture.query('SELECT seq FROM webhook_deliveries ORDER BY seq')).map(({ seq }) => Number(seq)),
  mails: async () => (await fixture.query('SELECT topic FROM outbox ORDER BY id')).map(({ topic }) => topic),
  head: async () => Number((await fixture.query('SELECT last_seq FROM event_heads WHERE account_id = 1'))[0]?.last_seq),
});

/**
 * It stands still until a test moves it. It starts anew with each test: receivers refuse what is minutes old, and the modules of a
 * test process stay loaded for longer.
 */
function useClock() {
  let start = new Date();
  let now = start;
  beforeEach(() => {
    start = new Date();
    now = start;
  });
  return {
    start: () => start,
    now: () => now,
    later(ms: number): void {
      now = new Date(now.getTime() + ms);
    },
  };
}

/** One endpoint of account 1 and its receiver; the tests move the clock. */
export function useWebhooks() {
  const fixture = useLedgerDatabase();
  const key = Buffer.alloc(32, 1);
  const box = createSecretBox([key]) as SecretBox;
  let receiver: WebhookReceiver;
  let deliver: Deliver;
  const clock = useClock();

  const createWorker = (options: Partial<WorkerOptions> = {}) =>
    workerOf(fixture, { secretBox: box, ...options }, clock.now);

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    deliver = createWorker();
  });
  afterAll(() => receiver?.close());
  beforeEach(async () => {
    await fixture.query('DELETE FROM webhook_endpoints; DELETE FROM webhook_attempts; DELETE FROM outbox');
    receiver.received.length = 0;
    receiver.receive = answering(204);
  });

  return {
    get start() {
      return clock.start();
    },
    key,
    box,
    createWorker,
    environment: () => fixture.environment,
    get database() {
      return fixture.database;
    },
    change: <Result>(use: (tx: Tx) => Promise<Result>) => withTx(fixture.database.shared, use),
    get receiver() {
      return receiver;
    },
    get now() {
      return clock.now();
    },
    deliver: (key: EndpointKey) => deliver(key),
    later: clock.later,
    async make(mode: EndpointMode, types: readonly string[] = ['user.*']) {
      const wanted = { accountId: 1n, cause: UNKNOWN_CAUSE, url: receiver.url, types, mode, description: null };
      const { key, secret } = await withTx(fixture.database.shared, (tx) => createEndpoint(tx, box, wanted));
      return { ...key, cause: UNKNOWN_CAUSE, secret };
    },
    happen: (...users: readonly number[]) => happen(fixture, users),
    ...readsOf(fixture),
    isDue: async () => (await findDueEndpoints(fixture.database, clock.now())).length > 0,
    /** Of the events that came. */
    seqs: () => receiver.received.map(({ body }) => body.data.seq),
    /** Before the next answer, which is 200 like all after it. */
    meanwhile(use: () => Promise<unknown>): void {
      receiver.receive = async (_webhook, response) => {
        receiver.receive = answering(200);
        await use();
        response.writeHead(200).end();
      };
    },
  };
}
