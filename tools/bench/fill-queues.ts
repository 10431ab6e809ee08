import type { Queue } from 'bullmq';
import { outboxJobId } from '#jobs/queues.js';
import { type Bench, runLoad, type Target } from './bench.js';
import type { BenchDatabase } from './database.js';
import { ACCOUNTS } from './seeded-data.js';
import { seedWagers } from './settlement-seed.js';

const BULK = 500;
const BETS = 3;
const CONNECTIONS = 64;
/** A bound: the load ends when all decisions are made. */
const MAX_SECONDS = 60;

type Job = Parameters<Queue['addBulk']>[0][number];

async function addAll(queue: Queue, jobs: readonly Job[]): Promise<void> {
  for (let from = 0; from < jobs.length; from += BULK) await queue.addBulk(jobs.slice(from, from + BULK));
}

export async function fillEmpty(queue: Queue, count: number): Promise<void> {
  const job = { name: 'nothing', data: { accountId: '1', outboxId: '1' } };
  await addAll(
    queue,
    Array.from({ length: count }, () => job),
  );
}

/** Outbox entries of accounts whose address is not proved, and their jobs. */
export async function fillMails(database: BenchDatabase, queue: Queue, count: number): Promise<void> {
  const topic = 'verification-mail';
  // Marked as relayed, so that the sweep adds no job.
  const rows = await database.query<{ accountId: string; id: string; createdAt: Date }>(
    `INSERT INTO outbox (account_id, topic, relayed_at) SELECT n % ${ACCOUNTS} + 1, $1, now() FROM generate_series(1, $2::int) n
     RETURNING account_id::text AS "accountId", id::text AS id, created_at AS "createdAt"`,
    [topic, count],
  );
  const jobs = rows.map(({ accountId, id, createdAt }) => ({
    name: topic,
    data: { accountId, outboxId: id },
    opts: { jobId: outboxJobId({ id: BigInt(id), createdAt }) },
  }));
  await addAll(queue, jobs);
}

/** The API decides wagers and leaves their bets to the worker. The accounts take turns, in the queue too. */
export async function fillSettlements(bench: Bench, { database, accounts, api }: Target, _queue: Queue, count: number) {
  const wagers = { name: `job${count}-`, from: 1, count: count / ACCOUNTS };
  for (let account = 1; account <= ACCOUNTS; account += 1) {
    await seedWagers(database, { account, wagers: wagers.count, bets: BETS, name: wagers.name });
  }
  const { all, complaints } = await runLoad(bench, {
    ...{ port: api.port, connections: CONNECTIONS, warmUpMs: 0, seconds: MAX_SECONDS },
    workload: { kind: 'decide', accounts, wagers },
  });
  if (all.answers['201'] !== count) throw new Error(`not all wagers were decided: ${complaints.join('; ')}`);
}
