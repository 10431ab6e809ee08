import { setTimeout as delay } from 'node:timers/promises';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { History, Operation, StormAccount } from '../history.js';
import { emailOf, logIn, register } from './account-requests.js';
import { Client, type ClientParts } from './client.js';
import { runHostileTenant } from './hostile-tenant.js';
import { KnownAccount } from './known-account.js';
import { followLog } from './log-readers.js';
import { type Progress, Sender } from './sender.js';
import { followByStream } from './stream-reader.js';
import { createUser, pay } from './user-requests.js';
import type { WebhookReceivers } from './webhook-receivers.js';
import {
  type Activity,
  type ActivityContext,
  adminActivity,
  businessActivity,
  largeWagerActivity,
} from './workload-mix.js';

export interface ClientOptions {
  readonly apiUrls: readonly string[];
  /** Only to make an account an admin, before the storm. */
  readonly databaseUrl: string;
  readonly seed: number;
  readonly clients: number;
  /** Aborted: clients finish their requests and begin no new ones. */
  readonly finishing: AbortSignal;
  /** Updated while the clients run. */
  readonly progress: Progress;
  /** Of the webhook endpoints that accounts make before the storm. */
  readonly receivers: WebhookReceivers;
  /** Called when the accounts are set up, with the record as it grows. */
  readonly onReady: (operations: readonly Operation[]) => void;
}

export const DEFAULT_CLIENTS = 12;

/** The account and the activity of each client; with more clients the list starts again. */
const roles: readonly [ClientRole, ...ClientRole[]] = [
  { account: 'plain-1', activity: businessActivity },
  { account: 'plain-2', activity: businessActivity },
  { account: 'bulk', activity: largeWagerActivity },
  { account: 'corrected', activity: businessActivity },
  { account: 'admin', activity: adminActivity },
  { account: 'plain-1', activity: businessActivity },
  { account: 'plain-2', activity: businessActivity },
  { account: 'corrected', activity: largeWagerActivity },
  { account: 'plain-1', activity: businessActivity },
  { account: 'bulk', activity: largeWagerActivity },
  { account: 'corrected', activity: businessActivity },
  { account: 'plain-2', activity: businessActivity },
];

const accountPlans = [
  { name: 'plain-1', role: 'plain', rich: 4, poor: 4 },
  { name: 'plain-2', role: 'plain', rich: 3, poor: 5 },
  { name: 'bulk', role: 'bulk', rich: 10, poor: 0 },
  { name: 'corrected', role: 'corrected', rich: 6, poor: 0 },
  { name: 'admin', role: 'admin', rich: 0, poor: 0 },
  { name: 'hostile', role: 'idle', rich: 0, poor: 0 },
  { name: 'bystander', role: 'idle', rich: 0, poor: 0 },
] as const;

/** The accounts that have a webhook endpoint. */
const webhookModes = { 'plain-1': 'doorbell', 'plain-2': 'ordered', corrected: 'keyed' } as const;

/** Offsets of the random sources of senders and of readers from those of clients. */
const SENDERS_FROM = 500;
const READERS_FROM = 900;
const HOSTILE_FROM = 990;

const RICH = 100_000;
const POOR = 20;
/** The longest pause between two activities: more load than one API can serve, and less than the history can hold. */
const LONGEST_REST_MS = 30;

interface ClientRole {
  readonly account: (typeof accountPlans)[number]['name'];
  readonly activity: Activity;
}

/** Sets up the accounts, runs all clients until `finishing`, and returns the record of their requests. */
export async function runClients(options: ClientOptions): Promise<History> {
  const { seed, clients, finishing, progress, receivers, onReady } = options;
  const operations: Operation[] = [];
  const epochMs = Date.now() - performance.now();
  const partsOf = (number: number): Parts => {
    // Each client has its own random source: events at one client do not change the choices of another.
    const chance = createSeededRandom(seed * 1_000 + number);
    // Retries have another one: their number does not change the client's next choices.
    const sender = new Sender({ ...options, chance: createSeededRandom(seed * 1_000 + SENDERS_FROM + number) });
    return { number, chance, sender, progress, operations };
  };
  const accounts = new Map<string, KnownAccount>();
  for (const plan of accountPlans) accounts.set(plan.name, await setUpAccount(plan, partsOf(0), options.databaseUrl));
  await subscribe(options, accounts);
  onReady(operations);
  const readyAt = performance.now();
  let finishingAt = readyAt;
  finishing.addEventListener('abort', () => {
    finishingAt = performance.now();
  });
  const over = new AbortController();
  const following = followLogs(options, [...accounts.values()], over.signal);
  const hostile = beHostile(options, accounts);
  const context = { corrected: accounts.get('corrected') as KnownAccount, finishing };
  await Promise.all(
    Array.from({ length: clients }, (_, index) => {
      const { account, activity } = roles[index % roles.length] ?? roles[0];
      const known = accounts.get(account) as KnownAccount;
      const otherAccounts = [...accounts.values()].filter((other) => other !== known && other.bettors.length > 0);
      return play(new Client({ ...partsOf(index + 1), known, otherAccounts }), activity, context);
    }),
  ).finally(() => over.abort());
  return {
    accounts: [...accounts.values()].map(({ account }) => account),
    operations,
    logs: await following,
    webhooks: receivers.records,
    hostility: await hostile,
    epochMs,
    seconds: (finishingAt - readyAt) / 1_000,
  };
}

async function subscribe(
  { receivers, apiUrls: [apiUrl = ''] }: ClientOptions,
  accounts: ReadonlyMap<string, KnownAccount>,
) {
  for (const [name, mode] of Object.entries(webhookModes)) {
    await receivers.subscribe({ known: accounts.get(name) as KnownAccount, mode, apiUrl });
  }
}

function beHostile({ apiUrls, seed, finishing }: ClientOptions, accounts: ReadonlyMap<string, KnownAccount>) {
  const [attacker, bystander] = [accounts.get('hostile') as KnownAccount, accounts.get('bystander') as KnownAccount];
  const others = [...accounts.values()].filter((known) => known !== attacker && known !== bystander);
  const chance = createSeededRandom(seed * 1_000 + HOSTILE_FROM);
  return runHostileTenant({ apiUrls, attacker, bystander, others, chance, finishing });
}

/** Three readers for each account. */
const followLogs = ({ apiUrls, seed }: ClientOptions, accounts: readonly KnownAccount[], over: AbortSignal) =>
  Promise.all(
    accounts.flatMap((known, index) =>
      (['poll', 'wait', 'stream'] as const).map((way, place) => {
        const chance = createSeededRandom(seed * 1_000 + READERS_FROM + 3 * index + place);
        const reading = { known, apiUrls, chance, over };
        return way === 'stream' ? followByStream(reading) : followLog({ ...reading, way });
      }),
    ),
  );

async function play(client: Client, activity: Activity, context: ActivityContext): Promise<void> {
  while (!context.finishing.aborted) {
    await activity(client, context);
    await delay(client.chance.below(LONGEST_REST_MS));
  }
}

type Parts = Omit<ClientParts, 'known' | 'otherAccounts'>;

async function setUpAccount(
  plan: (typeof accountPlans)[number],
  parts: Parts,
  databaseUrl: string,
): Promise<KnownAccount> {
  const { name, role, rich, poor } = plan;
  const unknown: StormAccount = { role, name, email: emailOf(name), id: 0 };
  const anonymous = new Client({ ...parts, known: new KnownAccount(unknown, ''), otherAccounts: [] });
  await register(anonymous, unknown);
  const account = { ...unknown, id: await identify(unknown, databaseUrl) };
  const token = (await logIn(anonymous, account)) ?? '';
  const approver = role === 'plain' ? await logIn(anonymous, await addApprover(account, databaseUrl)) : undefined;
  const known = new KnownAccount(account, token, approver);
  const client = new Client({ ...parts, known, otherAccounts: [] });
  for (let made = 0; made < rich + poor; made += 1) {
    const bettor = await createUser(client);
    if (bettor !== undefined) await pay(client, 'fund', made < rich ? RICH : POOR, bettor);
  }
  return known;
}

/** Returns the account's id. Sets the role in the database, as the `make-admin` command does. */
async function identify({ email, role }: StormAccount, databaseUrl: string): Promise<number> {
  const sql = 'UPDATE accounts SET role = $2 WHERE email = $1 RETURNING id::int';
  const values = [email, role === 'admin' ? 'admin' : 'business'];
  const { rows } = await withPostgresClient({ connectionString: databaseUrl }, (client) => client.query(sql, values));
  if (rows[0] === undefined) throw new Error(`${email} could not be registered`);
  return rows[0].id;
}

/** Another person of the account, with the password of its owner. */
async function addApprover(account: StormAccount, databaseUrl: string): Promise<StormAccount> {
  const email = emailOf(`${account.name}-approver`);
  const sql = `INSERT INTO operators (account_id, name, email, role, password_hash)
    SELECT account_id, 'Approver', $2, 'approver', password_hash FROM operators WHERE account_id = $1`;
  await withPostgresClient({ connectionString: databaseUrl }, (client) => client.query(sql, [account.id, email]));
  return { ...account, email };
}
