import { randomUUID } from 'node:crypto';
import { DAY_MS } from '#platform/config/time-units.js';
import type { Database, SharedTables } from '#platform/database/database.js';
import type { DeletedRows, ExpiredRows } from '#platform/database/expired-rows.js';
import type { Logger } from '#platform/logging/logger.js';

// Each worker process says that it lives, and what it does, in a row of its own. All times are of PostgreSQL's clock. On a
// cluster the rows are on the coordinator.

const BEAT_EVERY_MS = 3_000;
/**
 * Five beats are missing: the process has died, hangs, or does not reach PostgreSQL. A beat that lies as far in the future
 * says as little: the clock was set back, or a backup restored.
 */
const DEAD_AFTER_MS = 15_000;
/** How long the row of a dead worker stays. */
export const DEAD_SHOWN_MS = DAY_MS;

/** Far more than a worker runs at once. With ids of 19 digits they fit into the row. */
const MOST_JOBS = 60;

/** A job that a worker runs. */
export interface RunningJob {
  readonly queue: string;
  readonly name: string;
  readonly startedMs: number;
  readonly accountId?: string | undefined;
  readonly wagerId?: string | undefined;
}

export interface HeartbeatOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly runningJobs: () => readonly RunningJob[];
}

export interface Heartbeat {
  /** Takes the worker's row away: it has stopped, and is not dead. */
  close(): Promise<void>;
}

/** Writes a heartbeat every three seconds, each by one statement. */
export function startHeartbeat({ database, logger, runningJobs }: HeartbeatOptions): Heartbeat {
  const id = randomUUID();
  const startedMs = performance.now();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  const jobsNow = () =>
    runningJobs()
      .slice(0, MOST_JOBS)
      .map(({ startedMs, ...job }) => ({ ...job, runsForMs: Math.round(performance.now() - startedMs) }));

  async function beat(): Promise<void> {
    const jobs = JSON.stringify(jobsNow());
    // Housekeeping deletes the row of a worker that hangs for a day.
    const ageMs = Math.round(performance.now() - startedMs);
    await database.shared.$executeRaw`
      INSERT INTO worker_heartbeats (id, started_at, jobs)
      VALUES (${id}::uuid, now() - ${ageMs} * interval '1 ms', ${jobs}::jsonb)
          ON CONFLICT (id) DO UPDATE SET beat_at = now(), jobs = excluded.jobs`;
  }

  function next(): void {
    if (isClosed) return;
    current = beat()
      .catch((error) => logger.warn({ reason: String(error) }, 'the heartbeat was not written: trying again'))
      .finally(() => {
        timer = setTimeout(next, BEAT_EVERY_MS);
      });
  }
  next();

  return {
    async close() {
      isClosed = true;
      await current;
      clearTimeout(timer);
      await database.shared.$executeRaw`DELETE FROM worker_heartbeats WHERE id = ${id}::uuid`.catch((error) =>
        logger.warn({ reason: String(error) }, 'the heartbeat stays: this worker will seem to have died'),
      );
    },
  };
}

export interface WorkerCounts {
  readonly alive: number;
  readonly dead: number;
  /** Since the last beat of any worker; null when none is known. */
  readonly beatAgeSeconds: number | null;
}

export async function countWorkers(database: Database): Promise<WorkerCounts> {
  const [counts] = await database.shared.$queryRaw<[WorkerCounts]>`
    SELECT count(*) FILTER (WHERE abs(age) < ${DEAD_AFTER_MS})::int AS alive,
           count(*) FILTER (WHERE abs(age) >= ${DEAD_AFTER_MS})::int AS dead,
           (min(greatest(0, age)) FILTER (WHERE -age < ${DEAD_AFTER_MS}) / 1000)::float8 AS "beatAgeSeconds"
      FROM (SELECT 1000 * extract(epoch FROM now() - beat_at) AS age FROM worker_heartbeats) beats`;
  return counts;
}

/** As JSON has it. */
interface StoredJob {
  readonly queue: string;
  readonly name: string;
  readonly runsForMs: number;
  readonly accountId?: string;
  readonly wagerId?: string;
}

export interface KnownWorker {
  readonly id: string;
  readonly startedAt: Date;
  readonly beatAt: Date;
  readonly isAlive: boolean;
  /** What it ran at its last beat. */
  readonly jobs: readonly StoredJob[];
}

/** Those that fell silent last first, then those that live. */
export const readWorkers = (database: Database, limit: number): Promise<KnownWorker[]> =>
  database.shared.$queryRaw<KnownWorker[]>`
    SELECT id::text AS id, started_at AS "startedAt", beat_at AS "beatAt", jobs,
           abs(extract(epoch FROM now() - beat_at)) * 1000 < ${DEAD_AFTER_MS} AS "isAlive"
      FROM worker_heartbeats ORDER BY 5, beat_at DESC LIMIT ${limit}`;

/** Also rows with a time in the future: a living worker writes its row again. There are few rows, so the time has no index. */
export async function deleteDeadWorkers(tables: SharedTables, { endedForMs }: ExpiredRows): Promise<DeletedRows> {
  const count = await tables.$executeRaw`
    DELETE FROM worker_heartbeats
     WHERE beat_at < now() - ${endedForMs} * interval '1 ms' OR beat_at > now() + ${DEAD_AFTER_MS} * interval '1 ms'`;
  return { count, upTo: undefined };
}
