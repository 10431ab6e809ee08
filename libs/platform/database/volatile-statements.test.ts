import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { COORDINATOR_TABLES } from './distribute.js';

// The coordinator of a Citus cluster refuses volatile functions (clock_timestamp, nextval, random, …) in an UPDATE, a DELETE or
// an INSERT … SELECT of a distributed table, also inside a function. In a shard group every statement runs as on one PostgreSQL.
// This finds such statements in the sources and in the functions of the migrations; those of shard groups are listed.

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Functions of the migrations that the coordinator refuses: each is called in a shard group alone. */
const FUNCTIONS_OF_SHARD_GROUPS = ['append_events', 'write_group'];

/** Sources with statements that the coordinator refuses, and why these never run there. */
const SOURCES_OF_SHARD_GROUPS: Readonly<Record<string, string>> = {
  'libs/audit/correct-balance.ts': 'the command opens its transaction in the placement of the account',
  'libs/events/log-events.ts': 'on the coordinator it calls append_group',
  'libs/http/refused-calls.ts': 'it writes the calls of each shard group by themselves',
  'libs/ledger/cancel-timers.ts': 'the clock fires timers in each shard group by itself',
  'libs/ledger/write-group.ts': 'each lane opens its transactions in the placement of its accounts',
};

const DISTRIBUTED = `
  SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)`;

/** Without those of triggers of distributed tables: these run where the row is. */
const FUNCTIONS = `
  SELECT p.proname AS name, p.prosrc AS body FROM pg_proc p
   WHERE p.pronamespace = 'public'::regnamespace
     AND (p.prorettype <> 'trigger'::regtype OR EXISTS (
            SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
             WHERE t.tgfoid = p.oid AND c.relname IN ('accounts', ${COORDINATOR_TABLES.map((name) => `'${name}'`).join()})))`;

const VOLATILE = `
  SELECT DISTINCT proname AS name FROM pg_proc
   WHERE provolatile = 'v' AND prokind = 'f' AND prorettype <> 'trigger'::regtype
     AND pronamespace IN ('pg_catalog'::regnamespace, 'public'::regnamespace)`;

const TARGET = /\b(UPDATE|DELETE\s+FROM|MERGE\s+INTO|INSERT\s+INTO)\s+(?:ONLY\s+)?(?:public\.)?"?([\w?]+)"?/gi;

interface Catalogue {
  readonly distributed: ReadonlySet<string>;
  readonly volatile: ReadonlySet<string>;
  /** Functions that the coordinator refuses. */
  readonly refused: ReadonlySet<string>;
}

const calledIn = (text: string, names: ReadonlySet<string>): string[] =>
  [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name = '']) => name.toLowerCase()).filter((name) => names.has(name));

/** A value in a text of the sources is `?`: a table of that name may be any. */
const changesDistributed = (text: string, distributed: ReadonlySet<string>): boolean =>
  [...text.matchAll(TARGET)].some(
    ([, verb = '', table = '']) =>
      (distributed.has(table) || table === '?') && (!/^INSERT/i.test(verb) || /\bSELECT\b/i.test(text)),
  );

const withoutComments = (text: string) => text.replace(/--.*$/gm, '').replace(/\/\*.*?\*\//gs, '');

/** What of these statements the coordinator of a cluster refuses. */
function refusedIn(script: string, { distributed, volatile, refused }: Catalogue): string[] {
  return withoutComments(script)
    .split(';')
    .flatMap((text) => [
      ...(changesDistributed(text, distributed) ? calledIn(text, volatile) : []),
      ...calledIn(text, refused),
      // The name alone: of a `SqlFunction`.
      ...(refused.has(text) ? [text] : []),
    ]);
}

async function readCatalogue({ query }: TestDatabase): Promise<Catalogue> {
  const namesOf = async (sql: string, values: unknown[] = []) =>
    new Set((await query(sql, values)).map(({ name }) => String(name)));
  const distributed = await namesOf(DISTRIBUTED, [COORDINATOR_TABLES]);
  const volatile = await namesOf(VOLATILE);
  const functions = (await query(FUNCTIONS)).map(({ name, body }) => ({ name: String(name), body: String(body) }));
  const refused = new Set<string>();
  // A function that calls a refused one is refused, too.
  for (let known = -1; known < refused.size; ) {
    known = refused.size;
    for (const { name, body } of functions) {
      if (refusedIn(body, { distributed, volatile, refused }).length > 0) refused.add(name);
    }
  }
  return { distributed, volatile, refused };
}

/** The texts of a source; each value in them is `?`. */
function* textsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, quasis, value } = node as { type?: string; quasis?: { value: { cooked: string } }[]; value?: unknown };
  if (type === 'TemplateLiteral') yield (quasis ?? []).map((part) => part.value.cooked).join(' ? ');
  if (type === 'StringLiteral') yield String(value);
  for (const child of Object.values(node)) yield* textsIn(child);
}

const sources = ['apps', 'libs']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/generated/'))
  .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') }));

let database: TestDatabase;
let catalogue: Catalogue;

beforeAll(async () => {
  database = await createTestDatabase();
  catalogue = await readCatalogue(database);
});

afterAll(async () => {
  await database?.drop();
});

const refusedInSource = (source: string, known: Catalogue): string[] =>
  [...textsIn(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program)].flatMap((text) =>
    refusedIn(text, known),
  );

/** Parsing all sources takes seconds, and few name such a function. */
function namesAny(source: string, { volatile, refused }: Catalogue): boolean {
  const text = source.toLowerCase();
  return [...volatile, ...refused].some((name) => text.includes(name));
}

const faultsOfSources = (known: Catalogue): Record<string, string[]> =>
  Object.fromEntries(
    sources
      .filter(({ source }) => namesAny(source, known))
      .map(({ file, source }) => [file, refusedInSource(source, known)] as const)
      .filter(([, faults]) => faults.length > 0),
  );

describe('a statement that the coordinator of a cluster refuses', () => {
  it('is in no function of the migrations but those of shard groups', () => {
    expect([...catalogue.refused].sort()).toEqual(FUNCTIONS_OF_SHARD_GROUPS);
  });

  it('is in no source but those that run it in a shard group', () => {
    expect(sources.length).toBeGreaterThan(300);
    expect(Object.keys(faultsOfSources(catalogue)).sort()).toEqual(Object.keys(SOURCES_OF_SHARD_GROUPS));
  });

  it.each([
    [
      'UPDATE event_heads SET last_at = greatest(last_at, clock_timestamp()) WHERE account_id = $1',
      ['clock_timestamp'],
    ],
    ['WITH n AS (UPDATE users SET name = gen_random_uuid() RETURNING id) SELECT id FROM n', ['gen_random_uuid']],
    ['DELETE FROM webhook_endpoints WHERE account_id = $1 AND random() < 0.5', ['random']],
    ["INSERT INTO bets (id) SELECT nextval('bets_id_seq') FROM wagers", ['nextval']],
    ['UPDATE ? SET id = nextval(?)', ['nextval']],
    ['SELECT append_events(?::logged_group[])', ['append_events']],
    ['UPDATE event_heads SET last_at = now() WHERE account_id = $1', []],
    ['UPDATE accounts SET updated_at = clock_timestamp()', []],
    ["INSERT INTO bets (id) VALUES (nextval('bets_id_seq'))", []],
    ['SELECT pg_notify(?, ?); UPDATE users SET name = ?', []],
    ['UPDATE users SET name = ? -- clock_timestamp()', []],
  ])('%s: %j', (text, found) => {
    expect(refusedIn(text, catalogue)).toEqual(found);
  });

  it('is found in a function that runs on the coordinator, and in the sources that call it', async () => {
    const [before] = await database.query(`SELECT pg_get_functiondef('append_group'::regproc) AS text`);
    const text = String(before?.text).replace('last_at = moment', 'last_at = greatest(last_at, clock_timestamp())');
    expect(text).not.toBe(before?.text);
    await database.query(text);
    const known = await readCatalogue(database);
    expect([...known.refused].sort()).toEqual([...FUNCTIONS_OF_SHARD_GROUPS, 'append_group', 'open_log'].sort());
    expect(faultsOfSources(known)).toMatchObject({ 'libs/events/log-events.ts': ['append_events', 'append_group'] });
  });
});
