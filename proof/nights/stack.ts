import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Job, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { auditTries, nextAudit } from '#audit/daily-audit.js';
import { maintenanceQueue } from '#jobs/queues.js';
import { applyMigrations } from '#platform/database/migrations.js';
import { launchOf } from '#proof/storm/cluster/cluster.js';
import { SupervisedProcess } from '#proof/storm/cluster/supervised-process.js';
import { freePort } from '#tools/services/free-port.js';
import { ledgerSettings, startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import { copyCluster } from '#tools/services/private-standby.js';
import { type ProgramResult, runProgram, SYSTEM_ENVIRONMENT } from '#tools/services/run-program.js';
import type { PrivateService } from '#tools/services/service-process.js';
import { eventually } from './eventually.js';
import type { MovingClock } from './moving-clock.js';

/** The clock of the second worker is ahead of all others. */
const AHEAD_MS = 2 * 3_600_000;

/** As in production, except that workers settle and cancel what is small, too. */
const SETTINGS = {
  SETTLEMENT_BOUND: '2',
  SETTLEMENT_CHUNK: '3',
  BCRYPT_COST: '10',
  LOG_LEVEL: 'warn',
  ACCESS_TOKEN_TTL: '30h',
  RATE_LIMITS: 'account=200000/10s,address=200000/10s',
};
/** An hour passes in no time: what PostgreSQL does every few minutes would be all that it does. */
const QUIET_POSTGRES = {
  ...ledgerSettings,
  shared_buffers: '64MB',
  checkpoint_timeout: '1d',
  autovacuum_naptime: '1d',
};
const QUEUE_PREFIX = 'ledger';
const ENDS = `
  SELECT closes_at AS at FROM wagers WHERE status <> 'closed' AND outcome = 'undecided' UNION ALL
  SELECT b.expires_at FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id AND w.outcome = 'undecided'
   WHERE b.offer_status = 'requesting' AND b.is_active`;
const UNDONE = `
  SELECT FROM outbox WHERE done_at IS NULL AND failed_at IS NULL UNION ALL
  SELECT FROM wagers WHERE settling_since IS NOT NULL UNION ALL
  SELECT FROM (${ENDS}) ends WHERE at <= now()`;
const NEXT_END = `SELECT ceil(extract(epoch FROM min(at)) * 1000)::float8 AS end FROM (${ENDS}) ends`;

export interface StackOptions {
  readonly folder: string;
  readonly clock: MovingClock;
  readonly onFault: (text: string) => void;
}

/** PostgreSQL, Redis, an API and two workers. All but Redis, whose times are only those of locks, live by the clock. */
export class Stack {
  readonly #options: StackOptions;
  #postgres: PrivateService;
  readonly #redis: PrivateService;
  #processes: SupervisedProcess[] = [];
  readonly #connection: Redis;
  readonly #pool: pg.Pool;
  readonly maintenance: Queue;
  apiUrl = '';

  private constructor(options: StackOptions, postgres: PrivateService, redis: PrivateService) {
    this.#options = options;
    this.#postgres = postgres;
    this.#redis = redis;
    this.#connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    this.maintenance = new Queue(maintenanceQueue.name, { connection: this.#connection, prefix: QUEUE_PREFIX });
    this.#pool = new pg.Pool({ connectionString: postgres.url, max: 3 });
    this.#pool.on('error', () => undefined); // it ends with PostgreSQL
  }

  static async start(options: StackOptions): Promise<Stack> {
    mkdirSync(postgresIn(options.folder), { mode: 0o711 });
    const postgres = await startPostgres(options);
    try {
      const redis = await startPrivateRedis({ dataDir: path.join(options.folder, 'redis'), persistent: false });
      const stack = new Stack(options, postgres, redis);
      try {
        await applyMigrations(postgres.url);
        stack.apiUrl = `http://127.0.0.1:${await freePort()}`;
        await stack.#startProcesses();
        return stack;
      } catch (error) {
        await stack.close();
        throw error;
      }
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  async #startProcesses(): Promise<void> {
    this.#processes = [];
    await this.#start('api', { PORT: new URL(this.apiUrl).port });
    await this.#start('worker-1', {});
    await this.#start('worker-2', {}, AHEAD_MS);
    await Promise.all(this.#processes.map((process) => process.started()));
  }

  async #start(name: string, settings: Readonly<Record<string, string>>, aheadMs = 0): Promise<void> {
    const { folder, onFault } = this.#options;
    const process = new SupervisedProcess({
      name,
      launch: await launchOf(name === 'api' ? 'api' : 'worker'),
      env: { ...SETTINGS, ...settings, ...this.#environment(aheadMs) },
      logFile: path.join(folder, `${name}.log`),
      log: () => undefined,
      onFault,
    });
    this.#processes.push(process);
  }

  #environment(aheadMs = 0): Record<string, string> {
    const { folder, clock } = this.#options;
    return {
      ...clock.environment(aheadMs),
      DATABASE_URL: this.#postgres.url,
      REDIS_URL: this.#redis.url,
      DATA_DIR: folder,
    };
  }

  /** The rows that a statement returns, read or written past the API. */
  async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, [...values])).rows;
  }

  get now(): number {
    return this.#options.clock.now;
  }

  /** Nothing is left to settle, to cancel, to end or to send. */
  untilDone(): Promise<void> {
    return eventually('all work is done', async () => (await this.query(UNDONE)).length === 0);
  }

  /**
   * The clock jumps when nothing is under way: otherwise that would seem to have taken hours. So it stops on the way wherever a
   * wager closes or an offer expires, until a worker has ended it.
   */
  async jumpTo(at: number): Promise<void> {
    for (;;) {
      await Promise.all([this.untilDone(), eventually('no audit is at work', () => this.hasNoAudit())]);
      const [row] = await this.query<{ end: number | null }>(NEXT_END);
      const isOnTheWay = row?.end != null && row.end < at;
      this.#options.clock.moveTo(isOnTheWay ? (row?.end ?? at) : at);
      if (!isOnTheWay) return;
    }
  }

  /** Nobody can write into the table during the work. */
  async whileHeld(table: string, work: () => Promise<void>): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
      await work();
      await client.query('COMMIT');
    } finally {
      client.release(true);
    }
  }

  /** A command of `apps/cli`, run to its end. */
  async runCommand(name: string, ...args: readonly string[]): Promise<ProgramResult> {
    const file = fileURLToPath(new URL(`../../apps/cli/${name}.js`, import.meta.url));
    const env = { ...SYSTEM_ENVIRONMENT, ...this.#environment() };
    return runProgram(process.execPath, [file, ...args], { env });
  }

  /** While the queue is paused, audits that wait will not begin. */
  async hasNoAudit(): Promise<boolean> {
    const waiting = (await this.maintenance.isPaused()) ? [] : await this.auditJobs('waiting');
    return waiting.length + (await this.auditJobs('active')).length === 0;
  }

  async auditJobs(state: 'waiting' | 'active' | 'failed'): Promise<Job[]> {
    const jobs = await this.maintenance.getJobs([state]);
    return jobs.filter((job) => job?.name === 'audit');
  }

  /** As a worker does every two seconds. A night may pass faster than that. */
  async planAudit(): Promise<void> {
    const { now } = this.#options.clock;
    const { jobId, delayMs } = nextAudit(new Date(now));
    await this.maintenance.add('audit', {}, { jobId, delay: delayMs, timestamp: now, ...auditTries });
  }

  /** Kills both workers. They start again at once. */
  async killWorkers(): Promise<void> {
    const [, ...workers] = this.#processes;
    await Promise.all(workers.map((worker) => worker.kill()));
  }

  /** The files are copied while it runs, with the log that makes them whole. */
  async backUp(): Promise<void> {
    const { data, backup } = this.#folders();
    await rm(backup, { recursive: true, force: true });
    await copyCluster(this.#postgres.url, { from: data, to: backup });
    await copy(path.join(data, 'pg_wal'), path.join(backup, 'pg_wal'));
  }

  /** PostgreSQL is again what it was at the backup. The clock and Redis stay as they are. */
  async restore(): Promise<void> {
    const { data, backup } = this.#folders();
    await this.#stopProcesses();
    await this.#postgres.stop();
    await rm(data, { recursive: true });
    await copy(backup, data);
    this.#postgres = await startPostgres(this.#options, this.#postgres.port);
    await this.#startProcesses();
  }

  #folders() {
    const { folder } = this.#options;
    return { data: path.join(postgresIn(folder), 'data'), backup: path.join(folder, 'backup') };
  }

  async #stopProcesses(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop()));
  }

  async close(): Promise<void> {
    await this.#stopProcesses();
    await this.maintenance.close();
    this.#connection.disconnect();
    await this.#pool.end();
    await Promise.all([this.#postgres.stop(), this.#redis.stop()]);
  }
}

const postgresIn = (folder: string) => path.join(folder, 'postgres');

function startPostgres({ folder, clock }: StackOptions, port?: number): Promise<PrivateService> {
  const environment = clock.environment();
  const options = { dataDir: postgresIn(folder), durable: false, settings: QUIET_POSTGRES, environment };
  return startPrivatePostgres({ ...options, ...(port !== undefined && { port }) });
}

/** With the owners of the files. A file that goes meanwhile is not missed: the log knows. */
async function copy(from: string, to: string): Promise<void> {
  const { succeeded, output } = await runProgram('cp', ['-a', `${from}/.`, to]);
  if (!succeeded && !/No such file/.test(output)) throw new Error(output);
}
