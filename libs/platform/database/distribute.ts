import { createHash } from 'node:crypto';
import type pg from 'pg';
import { StartError } from '../errors/start-error.js';
import type { ForeignKey } from './foreign-keys.js';
import { PLACEMENT_OBJECTS } from './placement-functions.js';
import { statementsOf } from './sql-statements.js';

/**
 * Tables of an account that stay on the coordinator. Who may enter is asked and changed there, in transactions of one
 * PostgreSQL, and its notices reach every process that listens there. Every other table with an account is distributed.
 */
export const COORDINATOR_TABLES = [
  'access_tokens',
  'api_keys',
  'account_events',
  'verification_tokens',
  'reset_codes',
  'operators',
] as const;

/** Every other distributed table is co-located with it. */
const ANCHOR = 'users';

/** DDL of a transaction runs on one shard after the other, and triggers of shards write beside them. */
const SETTINGS = `
  SET citus.multi_shard_modify_mode = 'sequential';
  SET citus.enable_unsafe_triggers = on;
  SET client_min_messages = warning`;

type Report = (line: string) => void;

const isThere = async (client: pg.Client, condition: string): Promise<boolean> =>
  (await client.query<{ found: boolean }>(`SELECT EXISTS (${condition}) AS found`)).rows[0]?.found ?? false;

/** Whether the database is the coordinator of a Citus cluster whose nodes may hold shards. */
export async function isCitus(client: pg.Client): Promise<boolean> {
  if (!(await isThere(client, `SELECT FROM pg_extension WHERE extname = 'citus'`))) return false;
  return isThere(client, `SELECT FROM pg_dist_node WHERE shouldhaveshards AND isactive AND noderole = 'primary'`);
}

/** Whether the tables are distributed. */
export const hasPlacement = (client: pg.Client): Promise<boolean> =>
  isThere(client, `SELECT FROM pg_class WHERE oid = to_regclass('placement.epochs')`);

/**
 * Drops what the nodes derive from tables and functions, before these change. The API makes it again when it next uses a
 * shard group: transactions that are under way end first.
 */
export async function dropPreparedGroups(client: pg.Client): Promise<void> {
  await runEverywhere(
    client,
    `DO $$ DECLARE name text; BEGIN
       SET LOCAL citus.enable_ddl_propagation = off;
       FOR name IN SELECT nspname FROM pg_namespace WHERE nspname ~ '^shard_[0-9]+$' LOOP
         EXECUTE format('DROP SCHEMA %I CASCADE', name);
       END LOOP;
     END $$`,
  );
}

async function runEverywhere(client: pg.Client, command: string): Promise<void> {
  const { rows } = await client.query<{ node: string; result: string }>(
    `SELECT nodename || ':' || nodeport AS node, result
       FROM run_command_on_all_nodes($1) r JOIN pg_dist_node USING (nodeid) WHERE NOT r.success`,
    [command],
  );
  const [failed] = rows;
  if (failed !== undefined) throw new StartError(`The node ${failed.node} failed: ${failed.result}`);
}

/** Settings of the session that migrates a Citus database. */
const prepareSession = (client: pg.Client): Promise<unknown> => client.query(SETTINGS);

/**
 * Distributes by account what belongs to an account, all co-located; the rest stays on the coordinator. What is distributed
 * already stays as it is, so it may run again, and after later migrations.
 */
export async function distribute(client: pg.Client, foreignKeys: readonly ForeignKey[], report: Report): Promise<void> {
  await prepareSession(client);
  const tables = await tablesToDistribute(client);
  if (tables.length > 0) {
    await dropForeignKeys(client, tables);
    // Indexes of the tables call it: the nodes need it first.
    await client.query(`SELECT create_distributed_function('meta_texts(bigint, jsonb)')`);
    // Citus copies the users into their shards, where this trigger would count them again. `distributePlacement` makes another.
    if (tables.includes(ANCHOR)) await client.query('DROP TRIGGER IF EXISTS users_count ON users');
    for (const table of tables) {
      const options = table === ANCHOR ? '' : `, colocate_with => '${ANCHOR}'`;
      await client.query(`SELECT create_distributed_table('${table}', 'account_id'${options})`);
      report(`Distributed ${table} by account.`);
    }
  }
  await addForeignKeys(client, foreignKeys, report);
  await distributePlacement(client, report);
}

/** The anchor first. */
async function tablesToDistribute(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
        AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
      ORDER BY c.relname <> $2, c.relname`,
    [COORDINATOR_TABLES, ANCHOR],
  );
  return rows.map(({ name }) => name);
}

async function dropForeignKeys(client: pg.Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ sql: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS sql FROM pg_constraint
      WHERE contype = 'f' AND (conrelid::regclass::text = ANY ($1) OR confrelid::regclass::text = ANY ($1))`,
    [tables],
  );
  for (const { sql } of rows) await client.query(sql);
}

/** A key from a distributed table to a local one cannot be: the transaction that writes the row has read what it refers to. */
async function addForeignKeys(client: pg.Client, keys: readonly ForeignKey[], report: Report): Promise<void> {
  for (const { table, name, target, sql } of keys) {
    const { rows } = await client.query<{ fits: boolean | null }>(
      `SELECT (SELECT count(*) FROM pg_dist_partition WHERE logicalrelid IN (c.oid, t.oid)) <> 1
              AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND conname = $3) AS fits
         FROM pg_class c, pg_class t WHERE c.oid = to_regclass($1) AND t.oid = to_regclass($2)`,
      [table, target, name],
    );
    if (rows[0]?.fits !== true) continue;
    await client.query(sql);
    report(`Added the foreign key ${name}.`);
  }
}

async function runAll(client: pg.Client, script: string): Promise<void> {
  for (const statement of statementsOf(script)) await client.query(statement);
}

/** Made again when this text has changed: what the nodes have derived from it is dropped. */
async function makePlacement(client: pg.Client, report: Report): Promise<void> {
  const mark = createHash('sha256').update(PLACEMENT_OBJECTS).digest('hex');
  const known = `SELECT FROM pg_namespace n WHERE nspname = 'placement' AND obj_description(n.oid, 'pg_namespace') = '${mark}'`;
  if (await isThere(client, known)) return;
  const isNew = !(await hasPlacement(client));
  if (!isNew) await dropPreparedGroups(client);
  await runAll(client, `BEGIN; CREATE SCHEMA IF NOT EXISTS placement; ${PLACEMENT_OBJECTS}`);
  if (isNew) {
    await runAll(
      client,
      `SELECT citus_add_local_table_to_metadata('placement.epochs');
      SELECT create_distributed_table('placement.accounts', 'id', colocate_with => '${ANCHOR}');
      INSERT INTO placement.accounts
        SELECT id, preferences, decimals, sandbox_of, clock_ahead, removed_since, created_at, updated_at FROM accounts;
      CREATE TRIGGER accounts_copied AFTER INSERT OR DELETE OR UPDATE OF preferences, decimals, clock_ahead, removed_since
         ON accounts
         FOR EACH ROW EXECUTE FUNCTION placement.copy_account()`,
    );
  }
  await runAll(client, `COMMENT ON SCHEMA placement IS '${mark}'; COMMIT`);
  report('Made the schema placement.');
}

/**
 * Citus copies new types, and those that the head of a function names. The types of migrations from before the extension
 * came, and which only bodies of functions name, come to the nodes by a function that names them all.
 */
async function distributeTypes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ names: string | null }>(`
    SELECT string_agg(t.oid::regtype::text, ', ' ORDER BY t.oid) AS names
      FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
     WHERE t.typnamespace = 'public'::regnamespace AND (t.typtype = 'e' OR c.relkind = 'c')
       AND NOT EXISTS (SELECT FROM pg_dist_object d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid)`);
  const [{ names } = { names: null }] = rows;
  if (names === null) return;
  await runAll(
    client,
    `DROP FUNCTION IF EXISTS placement.name_types;
     CREATE FUNCTION placement.name_types(${names}) RETURNS void LANGUAGE sql AS '';
     SELECT create_distributed_function('placement.name_types(${names})');
     DROP FUNCTION placement.name_types`,
  );
}

async function distributePlacement(client: pg.Client, report: Report): Promise<void> {
  await makePlacement(client, report);
  const counts = `SELECT FROM pg_trigger WHERE tgrelid = 'users'::regclass AND tgname = 'users_count'`;
  if (!(await isThere(client, `${counts} AND tgfoid = to_regproc('placement.count_users')`))) {
    await runAll(
      client,
      `DROP TRIGGER IF EXISTS users_count ON users;
       CREATE TRIGGER users_count AFTER INSERT ON users REFERENCING NEW TABLE AS inserted
         FOR EACH STATEMENT EXECUTE FUNCTION placement.count_users()`,
    );
    report('Made the shards of users count themselves.');
  }
  await distributeTypes(client);
  const { rows } = await client.query<{ name: string }>(`
    SELECT f.oid::regprocedure::text AS name
      FROM (SELECT oid FROM placement.ledger_functions() l (oid)
            UNION ALL SELECT oid FROM pg_proc WHERE pronamespace = 'placement'::regnamespace) f
     WHERE NOT EXISTS (SELECT FROM pg_dist_object d WHERE d.classid = 'pg_proc'::regclass AND d.objid = f.oid)`);
  for (const { name } of rows) await client.query('SELECT create_distributed_function($1)', [name]);
  if (rows.length > 0) report(`Copied ${rows.length} functions to every node.`);
}
