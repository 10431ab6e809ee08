import { accountHash } from './account-hash.js';
import { hasSqlState, isDatabaseAway } from './errors.js';
import { SHARD_MOVED, UNPREPARED } from './placement-functions.js';
import {
  type DatabaseOptions,
  type Executor,
  type PrismaClientInUse,
  Server,
  type TxConnection,
  type TxOptions,
} from './server.js';

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

/** A move, and the first use on the new node. */
const MAX_TRIES = 4;

const readShardGroups = (coordinator: Server): Promise<ShardGroup[]> =>
  coordinator.run(
    (prisma) => prisma.$queryRaw<ShardGroup[]>`
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
   WHERE anchor.logicalrelid = 'users'::regclass ORDER BY anchor.shardminvalue::int`,
  );

/** Makes the schema of the shard group on its node; returns why it could not. */
const prepare = (node: Server, { id }: ShardGroup): Promise<unknown> =>
  node
    .run((prisma) => prisma.$queryRaw`SELECT placement.prepare(${id}::bigint)`)
    .then(
      () => undefined,
      (error: unknown) => error,
    );

/** The nodes of a Citus cluster, with a pool of connections to each, and where each shard group is. */
export class CitusCluster {
  readonly #coordinator: Server;
  readonly #options: DatabaseOptions;
  readonly #nodes = new Map<string, Server>();
  readonly #executors = new Map<bigint, Executor>();
  #groups: readonly ShardGroup[] = [];
  #refreshing: Promise<void> | undefined;

  private constructor(coordinator: Server, options: DatabaseOptions) {
    this.#coordinator = coordinator;
    this.#options = options;
  }

  static async open(coordinator: Server, options: DatabaseOptions): Promise<CitusCluster> {
    const cluster = new CitusCluster(coordinator, options);
    await cluster.#refresh();
    return cluster;
  }

  /** Of the shard group of an account: the same for all accounts of the group. */
  executorOf(accountId: bigint): Executor {
    return this.#executorOf(this.#groupOf(accountHash(accountId)));
  }

  /** Of each shard group. */
  executors(): Executor[] {
    return this.#groups.map((group) => this.#executorOf(group));
  }

  laneOf(accountId: bigint, lanesOfNode: number): string {
    // Ids of shard groups go to the nodes in turn, so those of one node may have a common divisor.
    const { node, numberOnNode } = this.#groupOf(accountHash(accountId));
    return `${node} ${numberOnNode % lanesOfNode}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((node) => node.disconnect()));
  }

  #executorOf({ id, from }: ShardGroup): Executor {
    const known = this.#executors.get(id);
    if (known !== undefined) return known;
    // Each statement needs a transaction, which enters the shard group.
    const executor: Executor = {
      run: (use) => this.#transact(from, use),
      send: (use) => this.#transact(from, (_, connection) => use(connection)),
      transact: (use, options) => this.#transact(from, use, options),
      relation: (table) => this.#groupOf(from).relations[table] ?? `"${table}"`,
    };
    this.#executors.set(id, executor);
    return executor;
  }

  #groupOf(hash: number): ShardGroup {
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
  async #transact<Result>(
    hash: number,
    use: (prisma: PrismaClientInUse, connection: TxConnection) => Promise<Result>,
    options?: TxOptions,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      const group = this.#groupOf(hash);
      const node = this.#nodeOf(group);
      const enter = `SELECT placement.enter(${group.id})`;
      const entersLater = options?.isolationLevel !== undefined;
      let isEntered = false;
      const enteredUse: typeof use = async (prisma, connection) => {
        if (entersLater) await prisma.$executeRawUnsafe(enter);
        isEntered = true;
        return use(prisma, connection);
      };
      try {
        return await node.transact(enteredUse, options, undefined, entersLater ? undefined : enter);
      } catch (error) {
        // Nothing has been done before the transaction has entered the shard group.
        if (isEntered || tries === MAX_TRIES || !(await this.#hasFollowed(error, group, node))) throw error;
      }
    }
  }

  /** Whether another try may find the shard group. */
  async #hasFollowed(error: unknown, group: ShardGroup, node: Server): Promise<boolean> {
    if (hasSqlState(error, UNPREPARED)) {
      const failure = await prepare(node, group);
      return failure === undefined || this.#hasFollowed(failure, group, node);
    }
    const hasMoved = hasSqlState(error, SHARD_MOVED);
    if (!hasMoved && !isDatabaseAway(error)) return false;
    await this.#refresh();
    return hasMoved || this.#groupOf(group.from).node !== group.node;
  }

  #nodeOf({ node }: ShardGroup): Server {
    const known = this.#nodes.get(node);
    if (known !== undefined) return known;
    const url = new URL(this.#options.url);
    url.host = node;
    const opened = new Server({ ...this.#options, url: url.href });
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
