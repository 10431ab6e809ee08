import { accountHash } from './account-hash.js';
import { CitusCluster } from './citus-cluster.js';
import { type Database, type DatabaseOptions, openDatabase, Prisma } from './database.js';

// Where the rows of an account are: all in the one PostgreSQL, or in a shard group of a Citus cluster. A placement is a
// `Database` whose statements see the tables of its accounts alone, so every statement is written once.

const clusters = new WeakMap<Database, CitusCluster>();
const placements = new WeakMap<CitusCluster, Map<bigint, Database>>();
const hashes = new WeakMap<Database, { readonly cluster: CitusCluster; readonly hash: number }>();

/** Opens the database, and finds out whether it is a distributed one. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const database = openDatabase(options);
  try {
    const [{ isDistributed }] = await database.$queryRaw<[{ isDistributed: boolean }]>`
      SELECT to_regclass('placement.epochs') IS NOT NULL AS "isDistributed"`;
    if (isDistributed) clusters.set(database, await CitusCluster.open(database, options));
    return database;
  } catch (error) {
    await database.$disconnect();
    throw error;
  }
}

export async function disconnectDatabase(database: Database): Promise<void> {
  await Promise.all([clusters.get(database)?.close(), database.$disconnect()]);
}

/** The placement of an account. Tasks whose accounts have the same placement may share a transaction. */
export function placementOf(database: Database, accountId: bigint): Database {
  const cluster = clusters.get(database);
  return cluster === undefined ? database : placementIn(cluster, accountHash(accountId));
}

/** All placements: together they have the rows of all accounts, each row once. */
export function allPlacements(database: Database): Database[] {
  const cluster = clusters.get(database);
  return cluster === undefined ? [database] : cluster.hashes.map((hash) => placementIn(cluster, hash));
}

/** Whether the tables of accounts, tokens and keys are apart from those of the ledger. */
export const isDistributed = (database: Database): boolean => clusters.has(database);

/** The node of an account; undefined on one PostgreSQL. */
export const nodeOf = (database: Database, accountId: bigint): string | undefined =>
  clusters.get(database)?.groupOf(accountHash(accountId)).node;

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
