import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadAccount } from '#tools/bench/load/plan.js';
import { runLoad } from '#tools/bench/load/run-load.js';
import { cpuMs } from '#tools/bench/process-meter.js';
import { createCitusDatabase, dropCitusDatabase, onNode } from '#tools/services/citus-databases.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { AccountClient } from './account-client.js';
import { type ProofLedger, type Setting, withCitusDatabase, withLedger } from './ledger-on-citus.js';

const ACCOUNTS = 10;
const USERS = 20;
const WAGERS = 20;
const LEVELS = [64, 256];
const WARM_UP_MS = 12_000;
/** Bets of the wager that is settled. */
const BETS = 10_000;
const BATCH = 20;
const TAKEN_AT_ONCE = 1_000;
const PER_MILLION = 1_000_000;

interface Figures {
  /** Offers a second, by connections. */
  readonly offers: ReadonlyMap<number, number>;
  /** Processor time of each server for an offer, in microseconds, by its name. */
  readonly costs: ReadonlyMap<string, number>;
  /** Bets settled a second. */
  readonly settled: number;
}

/** Make-offer and settlement on the cluster, compared with one PostgreSQL on the same machine. */
export async function measure(setting: Setting, plainUrl: string): Promise<void> {
  const { print } = setting;
  const name = 'ledger_measured';
  const plainDatabase = await createCitusDatabase(plainUrl, [], { name, isPlain: true });
  const plain = await withLedger(setting, plainDatabase, (ledger) => measureLedger(setting, ledger, [])).finally(() =>
    dropCitusDatabase(plainUrl, [], name),
  );
  const cluster = await withCitusDatabase(setting, (url, workers) =>
    withLedger(setting, url, (ledger) => measureLedger(setting, ledger, workers)),
  );
  for (const level of LEVELS) {
    const [one, all] = [plain.offers.get(level) ?? 0, cluster.offers.get(level) ?? 0];
    print(
      `make-offer at ${level} connections: ${all.toFixed(0)} a second on the cluster, ${one.toFixed(0)} on one PostgreSQL: ${(all / one).toFixed(2)}`,
    );
  }
  print(
    `settlement: ${cluster.settled.toFixed(0)} bets a second on the cluster, ${plain.settled.toFixed(0)} on one PostgreSQL: ${(cluster.settled / plain.settled).toFixed(2)}`,
  );
  printCapacity(setting, cluster);
}

/** What N nodes would carry, by the processor time of an offer: each node its share, the coordinator a little of all. */
function printCapacity({ print }: Setting, { costs }: Figures): void {
  const processors = cpus().length;
  const [[coordinator, ofCoordinator] = ['', 0], ...workers] = costs;
  const ofWorkers = workers.reduce((sum, [, cost]) => sum + cost, 0);
  for (const [server, cost] of costs) print(`processor time of an offer on ${server}: ${cost.toFixed(1)} µs`);
  const nodeCarries = (processors * PER_MILLION) / ofWorkers;
  for (const nodes of [2, 4, 8, 16])
    print(`${nodes} nodes of ${processors} processors carry ${(nodes * nodeCarries).toFixed(0)} offers a second`);
  const most =
    ofCoordinator < 0.05 ? 'more than can be measured' : ((processors * PER_MILLION) / ofCoordinator).toFixed(0);
  print(`the coordinator ${coordinator} is the bottleneck at ${most} offers a second`);
}

async function measureLedger(setting: Setting, ledger: ProofLedger, workers: readonly string[]): Promise<Figures> {
  const accounts: LoadAccount[] = [];
  while (accounts.length < ACCOUNTS) accounts.push(await seedAccount(ledger.apiUrl));
  const servers = [ledger.databaseUrl, ...workers.map((host) => onNode(ledger.databaseUrl, host))];
  const pids = await Promise.all(servers.map(async (url) => [new URL(url).host, await pidOf(url)] as const));
  const offers = new Map<number, number>();
  const costs = new Map<string, number>();
  const measureMs = setting.options.seconds * 1_000;
  for (const connections of LEVELS) {
    const before = pids.map(([, pid]) => cpuMs(pid) ?? 0);
    const plan = { port: Number(new URL(ledger.apiUrl).port), connections, warmUpMs: WARM_UP_MS, measureMs };
    const { rate, done } = await runLoad({ ...plan, workload: { kind: 'make', accounts } });
    offers.set(connections, rate);
    for (const [index, [server, pid]] of pids.entries()) {
      costs.set(server, (((cpuMs(pid) ?? 0) - (before[index] ?? 0)) * 1_000) / done);
    }
  }
  return { offers, costs, settled: await measureSettlement(ledger.apiUrl) };
}

/** Of a server on this machine. */
async function pidOf(url: string): Promise<number> {
  const rows = await withPostgresClient({ connectionString: url }, async (client) => {
    const found = await client.query<{ pid: string }>(
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
    );
    return found.rows;
  });
  return Number(rows[0]?.pid);
}

async function seedAccount(apiUrl: string): Promise<LoadAccount> {
  const { ledger, owner } = await AccountClient.open(apiUrl);
  const ids: number[] = [];
  for (let number = 1; number <= USERS; number += 1) {
    const user = { name: `User ${number}`, reference: `u${number}` };
    const { id } = (await ledger.post('/account/user', { body: user })).data;
    ids.push(id);
    await ledger.post('/transactions/fund-user', { body: { user_id: id, amount: 100_000_000 } });
  }
  const firstUserId = ids[0] ?? 0;
  if (ids.some((id, index) => id !== firstUserId + index)) throw new Error('the ids of the users have gaps');
  return { authorization: `Bearer ${owner.token}`, firstUserId, users: USERS, wagers: WAGERS };
}

async function measureSettlement(apiUrl: string): Promise<number> {
  const { ledger } = await AccountClient.open(apiUrl);
  for (const reference of ['bob', 'cat']) {
    await ledger.post('/account/user', { body: { name: reference, reference } });
    await ledger.post('/transactions/fund-user', { body: { user_reference: reference, amount: 10 * BETS } });
  }
  const data = { wager_reference: 'final', requesting_odds: 2, requesting_amount: 1, requesting_user_reference: 'bob' };
  for (let made = 0; made < BETS; made += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, index) => ({
      operation_type: 'make_bet_offer' as const,
      operation_id: `o${index}`,
      data,
    }));
    await ledger.post('/bets/batch', { body: { operations } });
  }
  const acceptance = { wager_reference: 'final', maximum_odds: 2, accepting_user_reference: 'cat' };
  for (let taken = 0; taken < BETS; taken += TAKEN_AT_ONCE) {
    await ledger.post('/bets/accept-offer', { body: { ...acceptance, accepting_amount: TAKEN_AT_ONCE } });
  }
  const startedAt = performance.now();
  await ledger.post('/bets/update-wager-outcome', { body: { reference: 'final', outcome: 'win' } });
  const final = { params: { path: { reference: 'final' } } };
  while ((await ledger.get('/wagers/{reference}', final)).data.settlement.remaining > 0) await pause(50);
  return (BETS * 1_000) / (performance.now() - startedAt);
}
