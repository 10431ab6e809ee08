import type { Logger } from '../logging/logger.js';
import { CitusCluster } from './citus-cluster.js';
import { CommitUnknown, isDatabaseAway, isRefusedByPostgres } from './errors.js';
import { Prisma } from './generated/client.js';
import {
  type BeforeUse,
  type DatabaseOptions,
  type Driver,
  type Executor,
  type PoolState,
  type PrismaClientInUse,
  Server,
  type TxConnection,
  type TxOptions,
} from './server.js';

// Which PostgreSQL has the rows of an account: the only one, or the node of a Citus cluster that holds its shard group. This
// is decided here alone. A `Database` runs no statement. It gives the tables of an account, or those that all accounts share,
// and every function that runs statements requires one of the two, or an open transaction.

export type { DatabaseOptions, PoolState, TxOptions };
export { Prisma };

/** Runs statements: of tables, each by itself; of a transaction, inside it. */
export interface Queryable {
  readonly database: Database;
  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows>;
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
  /** Runs one statement of Prisma's client. */
  run<Result>(use: (prisma: PrismaClientInUse) => Promise<Result>): Promise<Result>;
  /** Runs one statement without Prisma. */
  send<Result>(use: (driver: Driver) => Promise<Result>): Promise<Result>;
}

/** Each of their statements commits by itself. */
abstract class TablesOfOnePostgres implements Queryable {
  readonly #executor: Executor;

  constructor(
    readonly database: Database,
    executor: Executor,
  ) {
    this.#executor = executor;
  }

  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows> {
    return this.run((prisma) => prisma.$queryRaw<Rows>(query, ...values));
  }

  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number> {
    return this.run((prisma) => prisma.$executeRaw(query, ...values));
  }

  run<Result>(use: (prisma: PrismaClientInUse) => Promise<Result>): Promise<Result> {
    return this.#executor.run(use, this.database.read?.beforeUse);
  }

  send<Result>(use: (driver: Driver) => Promise<Result>): Promise<Result> {
    return this.#executor.send(use, this.database.read?.beforeUse);
  }

  relation(table: string): Prisma.Sql {
    return Prisma.raw(this.#executor.relation(table));
  }

  /** For `withTx`. */
  transact<Result>(
    use: (prisma: PrismaClientInUse, connection: TxConnection) => Promise<Result>,
    options?: TxOptions,
  ): Promise<Result> {
    return this.#executor.transact(use, options, this.database.read?.beforeUse);
  }
}

/** The tables of the ledger, with the rows of some accounts. Accounts of the same tables may share a transaction. */
class AccountTables extends TablesOfOnePostgres {
  declare private readonly holds: 'the ledgers of some accounts';
}

/** The tables that are not of a ledger: accounts, tokens and keys. */
class SharedTables extends TablesOfOnePostgres {
  declare private readonly holds: 'what all accounts share';
}

export type Tables = AccountTables | SharedTables;
export type { AccountTables, SharedTables };

/** What a transaction collects while it runs, and writes with its last statement. */
export interface Collection<Item> {
  write(tx: Tx, items: readonly Item[]): Promise<void>;
  /** Follows a confirmed commit. Must not throw. */
  committed(database: Database, items: readonly Item[]): void;
}

class OpenTransaction implements Queryable {
  readonly database: Database;
  /** Whether it is on the coordinator of a cluster. */
  readonly isOnCoordinator: boolean;
  readonly #connection: TxConnection;
  readonly #collected = new Map<Collection<unknown>, unknown[]>();
  #written: Promise<unknown> = Promise.resolve();

  constructor(
    tables: Tables,
    readonly prisma: PrismaClientInUse,
    connection: TxConnection,
  ) {
    this.database = tables.database;
    this.isOnCoordinator = tables instanceof SharedTables && tables.database.isDistributed;
    this.#connection = connection;
  }

  $queryRaw<Rows = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<Rows> {
    return this.prisma.$queryRaw<Rows>(query, ...values);
  }

  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number> {
    return this.prisma.$executeRaw(query, ...values);
  }

  run<Result>(use: (prisma: PrismaClientInUse) => Promise<Result>): Promise<Result> {
    return use(this.prisma);
  }

  send<Result>(use: (driver: Driver) => Promise<Result>): Promise<Result> {
    return use(this.#connection);
  }

  /**
   * `write` sends the only write of the transaction. The COMMIT follows in the same message, which saves a round trip:
   * PostgreSQL rolls back at a COMMIT behind a statement that it has refused.
   */
  async commitBehind(write: () => Promise<unknown>): Promise<void> {
    const sentBefore = this.#connection.sentCount;
    const written = this.#connection.sendWithNext(write);
    // Nothing was given to pg in this turn: what is given to it later would come behind the COMMIT.
    if (this.#connection.sentCount === sentBefore) return void (await written);
    written.catch(() => undefined); // `withTx` throws the error
    this.#written = written;
  }

  /** For `withTx`: settles with the answer to the write that the COMMIT follows. */
  written(): Promise<unknown> {
    return this.#written;
  }

  /** The collection is written when the function of the transaction has succeeded, right before the COMMIT. */
  collect<Item>(collection: Collection<Item>, item: Item): void {
    const items = this.#collected.get(collection as Collection<unknown>);
    if (items === undefined) this.#collected.set(collection as Collection<unknown>, [item]);
    else items.push(item);
  }

  /** For `withTx`. */
  async writeCollected(): Promise<void> {
    // What follows a refused statement is refused as well, without its reason.
    if (this.#collected.size > 0) await this.#written;
    for (const [collection, items] of this.#collected) await collection.write(this, items);
  }

  /** For `withTx`. */
  committed(): void {
    for (const [collection, items] of this.#collected) collection.committed(this.database, items);
  }
}

/** An open transaction. Only `withTx` makes one, so functions that need a transaction require it. */
export type Tx = OpenTransaction;

/**
 * Runs `use` in a transaction. Once the COMMIT may have been sent, any error but a refusal by PostgreSQL becomes
 * `CommitUnknown`.
 */
export async function withTx<Result>(
  tables: Tables,
  use: (tx: Tx) => Promise<Result>,
  options: Prisma.TransactionIsolationLevel | TxOptions = {},
): Promise<Result> {
  let committing: Tx | undefined;
  const opened = tables.transact(
    async (prisma, connection) => {
      const tx = new OpenTransaction(tables, prisma, connection);
      try {
        const used = await use(tx);
        await tx.writeCollected();
        committing = tx;
        return used;
      } finally {
        connection.refuseFurther();
      }
    },
    typeof options === 'string' ? { isolationLevel: options } : options,
  );
  const result = await opened.catch(async (error: unknown) => {
    if (committing === undefined) throw error;
    // PostgreSQL rolls back at a COMMIT behind a write that it has refused. Only its answer to the write says why.
    const reason = await committing.written().then(
      () => error,
      (refusal: unknown) => refusal,
    );
    throw isRefusedByPostgres(reason) ? reason : new CommitUnknown(reason);
  });
  // PostgreSQL has committed, but this process cannot read its answer to the write. `CommitUnknown` keeps the caller from running
  // the transaction again.
  await committing?.written().catch((error: unknown) => {
    throw new CommitUnknown(error);
  });
  committing?.committed();
  return result;
}

/** Up to where the facts of a read go, as its statements have noted. */
export interface ReadNotes {
  asOf: { readonly accountId: bigint; readonly head: string | null } | undefined;
  isInexact: boolean;
}

/** What all statements of one read share. */
export interface ReadContext {
  /** Whether the server that answers may. */
  readonly beforeUse?: BeforeUse | undefined;
  readonly notes?: ReadNotes | undefined;
}

/** Hears of a commit: the accounts whose logs have grown, and by how many events together. */
export type OnLogged = (accountIds: readonly bigint[], eventCount: number) => void;

/** The connected database. */
export class Database {
  readonly shared: SharedTables;
  /** Hears of each commit, of a transaction other than a group's, that has written events of these accounts. Must not throw. */
  onLogged: OnLogged = () => undefined;
  readonly #server: Server;
  readonly #cluster: CitusCluster | undefined;
  readonly #tables = new Map<Executor, AccountTables>();

  constructor(
    server: Server,
    cluster?: CitusCluster,
    readonly read?: ReadContext,
  ) {
    this.#server = server;
    this.#cluster = cluster;
    this.shared = new SharedTables(this, server);
  }

  /** The tables with the rows of the account. */
  of(accountId: bigint): AccountTables {
    return this.#tablesIn(this.#cluster?.executorOf(accountId) ?? this.#server);
  }

  /** All of these: together they have the rows of all accounts, each row once. */
  all(): AccountTables[] {
    return this.#cluster?.executors().map((executor) => this.#tablesIn(executor)) ?? [this.#tablesIn(this.#server)];
  }

  /** The items by the tables of their accounts. */
  groups<Item>(
    items: readonly Item[],
    accountOf: (item: Item) => bigint,
  ): (readonly [AccountTables, readonly Item[]])[] {
    if (this.#cluster === undefined) return [[this.#tablesIn(this.#server), items]];
    const groups = new Map<AccountTables, Item[]>();
    for (const item of items) {
      const tables = this.of(accountOf(item));
      const group = groups.get(tables);
      if (group === undefined) groups.set(tables, [item]);
      else group.push(item);
    }
    return [...groups];
  }

  /**
   * Runs `use` with the tables of all accounts at once. It fails when all fail: what a node holds that is away is left out,
   * and reported.
   */
  async inAll<Result>(
    use: (tables: AccountTables) => Promise<Result>,
    logger?: Pick<Logger, 'warn'>,
  ): Promise<Result[]> {
    const all = this.all();
    const results = await Promise.allSettled(all.map(use));
    const failed = results.filter((result) => result.status === 'rejected');
    if (failed.length > 0 && (failed.length === all.length || failed.some(({ reason }) => !isDatabaseAway(reason))))
      throw failed[0]?.reason;
    if (failed.length > 0) {
      logger?.warn(
        { reason: String(failed[0]?.reason), of: all.length, groups: failed.length },
        'shard groups are away',
      );
    }
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** Whether the shared tables are in another PostgreSQL than those of the accounts. */
  get isDistributed(): boolean {
    return this.#cluster !== undefined;
  }

  /** Of a cluster, where the tasks of an account queue: so many lanes for each node, because one that is away must hold up no other. */
  laneOfNode(accountId: bigint, lanesOfNode: number): string {
    return (this.#cluster as CitusCluster).laneOf(accountId, lanesOfNode);
  }

  get pool(): PoolState {
    return this.#server.pool;
  }

  /** The same database, whose statements share the context of a read. */
  reading(context: ReadContext): Database {
    return new Database(this.#server, this.#cluster, { ...this.read, ...context });
  }

  async disconnect(): Promise<void> {
    await Promise.all([this.#cluster?.close(), this.#server.disconnect()]);
  }

  #tablesIn(executor: Executor): AccountTables {
    const known = this.#tables.get(executor);
    if (known !== undefined) return known;
    const tables = new AccountTables(this, executor);
    this.#tables.set(executor, tables);
    return tables;
  }
}

/** Opens a database that is no cluster. */
export const openDatabase = (options: DatabaseOptions): Database => new Database(new Server(options));

/** Opens the database, and finds out whether it is a cluster. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const server = new Server(options);
  try {
    const { rows } = await server.send((driver) =>
      driver.query({ text: `SELECT to_regclass('placement.epochs') IS NOT NULL AS "isDistributed"` }),
    );
    const [{ isDistributed }] = rows as [{ isDistributed: boolean }];
    return new Database(server, isDistributed ? await CitusCluster.open(server, options) : undefined);
  } catch (error) {
    await server.disconnect();
    throw error;
  }
}
