import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { statementsOf } from './sql-statements.js';

// The functions of the ledger and their types are no migrations: prisma/types.sql and prisma/functions say what they are now.
// When that differs from what the database has, all are dropped and made in one transaction. Each has a comment by which it is
// known.

const folder = fileURLToPath(new URL('../../../../prisma/', import.meta.url));
const CREATES = /^CREATE (?:OR REPLACE )?(FUNCTION|TYPE) (\w+)/;
const MARK = 'Made from prisma/functions: ';

const MADE = `
  SELECT 'FUNCTION' AS kind, oid::regprocedure::text AS name, obj_description(oid, 'pg_proc') AS mark FROM pg_proc
   WHERE pronamespace = 'public'::regnamespace AND obj_description(oid, 'pg_proc') LIKE '${MARK}%'
  UNION ALL
  SELECT 'TYPE', oid::regtype::text, obj_description(oid, 'pg_type') FROM pg_type
   WHERE typnamespace = 'public'::regnamespace AND obj_description(oid, 'pg_type') LIKE '${MARK}%'`;

async function readStatements(): Promise<string[]> {
  const names = (await readdir(`${folder}functions`)).filter((name) => name.endsWith('.sql')).sort();
  const files = ['types.sql', ...names.map((name) => `functions/${name}`)];
  const scripts = await Promise.all(files.map((file) => readFile(folder + file, 'utf8')));
  return scripts.flatMap(statementsOf);
}

async function compare(client: pg.Client) {
  const statements = await readStatements();
  const mark = MARK + createHash('sha256').update(statements.join()).digest('hex');
  const made = (await client.query<{ kind: string; name: string; mark: string }>(MADE)).rows;
  const areCurrent = made.length === statements.length && made.every((object) => object.mark === mark);
  return { statements, mark, made, areCurrent };
}

export async function areFunctionsCurrent(client: pg.Client): Promise<boolean> {
  return (await compare(client)).areCurrent;
}

/** Returns whether they were made. `prepare` runs before they change. */
export async function makeFunctions(client: pg.Client, prepare: () => Promise<void>): Promise<boolean> {
  const { statements, mark, made, areCurrent } = await compare(client);
  if (areCurrent) return false;
  await prepare();
  await client.query('BEGIN');
  // Functions depend on types, and types on each other.
  for (const kind of ['FUNCTION', 'TYPE']) {
    const names = made.filter((object) => object.kind === kind).map(({ name }) => name);
    if (names.length > 0) await client.query(`DROP ${kind} ${names.join(', ')}`);
  }
  for (const statement of statements) {
    const [, kind, name] = CREATES.exec(statement) ?? [];
    await client.query(statement);
    await client.query(`COMMENT ON ${kind} ${name} IS '${mark}'`);
  }
  await client.query('COMMIT');
  return true;
}
