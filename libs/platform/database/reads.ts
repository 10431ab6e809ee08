import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { createJoinedRuns } from '../process/joined-runs.js';
import { type Database, openDatabase } from './database.js';
import { isConflict, isDatabaseAway } from './errors.js';

// Reads that no decision depends on may go to a standby, and no caller notices: a read asks the primary for the end of its
// log, and takes a connection of the standby only when that server has replayed the log up to there. So it sees everything
// that was committed before it came, by any process. A read that the standby cannot serve goes to the primary.

/** The server that answered a read. */
export type ReadServer = 'standby' | 'primary';

export interface Reads {
  /** Gives the database to read from. It must not write, and it may run a second time, on the primary. */
  run<Result>(read: (database: Database) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface ReadsOptions {
  readonly primary: Database;
  /** Undefined: all reads go to the primary. */
  readonly standbyUrl: string | undefined;
  readonly connections: number;
  readonly deadlineMs?: number;
  readonly logger?: Logger;
  readonly onRead?: (server: ReadServer) => void;
}

/** The end of the primary's log, and which log it is: a promotion keeps the system, and begins another timeline. */
interface LogPosition {
  readonly end: bigint;
  readonly system: string;
  readonly timeline: string;
}

/** A standby is usually behind by a millisecond or two. */
const CATCH_UP_MS = 200;
const POLL_MS = 5;
/** After a failure reads go to the primary for a while, so that they do not all wait for the standby. It doubles. */
const SHORTEST_REST_MS = 1_000;
const LONGEST_REST_MS = 16_000;

/** The standby lacks a part of the log, or is no standby of this primary. */
class StandbyUnfit extends Error {
  override readonly name = 'StandbyUnfit';
}

export function createReads(options: ReadsOptions): Reads {
  const { primary, standbyUrl, onRead = () => undefined } = options;
  // On a cluster each account is read on its node.
  if (standbyUrl === undefined || primary.isDistributed) return primaryAlone(primary, onRead);
  const { connections, deadlineMs, logger } = options;
  const standby = openDatabase({
    url: standbyUrl,
    connections,
    ...(deadlineMs !== undefined && { deadlineMs }),
    onConnectionError: (error) => logger?.warn({ reason: error.message }, 'connection to the standby lost'),
  });
  const joined = createJoinedRuns<LogPosition | undefined>();
  let restsUntil = Number.NEGATIVE_INFINITY;
  let restMs = SHORTEST_REST_MS;

  /** Reads that failed together count as one. */
  function rest(error: unknown): void {
    if (performance.now() < restsUntil) return;
    restsUntil = performance.now() + restMs;
    restMs = Math.min(2 * restMs, LONGEST_REST_MS);
    logger?.warn({ reason: String(error) }, 'the standby cannot serve a read: the primary does');
  }

  /** Undefined: the standby was not asked, or could not answer. */
  async function fromStandby<Result>(
    read: (database: Database) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    if (performance.now() < restsUntil) return undefined;
    const position = await joined('', () => readPosition(primary));
    if (position === undefined) return undefined;
    const fitness = new Fitness(position);
    try {
      const result = await read(standby.reading({ beforeUse: (client) => fitness.assert(client) }));
      restMs = SHORTEST_REST_MS;
      return { result };
    } catch (error) {
      // A conflict: the standby cancelled a read whose rows it had to remove to follow the primary.
      if (!fitness.isRefused && !isDatabaseAway(error) && !isConflict(error)) throw error;
      rest(error);
      return undefined;
    }
  }

  return {
    async run(read) {
      const answer = await fromStandby(read);
      onRead(answer === undefined ? 'primary' : 'standby');
      return answer === undefined ? read(primary) : answer.result;
    },
    close: () => standby.disconnect(),
  };
}

const primaryAlone = (primary: Database, onRead: (server: ReadServer) => void): Reads => ({
  run(read) {
    onRead('primary');
    return read(primary);
  },
  close: async () => undefined,
});

/** A commit is in the log before its caller hears of it. Undefined while the server is not yet promoted. */
async function readPosition(primary: Database): Promise<LogPosition | undefined> {
  const [row] = await primary.shared.$queryRaw<[{ end: bigint | null; system: string; timeline: string }]>`
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint END AS end,
           system_identifier::text AS system,
           CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline
      FROM pg_control_system()`;
  return row.end === null ? undefined : { end: row.end, system: row.system, timeline: row.timeline };
}

/**
 * As text. A server that replays no log is no standby, and its own log is another one. The timeline is the one that it
 * receives; where it receives none, or its role may not see that, the one of its last restart point, which may be older.
 */
const REPLAYED = `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0'::pg_lsn END AS replayed,
  system_identifier::text AS system,
  lpad(upper(to_hex(coalesce((SELECT received_tli FROM pg_stat_wal_receiver),
                             (SELECT timeline_id FROM pg_control_checkpoint())))), 8, '0') AS timeline
  FROM pg_control_system()`;

/** Of one read: the standby must have replayed the log up to here. */
class Fitness {
  /** Connections to a server that has. */
  readonly #fit = new Set<pg.PoolClient>();
  isRefused = false;

  constructor(private readonly position: LogPosition) {}

  /** Asked on the connection that will read, so that several standbys may share an address. */
  async assert(client: pg.PoolClient): Promise<void> {
    if (this.#fit.has(client)) return;
    try {
      await catchUp(client, this.position);
      this.#fit.add(client);
    } catch (error) {
      this.isRefused = true;
      throw error;
    }
  }
}

async function catchUp(client: pg.PoolClient, { end, system, timeline }: LogPosition): Promise<void> {
  const until = performance.now() + CATCH_UP_MS;
  for (;;) {
    const [row] = (await inTime(client.query<ReplayedRow>(REPLAYED), until)).rows;
    if (row === undefined || row.replayed === null || row.system !== system) {
      throw new StandbyUnfit('the server at READ_DATABASE_URL is not a standby of the primary');
    }
    if (row.timeline !== timeline) {
      throw new StandbyUnfit(`the standby is on timeline ${row.timeline}, and the primary on ${timeline}`);
    }
    const behind = end - BigInt(row.replayed);
    if (behind <= 0n) return;
    if (performance.now() >= until) throw new StandbyUnfit(`the standby is ${behind} bytes behind`);
    await delay(POLL_MS);
  }
}

interface ReplayedRow {
  readonly replayed: string | null;
  readonly system: string;
  readonly timeline: string;
}

/** A silent connection is given up: its pool must not use it again. */
async function inTime<Result>(answer: Promise<Result>, until: number): Promise<Result> {
  const timer = new AbortController();
  const late = delay(Math.max(1, until - performance.now()), undefined, { signal: timer.signal }).then(() => {
    throw Object.assign(new Error('the standby does not answer'), { code: 'ETIMEDOUT' });
  });
  late.catch(() => undefined); // aborted when the answer came first
  try {
    return await Promise.race([answer, late]);
  } finally {
    timer.abort();
    answer.catch(() => undefined);
  }
}

export function addReadMetrics({ counter }: Metrics): (server: ReadServer) => void {
  const reads = counter({
    name: 'ledger_reads_total',
    help: 'Lists, and figures for metrics, by the server that answered',
    labelNames: ['server'],
  });
  for (const server of ['standby', 'primary']) reads.inc({ server }, 0);
  return (server) => reads.inc({ server });
}
