import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { Prisma, PrismaClient } from './generated/client.js';

export { Prisma };

declare const insideTransaction: unique symbol;

/** A connection inside an open transaction. Only `withTx` creates one, so functions that need a transaction require it. */
export type Tx = Prisma.TransactionClient & { readonly [insideTransaction]: true };

/** Anything that runs queries: the database itself, or an open transaction. */
export type Queryable = Prisma.TransactionClient;

export type Database = PrismaClient;

export interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
  readonly onConnectionError: (error: Error) => void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** No statement of the service needs longer: a longer one is stuck and holds locks that others wait for. */
const STATEMENT_TIMEOUT_MS = 15_000;
const TRANSACTION_WAIT_MS = 5_000;
const TRANSACTION_TIMEOUT_MS = 20_000;

/** Statements that begin with this comment are prepared once for each connection; the others vary too much. */
const PREPARED = /^\/\* prepared: ([\w ]+) \*\//;

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  readonly limit: number;
}

const pools = new WeakMap<Database, pg.Pool>();

/** The present state of the connections of a database that `openDatabase` has opened. */
export function poolOf(database: Database): PoolState {
  const pool = pools.get(database);
  if (pool === undefined) throw new Error('the pool of a database that was not opened here');
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, limit: pool.options.max };
}

export function openDatabase({ url, connections, onConnectionError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: TRANSACTION_TIMEOUT_MS,
    application_name: 'betting-ledger',
    keepAlive: true,
  });
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    onPoolError: onConnectionError,
    onConnectionError,
    statementNameGenerator: ({ sql }) => PREPARED.exec(sql)?.[1] ?? '',
  });
  const database = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: TRANSACTION_WAIT_MS, timeout: TRANSACTION_TIMEOUT_MS },
  });
  pools.set(database, pool);
  return database;
}

/** Runs at read committed by default: setting an isolation level costs a round trip. */
export async function withTx<Result>(
  database: Database,
  use: (tx: Tx) => Promise<Result>,
  isolationLevel?: Prisma.TransactionIsolationLevel,
): Promise<Result> {
  const options = isolationLevel === undefined ? {} : { isolationLevel };
  return database.$transaction((tx) => use(tx as Tx), options);
}
