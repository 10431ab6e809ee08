import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { CommitUnknown, isRefusedByPostgres } from './errors.js';
import { Prisma, PrismaClient } from './generated/client.js';
import { createStatementNames } from './statement-names.js';
import { createTimedClient, sendAfterBegin } from './timed-client.js';

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
  /** How long the callers of this process wait for a transaction. Every other time-out is a part of it. */
  readonly deadlineMs?: number;
  /** Runs on a connection of the pool before each statement or transaction that takes it; a failure is theirs. */
  readonly beforeUse?: BeforeUse;
}

export type BeforeUse = (client: pg.PoolClient) => Promise<void>;

const DEFAULT_DEADLINE_MS = 20_000;
const MAX_CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 2_000;

/**
 * PostgreSQL cancels a statement, and ends a transaction whose client says nothing, before the client gives up: so the
 * locks of a stuck transaction are free when its caller is answered. The client's own limit is for a silent network.
 */
const timeoutsOf = (deadlineMs: number) => ({
  connectMs: Math.min(MAX_CONNECT_MS, deadlineMs * 0.3),
  lock_timeout: deadlineMs * 0.4,
  idle_in_transaction_session_timeout: deadlineMs * 0.5,
  statement_timeout: deadlineMs * 0.7,
  silenceMs: deadlineMs * 0.8,
});

/**
 * Of an address that says `pgbouncer=true`: each transaction may get another connection to PostgreSQL. So no statement is
 * prepared by name, and a transaction brings its time-outs with its BEGIN.
 */
const isThroughPooler = (url: string): boolean => new URL(url).searchParams.get('pgbouncer') === 'true';

const beginWith = (timeouts: Readonly<Record<string, number>>): string =>
  ['BEGIN', ...Object.entries(timeouts).map(([name, ms]) => `SET LOCAL ${name} = ${Math.round(ms)}`)].join('; ');

/** PostgreSQL notices within seconds that a client has vanished, and ends its transaction. */
const SERVER_OPTIONS = [
  'tcp_keepalives_idle=5',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=8000',
  'client_connection_check_interval=2000',
]
  .map((option) => `-c ${option}`)
  .join(' ');

export interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
  readonly limit: number;
}

const pools = new WeakMap<Database, NotingPool>();

/** How the statements of a pool are named. */
export interface Naming {
  readonly namesStatements: boolean;
  readonly nameOf: (text: string) => string;
}

/** What sends a statement to PostgreSQL without Prisma. */
export interface Driver {
  readonly connection: pg.Pool | pg.PoolClient;
  readonly naming: Naming;
}

/** The connection of an open transaction, and when Prisma ends the transaction at the earliest. */
interface TxConnection extends Driver {
  readonly endsAt: number;
}

/** A transaction that is about to open. */
interface Opening {
  connection?: TxConnection;
  /** What its connection sends together with its BEGIN. */
  afterBegin?: string | undefined;
}

/** Work for the end of a transaction. */
interface TxEnd {
  readonly before: ((database: Database) => Promise<void>)[];
  readonly after: ((database: Database) => void)[];
}

const endings = new WeakMap<Tx, TxEnd>();

function endOf(tx: Tx): TxEnd {
  const end = endings.get(tx);
  if (end === undefined) throw new Error('the transaction was not opened by withTx');
  return end;
}

/** Adds a last statement: it runs when the function of the transaction has succeeded, right before the COMMIT. */
export function beforeCommit(tx: Tx, run: (database: Database) => Promise<void>): void {
  endOf(tx).before.push(run);
}

/** Adds what follows a confirmed commit. Must not throw. */
export function afterCommit(tx: Tx, run: (database: Database) => void): void {
  endOf(tx).after.push(run);
}

const opening = new AsyncLocalStorage<Opening>();
const connections = new WeakMap<Tx, TxConnection>();

interface NotingOptions {
  readonly txMs: number;
  readonly naming: Naming;
  readonly beforeUse: BeforeUse | undefined;
}

type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** Notes, for each transaction, the connection that Prisma has taken for it. */
class NotingPool extends pg.Pool {
  constructor(
    config: pg.PoolConfig,
    readonly noting: NotingOptions,
  ) {
    super(config);
  }

  /** The pool's own `query` gives a callback, a transaction does not. */
  override connect = ((callback?: ConnectCallback) => {
    const { txMs, naming, beforeUse } = this.noting;
    if (callback !== undefined && beforeUse === undefined) return super.connect(callback as never);
    const taken = super.connect();
    const connecting = beforeUse === undefined ? taken : taken.then((client) => ready(client, beforeUse));
    if (callback !== undefined) {
      connecting.then(
        (client) => callback(undefined, client, client.release),
        (error: Error) => callback(error, undefined, () => undefined),
      );
      return undefined;
    }
    const store = opening.getStore();
    if (store === undefined) return connecting;
    const { afterBegin } = store;
    store.afterBegin = undefined;
    return connecting.then((client) => {
      if (afterBegin !== undefined) sendAfterBegin(client, afterBegin);
      store.connection = { connection: client, endsAt: performance.now() + txMs, naming };
      return client;
    });
  }) as pg.Pool['connect'];
}

/**
 * Runs `open`, which opens a transaction: its connection sends the statement in one message with the BEGIN, which saves a
 * round trip. When the statement fails, the transaction does not open. Prisma sets an isolation level after the BEGIN,
 * where PostgreSQL allows no statement before it: such a transaction cannot begin so.
 */
export function beginningWith<Result>(statement: string, open: () => Promise<Result>): Promise<Result> {
  const store = opening.getStore() ?? {};
  store.afterBegin = statement;
  return opening.run(store, open);
}

/** A connection that is not ready is closed: the next one may lead to another server. */
async function ready(client: pg.PoolClient, beforeUse: BeforeUse): Promise<pg.PoolClient> {
  try {
    await beforeUse(client);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The present state of the connections of a database that `openDatabase` has opened. */
export function poolOf(database: Database): PoolState {
  const pool = pools.get(database);
  if (pool === undefined) throw new Error('the pool of a database that was not opened here');
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, limit: pool.options.max };
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, connections, onConnectionError, deadlineMs = DEFAULT_DEADLINE_MS, beforeUse } = options;
  const { connectMs, silenceMs, ...serverTimeouts } = timeoutsOf(deadlineMs);
  const throughPooler = isThroughPooler(url);
  const begin = throughPooler ? beginWith(serverTimeouts) : undefined;
  const settings = {
    Client: createTimedClient({ statementMs: silenceMs, probeMs: connectMs, begin }),
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    ...(throughPooler ? {} : { ...serverTimeouts, options: SERVER_OPTIONS }),
    application_name: 'betting-ledger',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const nameOf = throughPooler ? () => '' : createStatementNames();
  const naming = { namesStatements: !throughPooler, nameOf };
  const pool = new NotingPool(settings, { txMs: deadlineMs, naming, beforeUse });
  pool.on('error', onConnectionError);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    onConnectionError,
    statementNameGenerator: ({ sql }) => nameOf(sql),
  });
  const database = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: connectMs, timeout: deadlineMs },
  });
  pools.set(database, pool);
  // Prisma would connect with its own first statement, and it ends no pool that it is not connected to.
  database.$connect().catch(onConnectionError);
  return database;
}

/**
 * Runs at read committed by default: setting an isolation level costs a round trip. Once the COMMIT may have been sent, any
 * error but a refusal by PostgreSQL becomes `CommitUnknown`.
 */
export async function withTx<Result>(
  database: Database,
  use: (tx: Tx) => Promise<Result>,
  isolationLevel?: Prisma.TransactionIsolationLevel,
): Promise<Result> {
  const options = isolationLevel === undefined ? {} : { isolationLevel };
  const store: Opening = {};
  const end: TxEnd = { before: [], after: [] };
  let isCommitting = false;
  const transaction = () =>
    database.$transaction(async (given) => {
      const tx = given as Tx;
      if (store.connection !== undefined) connections.set(tx, store.connection);
      endings.set(tx, end);
      try {
        const used = await use(tx);
        for (const run of end.before) await run(database);
        isCommitting = true;
        return used;
      } finally {
        connections.delete(tx);
      }
    }, options);
  const result = await opening.run(store, transaction).catch((error: unknown) => {
    throw isCommitting && !isRefusedByPostgres(error) ? new CommitUnknown(error) : error;
  });
  for (const run of end.after) run(database);
  return result;
}

/** As Prisma reports a transaction that has ended. */
const txEnded = () => Object.assign(new Error('the transaction has ended'), { code: 'P2028' });

/**
 * Of an open transaction, or of the pool. Undefined: the account is in a shard group, where each statement needs a
 * transaction. A statement must not get past the end of its transaction: outside of it, it would commit alone. Prisma ends
 * the transaction when its function has ended, or at its time-out; a statement that is sent before stands before Prisma's
 * ROLLBACK.
 */
export function driverOf(database: Queryable): Driver | undefined {
  if (endings.has(database as Tx)) {
    const open = connections.get(database as Tx);
    if (open === undefined || performance.now() >= open.endsAt) throw txEnded();
    return open;
  }
  const pool = pools.get(database as Database);
  return pool && { connection: pool, naming: pool.noting.naming };
}
