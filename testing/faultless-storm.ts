import path from 'node:path';
import { undone } from '#proof/storm/checks/check-all.js';
import { SETTLEMENT } from '#proof/storm/checks/replay/ledger-requests.js';
import { DEFAULT_CLIENTS, runClients } from '#proof/storm/clients/run-clients.js';
import { WebhookReceivers } from '#proof/storm/clients/webhook-receivers.js';
import type { History, Kind, Operation } from '#proof/storm/history.js';
import type { TestDatabase } from './databases.js';
import { createTestEnvironment } from './environment.js';
import { startTestApi, startTestWorker } from './parts.js';
import { waitFor } from './wait-for.js';

/** The record and the database of a short storm without faults. All work is done, so a test can falsify either. */
export interface FaultlessStorm {
  readonly history: History;
  readonly database: TestDatabase;
  readonly mailFolder: string;
  close(): Promise<void>;
}

/** For a `beforeAll`. */
export const FAULTLESS_STORM_MS = 180_000;

const OPERATIONS = 500;
/** Low enough that the worker settles bulk wagers. */
const SETTINGS = { ...SETTLEMENT, ALLOW_PRIVATE_WEBHOOKS: 'true' };

const ofBulk = `account_id = (SELECT id FROM accounts WHERE email = 'bulk@storm.example')`;
/** Rows that the tests falsify: which of them the first operations make depends on the speed of each client. */
const NEEDED = [
  `transactions WHERE transaction_source = 'withdrawal'`,
  `bets WHERE offer_status = 'canceled'`,
  `bets WHERE timed_out`,
  `wagers WHERE status = 'closed'`,
  `bet_trails WHERE description LIKE 'Outcome overridden: %'`,
  `bet_trails WHERE description ~ '^(Bet set (in)?active|Override).* by admin '`,
  `bets WHERE ${ofBulk} AND settled_outcome IS NOT NULL`,
  `bets WHERE ${ofBulk} AND offer_status = 'expired'`,
  `bet_trails WHERE ${ofBulk} AND description LIKE 'Offer for the rest of accepted bet %'
     HAVING count(DISTINCT description) > 1`,
  `wagers w JOIN accounts a ON a.id = w.account_id WHERE a.email LIKE 'plain%' AND w.outcome <> 'undecided'`,
];

/** Answers that they falsify: enough of each that one fits. Any change of an account does, and these are rare. */
const ANSWERED: readonly (readonly [Kind, status: number, least: number])[] = [
  ['accept-offer', 201, 3],
  ['change-account', 200, 1],
  ['change-user', 200, 3],
  ['fund', 201, 3],
  ['read-user', 200, 3],
  ['withdraw', 201, 3],
  ['withdraw', 400, 3],
];

export async function runFaultlessStorm(): Promise<FaultlessStorm> {
  const environment = await createTestEnvironment();
  const apis = await Promise.all([startTestApi(environment, SETTINGS), startTestApi(environment, SETTINGS)]);
  const worker = await startTestWorker(environment, SETTINGS);
  const { database, folder } = environment;
  const finishing = new AbortController();
  let record: readonly Operation[] = [];
  const progress = { requests: 0, answered: 0, retries: 0, effects: 0 };
  // All is taken at once.
  const receivers = new WebhookReceivers({ seed: 1, finishing: AbortSignal.abort() });
  const playing = runClients({
    apiUrls: apis.map(({ client }) => client.baseUrl),
    databaseUrl: database.url,
    seed: 1,
    clients: DEFAULT_CLIENTS,
    finishing: finishing.signal,
    progress,
    receivers,
    onReady: (operations) => {
      record = operations;
    },
  });
  const hasRows = async (from: string) => (await database.query(`SELECT 1 FROM ${from} LIMIT 1`)).length > 0;
  const isAnswered = ([kind, status, least]: (typeof ANSWERED)[number]) =>
    record.filter((operation) => operation.kind === kind && operation.answers[0]?.status === status).length >= least;
  const isVaried = async () => ANSWERED.every(isAnswered) && (await Promise.all(NEEDED.map(hasRows))).every(Boolean);
  const varied = waitFor(async () => progress.answered >= OPERATIONS && (await isVaried()), { timeoutMs: 90_000 });
  // Clients that cannot begin say why.
  await Promise.race([varied, playing]);
  finishing.abort();
  // Nothing is retried without faults, so no coverage is required, however long the machine took.
  const history = { ...(await playing), seconds: 0 };
  const mailFolder = path.join(folder, 'mail');
  await waitFor(async () => (await database.query(undone)).length === 0, { timeoutMs: 60_000 });
  return {
    history,
    database,
    mailFolder,
    async close() {
      await worker.close();
      await receivers.close();
      await Promise.all(apis.map((api) => api.close()));
      await environment.close();
    },
  };
}
