import {
  beginningWith,
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Prisma,
  type Queryable,
} from './database.js';
import { hasSqlState, isDatabaseAway } from './errors.js';
import { SHARD_MOVED, UNPREPARED } from './placement-functions.js';

/** The co-located shards of all distributed tables for some accounts. */
interface ShardGroup {
  /** The id of its shard of `users`. */
  readonly id: bigint;
  /** The hashes of its accounts. */
  readonly from: number;
  readonly to: number;
  /** Host and port of the node that holds it. */
  readonly node: string;
  /** Counts the shard groups of the node. */
  readonly numberOnNode: number;
  /** The shard of each table, as SQL names it. */
  readonly relations: Readonly<Record<string, string>>;
}

type TransactionOptions = Parameters<Database['$transaction']>[1];

/** A move, and the first use at the new place. */
const MAX_TRIES = 4;

const readShardGroups = (database: Queryable): Promise<ShardGroup[]> => database.$queryRaw<ShardGroup[]>`
  SELECT anchor.shardid AS id, anchor.shardminvalue::int AS from, anchor.shardmaxvalue::int AS to,
         n.nodename || ':' || n.nodeport AS node,
         row_number() OVER (PARTITION BY n.nodeid ORDER BY anchor.shardminvalue::int)::int AS "numberOnNode",
         (SELECT jsonb_object_agg(c.relname, format('%I.%I', k.nspname, c.relname || '_' || s.shardid))
            FROM pg_dist_partition a JOIN pg_dist_partition p ON p.colocationid = a.colocationid AND p.partmethod = 'h'
            JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid AND s.shardminvalue = anchor.shardminvalue
            JOIN pg_class c ON c.oid = p.logicalrelid JOIN pg_namespace k ON k.oid = c.relnamespace
           WHERE a.logicalrelid = anchor.logicalrelid) AS relations
    FROM pg_dist_shard anchor
    JOIN pg_dist_placement p ON p.shardid = anchor.shardid
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE anchor.logicalrelid = 'users'::regclass ORDER BY anchor.shardminvalue::int`;

/** Makes the schema of the shard group on its node; returns why it could not. */
const prepare = (node: Database, { id }: ShardGroup): Promise<unknown> =>
  node.$queryRaw`SELECT placement.prepare(${id}::bigint)`.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The nodes of a Citus cluster, with a pool of connections to each, and where each shard group is. */
export class CitusCluster {
  readonly #coordinator: Database;
  readonly #options: DatabaseOptions;
  readonly #nodes = new Map<string, Database>();
  #groups: readonly ShardGroup[] = [];
  #refreshing: Promise<void> | undefined;

  private constructor(coordinator: Database, options: DatabaseOptions) {
    this.#coordinator = coordinator;
    this.#options = options;
  }

  static async open(coordinator: Database, options: DatabaseOptions): Promise<CitusCluster> {
    const cluster = new CitusCluster(coordinator, options);
    await cluster.#refresh();
    return cluster;
  }

  /** One account hash of each shard group. */
  get hashes(): number[] {
    return this.#groups.map(({ from }) => from);
  }

  groupOf(hash: number): ShardGroup {
    let low = 0;
    let high = this.#groups.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#groups[middle] as ShardGroup).from <= hash) low = middle;
      else high = middle - 1;
    }
    return this.#groups[low] as ShardGroup;
  }

  /** Runs a transaction on the node that holds the shard group, wherever that is now. */
  async transact<Result>(
    hash: number,
    use: (tx: Prisma.TransactionClient) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      const group = this.groupOf(hash);
      const node = this.#nodeOf(group);
      const enter = `SELECT placement.enter(${group.id})`;
      const entersLater = options?.isolationLevel !== undefined;
      let isEntered = false;
      const open = () =>
        node.$transaction(async (tx) => {
          if (entersLater) await tx.$executeRawUnsafe(enter);
          isEntered = true;
          return use(tx);
        }, options);
      try {
        return await (entersLater ? open() : beginningWith(enter, open));
      } catch (error) {
        // Nothing has been done before the transaction has entered the shard group.
        if (isEntered || tries === MAX_TRIES || !(await this.#hasFollowed(error, group, node))) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((node) => node.$disconnect()));
  }

  /** Whether another try may find the shard group. */
  async #hasFollowed(error: unknown, group: ShardGroup, node: Database): Promise<boolean> {
    if (hasSqlState(error, UNPREPARED)) {
      const failure = await prepare(node, group);
      return failure === undefined || this.#hasFollowed(failure, group, node);
    }
    const hasMoved = hasSqlState(error, SHARD_MOVED);
    if (!hasMoved && !isDatabaseAway(error)) return false;
    await this.#refresh();
    return hasMoved || this.groupOf(group.from).node !== group.node;
  }

  #nodeOf({ node }: ShardGroup): Database {
    const known = this.#nodes.get(node);
    if (known !== undefined) return known;
    const url = new URL(this.#options.url);
    url.host = node;
    const opened = openDatabase({ ...this.#options, url: url.href });
    this.#nodes.set(node, opened);
    return opened;
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= readShardGroups(this.#coordinator)
      .then((groups) => {
        this.#groups = groups;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }
}
