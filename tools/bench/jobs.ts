import type { Queue } from 'bullmq';
import { mailQueue, settlementQueue } from '#jobs/queues.js';
import { drainMs, openBacklog } from './backlog.js';
import { type Bench, isWanted, type Target } from './bench.js';
import { fillEmpty, fillMails, fillSettlements } from './fill-queues.js';
import { recordComparison } from './record-figures.js';
import { printComparisonHead } from './report.js';
import { finishSeeding, seedAccounts } from './seed.js';

// The rate at which a worker runs waiting jobs, compared with a BullMQ worker of the same concurrency on the same Redis
// whose jobs do nothing.

interface JobKind {
  readonly scenario: string;
  readonly what: string;
  readonly queue: typeof mailQueue | typeof settlementQueue;
  /** As in apps/worker. */
  readonly concurrency: number;
  readonly count: number;
  /** Adds `count` jobs, as the API would. */
  fill(bench: Bench, target: Target, queue: Queue, count: number): Promise<void>;
}

const KINDS: readonly JobKind[] = [
  {
    ...{ scenario: 'jobs-mail', what: 'verification mails, as files', queue: mailQueue, concurrency: 5, count: 3_000 },
    fill: (_bench, { database }, queue, count) => fillMails(database, queue, count),
  },
  {
    ...{ scenario: 'jobs-settlement', what: 'wagers of 3 bets', queue: settlementQueue, concurrency: 2, count: 1_000 },
    fill: fillSettlements,
  },
];

const WARM_UP_SHARE = 0.2;
const QUICK_SHARE = 0.25;

export async function measureJobs(bench: Bench): Promise<void> {
  const wanted = KINDS.filter(({ scenario }) => isWanted(bench.options, scenario));
  if (wanted.length === 0) return;
  const database = await bench.services.createDatabase('jobs');
  const accounts = await seedAccounts(database);
  // The API leaves every bet to the worker. The worker writes mails as files, so it runs as in development.
  const api = await bench.services.startApi(database, { SETTLEMENT_BOUND: '0' });
  const worker = await bench.services.startWorker(database, { NODE_ENV: 'development', SMTP_URL: '' });
  printComparisonHead(bench.print);
  for (const kind of wanted) await measureKind(bench, { database, accounts, api }, kind);
  for (const part of [api, worker]) await part.stop();
}

/** Measures the worker between two runs of the empty worker, after a warm-up of both. */
async function measureKind(bench: Bench, target: Target, kind: JobKind): Promise<void> {
  const { services, options } = bench;
  const { queue, concurrency } = kind;
  const { name: prefix } = target.database;
  const emptyPrefix = `${prefix}_empty`;
  const empty = await services.startEmptyWorker({
    REDIS_PREFIX: emptyPrefix,
    QUEUE: queue.name,
    CONCURRENCY: String(concurrency),
  });
  const ours = openBacklog({ redisUrl: services.redisUrl, prefix, queue });
  const others = openBacklog({ redisUrl: services.redisUrl, prefix: emptyPrefix, queue });
  const runOurs = (count: number) => drainMs(ours, count, () => kind.fill(bench, target, ours.queue, count));
  const runEmpty = (count: number) => drainMs(others, count, () => fillEmpty(others.queue, count));
  try {
    const count = options.quick ? kind.count * QUICK_SHARE : kind.count;
    await runEmpty(count * WARM_UP_SHARE);
    await runOurs(count * WARM_UP_SHARE);
    await finishSeeding(target.database);
    const before = await runEmpty(count);
    const tookMs = await runOurs(count);
    const after = await runEmpty(count);
    await checkDone(target);
    const rateOf = (timeMs: number) => (count * 1_000) / timeMs;
    const beside = (rateOf(before) + rateOf(after)) / 2;
    recordComparison(bench, {
      scenario: kind.scenario,
      what: `${kind.what}; empty jobs`,
      ...{ unit: 'jobs/s', value: rateOf(tookMs), beside, ratio: rateOf(tookMs) / beside, complaints: [], goals: [] },
      note: `${count.toLocaleString('en-US')} jobs, ${concurrency} at a time`,
    });
  } finally {
    for (const one of [ours, others]) await one.close();
    await empty.stop();
  }
}

/** A failed job would look fast. */
async function checkDone({ database }: Target): Promise<void> {
  const [row] = await database.query<{ left: number }>(
    'SELECT count(*)::int AS left FROM outbox WHERE done_at IS NULL',
  );
  if (row?.left !== 0) throw new Error(`${row?.left} jobs have not done their work`);
}
