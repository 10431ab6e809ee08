import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { LEFT_OUT, LONGEST_TICK_NS, TICKED_AT, type TickerData } from './standstills.js';

// A thread of its own: what the tests or the product do in theirs does not hold up its ticks, a standstill of the machine does.

const TICK_MS = 20;

const { cells, databaseUrl } = workerData as TickerData;

/** Resolves when a commit is on the disk, or the database is down. */
async function openCommit(url: string): Promise<() => Promise<unknown>> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined); // a test may end its connection
  return () => pool.query(`SELECT pg_logical_emit_message(true, 'clock', '')`).catch(() => undefined);
}

const commit = databaseUrl === undefined ? undefined : await openCommit(databaseUrl);
await commit?.(); // opens the connection
Atomics.store(cells, TICKED_AT, process.hrtime.bigint());
for (;;) {
  await delay(TICK_MS);
  await commit?.();
  const now = process.hrtime.bigint();
  const late = now - Atomics.exchange(cells, TICKED_AT, now) - LONGEST_TICK_NS;
  if (late > 0n) Atomics.add(cells, LEFT_OUT, late);
}
