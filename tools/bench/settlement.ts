import { setTimeout as sleep } from 'node:timers/promises';
import { accountOf, type Bench, type Figures, known, RATE, type Scenario, type Target } from './bench.js';
import { peakMb } from './process-meter.js';
import { finishSeeding, seedAccounts } from './seed.js';
import type { Build } from './services.js';
import { seedWagers } from './settlement-seed.js';

const POLL_MS = 20;
/** A large settlement on a slow machine takes a tenth of this. */
const SETTLED_WITHIN_MS = 300_000;
/** Node.js compiles during the first chunks of the worker. */
const WARM_UP_SHARE = 0.1;

/** One large wager: from its decision over HTTP until the worker has settled the last bet. */
export const settlementScenario: Scenario = {
  name: 'settlement',
  ceiling: (lean, { bets }) => lean.settlementRate(bets),
  async prepare(bench, build) {
    const ledger = await openSettlingLedger(bench, build, 'settlement');
    return { measure: () => measureSettlement(bench, ledger), close: ledger.close };
  },
};

export interface SettlingLedger extends Target {
  readonly workerPid: number;
  /** Seeds a wager in an account; returns its reference. */
  seed(account: number, bets: number): Promise<string>;
  close(): Promise<void>;
}

/** A database of its own with an API and a worker, which have settled a wager. */
export async function openSettlingLedger({ options }: Bench, build: Build, name: string): Promise<SettlingLedger> {
  const database = await build.createDatabase(name);
  const accounts = await seedAccounts(database);
  const [api, worker] = [await build.startApi(database), await build.startWorker(database)];
  let seeded = 0;
  const ledger: SettlingLedger = {
    database,
    accounts,
    api,
    workerPid: worker.pid,
    async seed(account, bets) {
      seeded += 1;
      await seedWagers(database, { account, wagers: 1, bets, name: `large${seeded}_` });
      await finishSeeding(database);
      return `large${seeded}_1`;
    },
    async close() {
      for (const part of [api, worker]) await part.stop();
    },
  };
  await settle(ledger, 1, await ledger.seed(1, Math.round(options.bets * WARM_UP_SHARE)));
  return ledger;
}

async function measureSettlement({ options: { bets } }: Bench, ledger: SettlingLedger): Promise<Figures> {
  const tookMs = await settle(ledger, 2, await ledger.seed(2, bets));
  return known({ [RATE]: (bets * 1_000) / tookMs, 'worker MB': peakMb(ledger.workerPid) });
}

/** Decides a wager and polls until its last bet is settled; returns the time. */
export async function settle(target: Target, accountId: number, reference: string): Promise<number> {
  const { database } = target;
  const since = performance.now();
  await decide(target, accountId, reference);
  const wager = [accountId, reference];
  while ((await database.query(IS_SETTLING, wager)).length > 0) {
    if (performance.now() - since > SETTLED_WITHIN_MS) throw new Error(`${reference} is not settled in time`);
    await sleep(POLL_MS);
  }
  const tookMs = performance.now() - since;
  const [row] = await database.query<{ left: number }>(UNSETTLED, wager);
  // A settlement that left bets out would look fast.
  if (row?.left !== 0) throw new Error(`${reference}: ${row?.left} bets are not settled`);
  return tookMs;
}

const IS_SETTLING = `SELECT FROM wagers WHERE account_id = $1 AND reference = $2 AND settling_since IS NOT NULL`;
const UNSETTLED = `SELECT count(*)::int AS left FROM bets b
   JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
  WHERE w.account_id = $1 AND w.reference = $2 AND b.settled_outcome IS NULL`;

async function decide(target: Target, accountId: number, reference: string): Promise<void> {
  const { authorization } = accountOf(target, accountId);
  const response = await fetch(`http://127.0.0.1:${target.api.port}/bets/update-wager-outcome`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ reference, outcome: 'win' }),
  });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`deciding ${reference}: ${response.status} ${answer}`);
}
