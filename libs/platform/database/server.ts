import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { Prisma, PrismaClient } from './generated/client.js';
import { createTimedClient, endedCountOf, sendAfterBegin, sendBeginWithNext, sendWithNext } from './timed-client.js';

export interface DatabaseOptions {
  readonly url: string;
  readonly connections: number;
  readonly onConnectionError: (error: Error) => void;
  /** How long the callers of this process wait for a transaction. Every other time-out is a part of it. */
  readonly deadlineMs?: number;
}

/** Runs on a connection of the pool before the statement or transaction that takes it; a failure is theirs. */
export type BeforeUse = (client: pg.PoolClient) => Promise<void>;

/** Prisma's client, inside a transaction or outside of one. */
export type PrismaClientInUse = Prisma.TransactionClient;

export interface TxOptions {
  /** Read committed by default: setting an isolation level costs a round trip. */
  readonly isolationLevel?: Prisma.TransactionIsolationLevel;
  /** How long it waits for a connection, and how long it may take; by default, as the options of the database say. */
  readonly maxWait?: number;
  readonly timeout?: number;
  /**
   * The first statement only locks and reads, and the second waits for its answer. BEGIN and the first statement are sent at
   * once, which saves a round trip: if PostgreSQL refused the BEGIN, it would run that statement alone, outside of a transaction.
   * A BEGIN that carries more, through a pooler or in a cluster, is waited for.
   */
  readonly readsFirst?: boolean;
}

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

/** How the statements of a pool are named. */
interface Naming {
  readonly namesStatements: boolean;
  readonly nameOf: (text: string) => string;
}

/** Sends statements to PostgreSQL without Prisma. */
export interface Driver extends Naming {
  query(statement: pg.QueryConfig): Promise<{ readonly rows: unknown[] }>;
}

/** What a transaction takes its connection for. */
interface Use {
  readonly beforeUse: BeforeUse | undefined;
  /** What the connection sends together with its BEGIN. */
  readonly afterBegin: string | undefined;
  readonly readsFirst: boolean;
  /** The connection that Prisma has taken for the transaction, and how many it had ended before. */
  taken?: { readonly client: pg.PoolClient; readonly endedBefore: number };
}

/**
 * Prepares each connection for the transaction that takes it. Between the two stands Prisma, which passes no parameter on: so
 * one transaction at a time is on its way through Prisma to this pool, for microseconds. Prisma must open none by itself, as it
 * does for a nested write outside of a transaction: that one would take the connection of another.
 */
class UsedPool extends pg.Pool {
  /** What the transaction that is on its way takes its connection for. */
  #next: Use | undefined;
  readonly #waiting: { readonly use: Use; readonly resolve: () => void }[] = [];

  /** Resolves when it is the turn of the transaction. */
  enter(use: Use): Promise<void> {
    if (this.#next !== undefined) return new Promise((resolve) => this.#waiting.push({ use, resolve }));
    this.#next = use;
    return Promise.resolve();
  }

  /** If the transaction is still on its way, it no longer is, and the next one may come. */
  leave(use: Use): void {
    if (this.#next !== use) return;
    const next = this.#waiting.shift();
    this.#next = next?.use;
    next?.resolve();
  }

  /** A transaction gives no callback, the pool's own `query` does. */
  override connect = ((callback?: unknown) => {
    if (callback !== undefined) return super.connect(callback as never);
    const use = this.#next;
    if (use === undefined) return Promise.reject(new Error('Prisma has opened a transaction by itself'));
    this.leave(use);
    return this.#take(use);
  }) as pg.Pool['connect'];

  /** A connection that is not ready is closed: the next one may lead to another server. */
  async #take(use: Use): Promise<pg.PoolClient> {
    const { beforeUse, afterBegin, readsFirst } = use;
    const client = await super.connect();
    try {
      await beforeUse?.(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    if (afterBegin !== undefined) sendAfterBegin(client, afterBegin);
    if (readsFirst) sendBeginWithNext(client);
    use.taken = { client, endedBefore: endedCountOf(client) };
    return client;
  }
}

/** Runs statements where some tables are: in one PostgreSQL, or in a shard group of a cluster. */
export interface Executor {
  run<Result>(use: (prisma: PrismaClientInUse) => Promise<Result>, beforeUse?: BeforeUse): Promise<Result>;
  send<Result>(use: (driver: Driver) => Promise<Result>, beforeUse?: BeforeUse): Promise<Result>;
  transact<Result>(
    use: (prisma: PrismaClientInUse, connection: TxConnection) => Promise<Result>,
    options?: TxOptions,
    beforeUse?: BeforeUse,
  ): Promise<Result>;
  /** The table itself, for a statement that needs more than a view has: `ctid`. */
  relation(table: string): string;
}

/** One PostgreSQL: a pool of connections to it, and Prisma's client on that pool. */
export class Server implements Executor {
  readonly #pool: UsedPool;
  readonly #openPrisma: () => PrismaClient;
  #opened: PrismaClient | undefined;
  #ended: Promise<void> | undefined;
  readonly #naming: Naming;
  readonly #driver: Driver;

  constructor({ url, connections, onConnectionError, deadlineMs = DEFAULT_DEADLINE_MS }: DatabaseOptions) {
    const { connectMs, silenceMs, ...serverTimeouts } = timeoutsOf(deadlineMs);
    const throughPooler = isThroughPooler(url);
    const begin = throughPooler ? beginWith(serverTimeouts) : undefined;
    const nameOf = throughPooler ? () => '' : createStatementNames();
    this.#naming = { namesStatements: !throughPooler, nameOf };
    this.#pool = new UsedPool({
      Client: createTimedClient({ statementMs: silenceMs, probeMs: connectMs, begin }),
      connectionString: url,
      max: connections,
      // A statement is sent although an earlier one of its connection is not answered; PostgreSQL runs them in their order.
      pipeline: true,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      ...(throughPooler ? {} : { ...serverTimeouts, options: SERVER_OPTIONS }),
      application_name: 'betting-ledger',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    this.#pool.on('error', onConnectionError);
    this.#openPrisma = () => {
      const prisma = new PrismaClient({
        adapter: new PrismaPg(this.#pool, {
          disposeExternalPool: true,
          onConnectionError,
          statementNameGenerator: ({ sql }) => nameOf(sql),
        }),
        transactionOptions: { maxWait: connectMs, timeout: deadlineMs },
      });
      // It ends no pool that it is not connected to.
      prisma.$connect().catch(onConnectionError);
      return prisma;
    };
    this.#driver = { ...this.#naming, query: (statement) => this.#pool.query(statement) };
  }

  /** Made at the first use, which takes a tenth of a second and 11 MB: a process has pools that it seldom needs. */
  get #prisma(): PrismaClient {
    this.#opened ??= this.#openPrisma();
    return this.#opened;
  }

  get pool(): PoolState {
    const { totalCount: total, idleCount: idle, waitingCount: waiting, options } = this.#pool;
    return { total, idle, waiting, limit: options.max };
  }

  disconnect(): Promise<void> {
    this.#ended ??= this.#opened === undefined ? this.#pool.end() : this.#opened.$disconnect();
    return this.#ended;
  }

  /**
   * Runs one statement, outside of a transaction. With `beforeUse` it runs in one: only so it is certain to run on the connection
   * that `beforeUse` has seen.
   */
  async run<Result>(use: (prisma: PrismaClientInUse) => Promise<Result>, beforeUse?: BeforeUse): Promise<Result> {
    // Prisma sends a statement when it is awaited.
    return beforeUse === undefined ? await use(this.#prisma) : this.transact(use, { readsFirst: true }, beforeUse);
  }

  /** The same without Prisma. */
  send<Result>(use: (driver: Driver) => Promise<Result>, beforeUse?: BeforeUse): Promise<Result> {
    if (beforeUse === undefined) return use(this.#driver);
    return this.transact((_, connection) => use(connection), { readsFirst: true }, beforeUse);
  }

  relation(table: string): string {
    return `"${table}"`;
  }

  /**
   * Opens a transaction. `afterBegin` goes in one message with the BEGIN, which saves a round trip; when it fails, the
   * transaction does not open. Prisma sets an isolation level after the BEGIN, where PostgreSQL allows no statement before
   * it: such a transaction cannot begin so.
   */
  async transact<Result>(
    use: (prisma: PrismaClientInUse, connection: TxConnection) => Promise<Result>,
    { readsFirst = false, ...options }: TxOptions = {},
    beforeUse?: BeforeUse,
    afterBegin?: string,
  ): Promise<Result> {
    const taking: Use = { beforeUse, afterBegin, readsFirst };
    await this.#pool.enter(taking);
    try {
      // After a disconnect Prisma would make a pool of its own, which no code ends.
      if (this.#ended !== undefined) throw txEnded();
      return await this.#prisma.$transaction((prisma) => {
        const { client, endedBefore } = taking.taken as Required<Use>['taken'];
        return use(prisma, new TxConnection(client, this.#naming, endedBefore));
      }, options);
    } finally {
      // It still is on its way when Prisma failed before it took a connection.
      this.#pool.leave(taking);
    }
  }
}

/** As Prisma reports a transaction that has ended. */
const txEnded = () => Object.assign(new Error('the transaction has ended'), { code: 'P2028' });

/**
 * The connection of an open transaction. A statement must not get past the end of its transaction: outside of it, it would
 * commit alone. Prisma ends the transaction when its function has ended, at its time-out, and when it disconnects; a statement
 * that is sent before stands before Prisma's COMMIT or ROLLBACK.
 */
export class TxConnection implements Driver {
  readonly namesStatements: boolean;
  readonly nameOf: (text: string) => string;
  readonly #client: pg.PoolClient;
  readonly #endedBefore: number;
  #isEnded = false;
  /** How many statements it has given to pg. Those of Prisma's client are not counted. */
  sentCount = 0;

  constructor(client: pg.PoolClient, { namesStatements, nameOf }: Naming, endedBefore: number) {
    this.#client = client;
    this.#endedBefore = endedBefore;
    this.namesStatements = namesStatements;
    this.nameOf = nameOf;
  }

  async query(statement: pg.QueryConfig): Promise<{ readonly rows: unknown[] }> {
    if (this.#isEnded || endedCountOf(this.#client) !== this.#endedBefore) throw txEnded();
    this.sentCount += 1;
    return this.#client.query(statement);
  }

  /** What `give` gives to pg goes in one message with what follows in the same turn of the event loop. */
  sendWithNext<Result>(give: () => Result): Result {
    return sendWithNext(this.#client, give);
  }

  /** Its function has ended, and Prisma is about to end the transaction. */
  refuseFurther(): void {
    this.#isEnded = true;
  }
}

// A statement with a name is parsed and planned once for each connection. Planning the page of a list takes several times
// as long as reading it. A name is used for the life of a connection, and PostgreSQL stores the plan there: about 100 kB
// for a list. So names are few.

const NAMED = /^\/\* prepared: ([\w ]+) \*\//;

/** Begins a statement of one text that `queryRows` runs: PostgreSQL plans it once for each connection. */
export const preparedAs = (name: string): Prisma.Sql => Prisma.raw(`/* prepared: ${name} */`);

/** Begins a statement whose text varies with the request. */
export const PREPARED_WHEN_FREQUENT = '/* prepared when frequent */';

const FREQUENT = 20;
const NAMES = 24;
const COUNTED_TEXTS = 200;

/** Gives the names of one pool's statements. Empty: PostgreSQL plans the statement anew. */
export function createStatementNames(): (text: string) => string {
  const names = new Map<string, string>();
  const counts = new LRUCache<string, number>({ max: COUNTED_TEXTS });

  function frequentNameOf(text: string): string {
    const name = names.get(text);
    if (name !== undefined || names.size === NAMES) return name ?? '';
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === FREQUENT) names.set(text, `frequent ${names.size + 1}`);
    return names.get(text) ?? '';
  }

  return (text) => (text.startsWith(PREPARED_WHEN_FREQUENT) ? frequentNameOf(text) : (NAMED.exec(text)?.[1] ?? ''));
}
