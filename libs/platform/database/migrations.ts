import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { StartError } from '../errors/start-error.js';
import { grantToApplication } from './application-role.js';
import { distribute, dropPreparedGroups, hasPlacement, isCitus } from './distribute.js';
import { foreignKeysOf, withoutForeignKeys } from './foreign-keys.js';
import { type FunctionsState, makeFunctions, readFunctionsState, refuseLaterFunctions } from './functions.js';
import { schemaFile, withSchemaEngine } from './schema-engine.js';

const migrationsFolder = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url));
const noFilters = { externalTables: [], externalEnums: [] };
/** An arbitrary constant, by which processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_266_001;
const CONNECT_TIMEOUT_MS = 10_000;
/** For an answer to a look: the network may be silent. A migration takes its time. */
const LOOK_TIMEOUT_MS = 4_000;
/** Behind every name. */
const LAST = '~';
/** Stands for the functions among the names of migrations. */
const FUNCTIONS = 'functions';

async function migrationNames(): Promise<string[]> {
  const entries = await readdir(migrationsFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

const scriptOf = (name: string): Promise<string> =>
  readFile(path.join(migrationsFolder, name, 'migration.sql'), 'utf8');

interface ReadOptions {
  /** The last migration to apply. */
  readonly until: string;
  /** Foreign keys come after the tables are distributed, because keys between a distributed and a local table cannot be. */
  readonly withoutForeignKeys: boolean;
}

async function readMigrations(options?: ReadOptions) {
  const names = (await migrationNames()).filter((name) => options === undefined || name <= options.until);
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: {
          tag: 'ok' as const,
          value: options?.withoutForeignKeys ? withoutForeignKeys(await scriptOf(name)) : await scriptOf(name),
        },
      },
    })),
  );
  return {
    baseDir: migrationsFolder,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}

async function historyTable(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string | null }>(`SELECT to_regclass('_prisma_migrations') AS name`);
  return rows[0]?.name ?? null;
}

async function appliedNames(client: pg.Client): Promise<Set<string>> {
  if ((await historyTable(client)) === null) return new Set();
  const applied = await client.query(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Set(applied.rows.map((row) => row.migration_name as string));
}

async function withClient<Result>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<Result>,
  timeouts: Pick<pg.ClientConfig, 'query_timeout'> = {},
): Promise<Result> {
  const connecting = { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const client = new pg.Client({ ...connecting, ...timeouts });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The first migration makes all tables, so it can follow none that came before it. */
async function refuseOlder(client: pg.Client): Promise<void> {
  const [first = ''] = await migrationNames();
  if (![...(await appliedNames(client))].some((name) => name < first)) return;
  throw new StartError(
    `The database has migrations from before ${first}, which takes an empty one. Drop the database; one of npm start is in the folder .data.`,
  );
}

/**
 * A migration runs as one transaction, so an interrupted one has left only its entry in the history. Marking that entry
 * as rolled back lets the migration run again.
 */
async function forgetInterrupted(client: pg.Client): Promise<void> {
  if ((await historyTable(client)) === null) return;
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
}

async function findPending(client: pg.Client): Promise<string[]> {
  const applied = await appliedNames(client);
  return (await migrationNames()).filter((name) => !applied.has(name));
}

export interface DatabaseState {
  /** The migrations that the database lacks. */
  readonly pending: readonly string[];
  readonly functions: FunctionsState;
}

export async function readDatabaseState(databaseUrl: string): Promise<DatabaseState> {
  const read = async (client: pg.Client) => ({
    pending: await findPending(client),
    functions: await readFunctionsState(client),
  });
  return withClient(databaseUrl, read, { query_timeout: LOOK_TIMEOUT_MS });
}

export interface MigrationOptions {
  readonly report?: (line: string) => void;
  /** The last migration to apply. */
  readonly until?: string;
  /** Functions of a later release may be replaced: no process of it runs. */
  readonly replacesLater?: boolean;
}

/**
 * Applies pending migrations, makes the functions when they have changed, and returns the names of what it has applied. It loads
 * the engine only for migrations. On the coordinator of a Citus cluster it also distributes the tables, and reports what it does.
 */
export async function applyMigrations(
  databaseUrl: string,
  { report = () => undefined, until = LAST, replacesLater = false }: MigrationOptions = {},
): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!replacesLater) await refuseLaterFunctions(client);
    const isOnCitus = await isCitus(client);
    const isSpread = isOnCitus && (await hasPlacement(client));
    const applied = await applyPending({ client, databaseUrl, isSpread, until });
    const prepare = async () => {
      if (isSpread) await dropPreparedGroups(client);
    };
    const areNew = await makeFunctions(client, { prepare, report });
    // A process that runs may have prepared a shard group in between, from what was there before.
    if (areNew || applied.length > 0) await prepare();
    if (isOnCitus) await distribute(client, await foreignKeysOfAll(), report);
    return areNew ? [...applied, FUNCTIONS] : applied;
  });
}

/** Lets the parts use the tables with the role of their own address. On a Citus cluster they need that of the owner. */
export async function admitApplication(ownerUrl: string, applicationUrl: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    if (await isCitus(client)) {
      throw new StartError(
        'On a Citus cluster the parts use the role that owns the tables: unset MIGRATE_DATABASE_URL.',
      );
    }
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await grantToApplication(client, applicationUrl);
  });
}

/** Distributes the tables of a migrated database, and returns how many changes it reported. */
export async function distributeDatabase(databaseUrl: string, report: (line: string) => void): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    if (!(await isCitus(client))) {
      throw new StartError('DATABASE_URL is not the coordinator of a Citus cluster with nodes that hold shards.');
    }
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    let changes = 0;
    await distribute(client, await foreignKeysOfAll(), (line) => {
      changes += 1;
      report(line);
    });
    return changes;
  });
}

const foreignKeysOfAll = async () => foreignKeysOf(await Promise.all((await migrationNames()).map(scriptOf)));

interface Target {
  readonly client: pg.Client;
  readonly databaseUrl: string;
  /** Whether the tables are distributed. */
  readonly isSpread: boolean;
  readonly until: string;
}

async function applyPending({ client, databaseUrl, isSpread, until }: Target): Promise<string[]> {
  if ((await findPending(client)).length === 0) return [];
  await refuseOlder(client);
  await forgetInterrupted(client);
  if (isSpread) await dropPreparedGroups(client);
  const migrationsList = await readMigrations({ until, withoutForeignKeys: isSpread });
  const result = await withSchemaEngine(
    databaseUrl,
    (engine) => engine.applyMigrations({ migrationsList, filters: noFilters }),
    isSpread,
  );
  return result.appliedMigrationNames;
}

/** The SQL that the migrations lack to produce schema.prisma: empty when they agree. */
export async function describeDrift(emptyDatabaseUrl: string): Promise<string> {
  const migrationsList = await readMigrations();
  const schema = await readFile(schemaFile, 'utf8');
  const difference = await withSchemaEngine(emptyDatabaseUrl, (engine) =>
    engine.diff({
      from: { tag: 'migrations', ...migrationsList },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
      script: true,
      exitCode: true,
      filters: noFilters,
    }),
  );
  return difference.exitCode === 0 ? '' : (difference.stdout ?? 'unknown difference');
}
