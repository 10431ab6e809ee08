import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { statementsOf } from './sql-statements.js';

// Prisma's command line downloads a native schema engine. The same engine is published as WebAssembly and uses the driver
// adapter for the database, so migrations need only npm packages.

/** On a distributed database, DDL of a transaction runs on one shard after the other. */
const CITUS_OPTIONS = '-c citus.multi_shard_modify_mode=sequential -c citus.enable_unsafe_triggers=on';
const CHAR_OID = 18;
const TEXT_OID = 25;

// Node has WebAssembly, but the ES library types do not declare it.
interface WasmExports {
  __wbindgen_start(): void;
}
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: WasmExports } }>;
};

type EngineModule = typeof import('@prisma/schema-engine-wasm');
type EngineGlue = EngineModule & { __wbg_set_wasm(exports: WasmExports): void };

/** The engine leaves a timer of ten seconds behind, which must not delay the end of the process. */
function withoutHoldingTimers(glue: EngineGlue): object {
  const functions = Object.entries(glue).map(([name, value]) =>
    name.startsWith('__wbg_setTimeout_')
      ? [name, (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref()]
      : [name, value],
  );
  return Object.fromEntries(functions);
}

let loadedEngine: Promise<EngineModule> | undefined;

async function loadEngine(): Promise<EngineModule> {
  const gluePath = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const glue = (await import(gluePath)) as EngineGlue;
  const bytes = await readFile(gluePath.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': withoutHoldingTimers(glue) });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return glue;
}

/** The adapter refuses PostgreSQL's internal type "char", which the engine reads from the catalogue, so it becomes text. */
class CatalogPool extends pg.Pool {
  override query = (async (...args: unknown[]) => {
    const result = await (super.query as (...given: unknown[]) => Promise<pg.QueryResult>)(...args);
    for (const field of result.fields ?? []) {
      if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID;
    }
    return result;
  }) as pg.Pool['query'];
}

function adapted(adapter: SqlDriverAdapter, pool: pg.Pool, isDistributed: boolean): SqlDriverAdapter {
  // The adapter splits scripts at every semicolon, even inside functions and comments, so the server gets the whole.
  adapter.executeScript = async (script) => {
    if (isDistributed) await runOneByOne(pool, script);
    else await pool.query(script);
  };
  // The engine requires a character type for this one column.
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    const columnTypes = result.columnTypes.map((type, index) =>
      result.columnNames[index] === 'constraint_type' ? ColumnTypeEnum.Character : type,
    );
    return { ...result, columnTypes };
  };
  return adapter;
}

/** In one transaction, as PostgreSQL runs a whole script. */
async function runOneByOne(pool: pg.Pool, script: string): Promise<void> {
  const client = await pool.connect();
  try {
    for (const statement of ['BEGIN', ...statementsOf(script), 'COMMIT']) await client.query(statement);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

function adapterFactory(pool: pg.Pool, isDistributed: boolean): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool);
  const connect = async () => adapted(await factory.connect(), pool, isDistributed);
  // In the shadow database the engine replays the history. The caller passes the address of an empty database.
  return { provider: factory.provider, adapterName: factory.adapterName, connect, connectToShadowDb: connect };
}

export const schemaFile = fileURLToPath(new URL('../../../../prisma/schema.prisma', import.meta.url));

/** Runs `use` with Prisma's schema engine connected to the database. */
export async function withSchemaEngine<Result>(
  databaseUrl: string,
  use: (engine: SchemaEngine) => Promise<Result>,
  isDistributed = false,
): Promise<Result> {
  loadedEngine ??= loadEngine();
  const { SchemaEngine: Engine } = await loadedEngine;
  const pool = new CatalogPool({
    connectionString: databaseUrl,
    max: 2,
    ...(isDistributed && { options: CITUS_OPTIONS }),
  });
  try {
    const schema = await readFile(schemaFile, 'utf8');
    const adapter = bindMigrationAwareSqlAdapterFactory(adapterFactory(pool, isDistributed));
    const engine = await Engine.new({ datamodels: [['schema.prisma', schema]] }, () => undefined, adapter);
    return await use(engine);
  } finally {
    await pool.end();
  }
}
