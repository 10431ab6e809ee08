import type { Logger } from '../logging/logger.js';
import { accountHash } from './account-hash.js';
import { CitusCluster } from './citus-cluster.js';
import { type Database, type DatabaseOptions, openDatabase, Prisma, type Queryable } from './database.js';
import { isDatabaseAway } from './errors.js';

// Where the rows of an account are: all in the one PostgreSQL, or in a shard group of a Citus cluster. A placement is a
// `Database` whose statements see the tables of its accounts alone, so every statement is written once.

const clusters = new WeakMap<Queryable, CitusCluster>();
const coordinators = new WeakMap<CitusCluster, Database>();
const placements = new WeakMap<CitusCluster, Map<bigint, Database>>();
const hashes = new WeakMap<Database, { readonly cluster: CitusCluster; readonly hash: number }>();

/** Opens the database, and finds out whether it is a distributed one. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const database = openDatabase(options);
  try {
    const [{ isDistributed }] = await database.$queryRaw<[{ isDistributed: boolean }]>`
      SELECT to_regclass('placement.epochs') IS NOT NULL AS "isDistributed"`;
    if (isDistributed) addCluster(database, await CitusCluster.open(database, options));
    return database;
  } catch (error) {
    await database.$disconnect();
    throw error;
  }
}

function addCluster(coordinator: Database, cluster: CitusCluster): void {
  clusters.set(coordinator, cluster);
  coordinators.set(cluster, coordinator);
}

export async function disconnectDatabase(database: Database): Promise<void> {
  await Promise.all([clusters.get(database)?.close(), database.$disconnect()]);
}

/**
 * The placement of an account. Accounts of the same placement may share a transaction. An open transaction has chosen its
 * placement already.
 */
export function placementOf<Some extends Queryable>(database: Some, accountId: bigint): Some {
  const cluster = clusters.get(database);
  return cluster === undefined ? database : (placementIn(cluster, accountHash(accountId)) as Queryable as Some);
}

/** The items of each placement. */
export function byPlacement<Item>(
  database: Database,
  items: readonly Item[],
  accountOf: (item: Item) => bigint,
): (readonly [Database, readonly Item[]])[] {
  if (!clusters.has(database)) return [[database, items]];
  const parts = new Map<Database, Item[]>();
  for (const item of items) {
    const placement = placementOf(database, accountOf(item));
    parts.set(placement, [...(parts.get(placement) ?? []), item]);
  }
  return [...parts];
}

/** All placements: together they have the rows of all accounts, each row once. */
export function allPlacements(database: Database): Database[] {
  const cluster = clusters.get(database);
  return cluster === undefined ? [database] : cluster.hashes.map((hash) => placementIn(cluster, hash));
}

/**
 * Runs `use` in every placement at once. It fails when all fail: what a node holds that is away is left out, and reported.
 */
export async function inAllPlacements<Result>(
  database: Database,
  use: (placement: Database) => Promise<Result>,
  logger?: Pick<Logger, 'warn'>,
): Promise<Result[]> {
  const all = allPlacements(database);
  const results = await Promise.allSettled(all.map(use));
  const failed = results.filter((result) => result.status === 'rejected');
  if (failed.length > 0 && (failed.length === all.length || failed.some(({ reason }) => !isDatabaseAway(reason))))
    throw failed[0]?.reason;
  if (failed.length > 0) {
    logger?.warn(
      { reason: String(failed[0]?.reason), of: all.length, placements: failed.length },
      'placements are away',
    );
  }
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Whether the tables of accounts, tokens and keys are apart from those of the ledger. */
export const isDistributed = (database: Database): boolean => clusters.has(database);

/** Where the tasks of an account queue: so many queues for each PostgreSQL, because a node that is away must hold up no other. */
export function laneOf(database: Database, accountId: bigint, lanesOfServer: number): string {
  const cluster = clusters.get(database);
  if (cluster === undefined) return String(accountId % BigInt(lanesOfServer));
  // Ids of shard groups go to the nodes in turn, so those of one node may have a common divisor.
  const { node, numberOnNode } = cluster.groupOf(accountHash(accountId));
  return `${node} ${numberOnNode % lanesOfServer}`;
}

/** The database that was connected to, from it or from one of its placements. */
export function connectedDatabase(database: Database): Database {
  const place = hashes.get(database);
  return (place && coordinators.get(place.cluster)) ?? database;
}

/** The table itself, for a statement that needs more than a view has: `ctid`. */
export function relationOf(database: Database, table: string): Prisma.Sql {
  const place = hashes.get(database);
  return Prisma.raw(place?.cluster.groupOf(place.hash).relations[table] ?? `"${table}"`);
}

function placementIn(cluster: CitusCluster, hash: number): Database {
  const { id } = cluster.groupOf(hash);
  const known = placements.get(cluster) ?? new Map<bigint, Database>();
  placements.set(cluster, known);
  const placement = known.get(id) ?? placedDatabase(cluster, hash);
  known.set(id, placement);
  return placement;
}

type AnyFunction = (...args: unknown[]) => Promise<unknown>;
type Methods = Record<string, AnyFunction>;

/** Has the methods of Prisma's client; each runs in a transaction that has entered the shard group. */
function placedDatabase(cluster: CitusCluster, hash: number): Database {
  const transact = cluster.transact.bind(cluster, hash);
  const methodsOf = (pick: (tx: Prisma.TransactionClient) => unknown): Methods =>
    new Proxy<Methods>(
      {},
      {
        get:
          (_, name: string): AnyFunction =>
          (...args) =>
            transact((tx) => (pick(tx) as Methods)[name]?.(...args) as Promise<unknown>),
      },
    );
  const calls = methodsOf((tx) => tx);
  const placed = new Proxy({} as Database, {
    get(_, name: string) {
      if (name === 'then') return undefined;
      if (name === '$transaction') return transact;
      return name.startsWith('$') ? calls[name] : methodsOf((tx) => (tx as unknown as Record<string, unknown>)[name]);
    },
  });
  hashes.set(placed, { cluster, hash });
  return placed;
}
