import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { StartError } from '../errors/start-error.js';
import { statementsOf } from './sql-statements.js';

// The functions of the ledger and their types are no migrations: prisma/types.sql and prisma/functions say what they are now.
// A comment on each says what it was made from. A function of which only the body differs is replaced, which connections of
// running parts survive: they know functions and types by number, and a dropped one that is made again has another number.

const folder = fileURLToPath(new URL('../../../../prisma/', import.meta.url));
/** A number that grows with each change of the functions, and the hash of what it stands for. */
export const EDITION_FILE = 'functions-edition.txt';
/** A statement, and what of it callers depend on. */
const CREATES = /^(?:CREATE (?:OR REPLACE )?(FUNCTION|TYPE) (\w+))[\s\S]*?(?=\bLANGUAGE\b|$)/;
const MARK = 'Made from prisma/functions';
const MARKED = new RegExp(`^${MARK}, edition (\\d+), shape (\\w+), text (\\w+)$`);

/** Those of the names, too: a database that was restored without comments has ours. */
const FOUND = `
  SELECT 'FUNCTION' AS kind, proname AS name, oid::regprocedure::text AS target, obj_description(oid, 'pg_proc') AS mark
    FROM pg_proc
   WHERE pronamespace = 'public'::regnamespace AND (proname = ANY ($1) OR obj_description(oid, 'pg_proc') LIKE '${MARK}%')
  UNION ALL
  SELECT 'TYPE', typname, oid::regtype::text, obj_description(oid, 'pg_type') FROM pg_type
   WHERE typnamespace = 'public'::regnamespace AND (typname = ANY ($1) OR obj_description(oid, 'pg_type') LIKE '${MARK}%')`;

interface LedgerObject {
  readonly kind: string;
  readonly name: string;
  /** Another one cannot replace it: the hash of a function's head and of all types. */
  readonly shape: string;
  readonly text: string;
}

interface WantedObject extends LedgerObject {
  readonly statement: string;
}

interface FoundObject extends LedgerObject {
  readonly edition: number;
  /** A function with its parameters. */
  readonly target: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function readWanted(): Promise<readonly WantedObject[]> {
  const names = (await readdir(`${folder}functions`)).filter((name) => name.endsWith('.sql')).sort();
  const files = ['types.sql', ...names.map((name) => `functions/${name}`)];
  const [types = '', ...functions] = await Promise.all(files.map((file) => readFile(folder + file, 'utf8')));
  const allTypes = statementsOf(types).join();
  return [types, ...functions].flatMap(statementsOf).map((statement) => {
    const [head = '', kind = '', name = ''] = CREATES.exec(statement) ?? [];
    const isType = kind === 'TYPE';
    return {
      kind,
      name,
      statement,
      shape: hashOf(isType ? allTypes : allTypes + head),
      text: hashOf(isType ? allTypes : statement),
    };
  });
}

async function readEdition(): Promise<{ edition: number; hash: string }> {
  const [edition = '', hash = ''] = (await readFile(folder + EDITION_FILE, 'utf8')).trim().split(' ');
  return { edition: Number(edition), hash };
}

/** What the file of the edition must hold: the next number when the functions are others than those that it stands for. */
export async function editionText(): Promise<string> {
  const known = await readEdition();
  const hash = hashOf((await readWanted()).map(({ statement }) => statement).join());
  return `${known.hash === hash ? known.edition : known.edition + 1} ${hash}\n`;
}

async function findObjects(client: pg.Client, names: readonly string[]): Promise<FoundObject[]> {
  const { rows } = await client.query<{ kind: string; name: string; target: string; mark: string | null }>(FOUND, [
    names,
  ]);
  return rows.map(({ mark, ...object }) => {
    const [, edition = 0, shape = '', text = ''] = MARKED.exec(mark ?? '') ?? [];
    return { ...object, edition: Number(edition), shape, text };
  });
}

async function compare(client: pg.Client) {
  const [wanted, { edition }] = await Promise.all([readWanted(), readEdition()]);
  const names = wanted.map(({ name }) => name);
  const found = await findObjects(client, names);
  const isSame = (one: LedgerObject, other: LedgerObject) =>
    one.kind === other.kind && one.name === other.name && one.shape === other.shape;
  const kept = found.filter((object) => wanted.some((each) => isSame(each, object)));
  return {
    wanted,
    edition,
    foundEdition: Math.max(0, ...found.map((object) => object.edition)),
    /** They go, because nothing has their place, or something of another shape. */
    gone: found.filter((object) => !kept.includes(object)),
    changed: wanted.filter((each) => !kept.some((object) => isSame(each, object) && object.text === each.text)),
  };
}

/** Of the functions of the database, beside those of this release. */
export type FunctionsState = 'current' | 'earlier' | 'later';

function stateOf({ edition, foundEdition, gone, changed }: Awaited<ReturnType<typeof compare>>): FunctionsState {
  if (foundEdition >= edition && gone.length === 0 && changed.length === 0) return 'current';
  return foundEdition > edition ? 'later' : 'earlier';
}

export async function readFunctionsState(client: pg.Client): Promise<FunctionsState> {
  return stateOf(await compare(client));
}

export const LATER_FUNCTIONS =
  'The database has the functions of a later release: start that one. To go back to this one, stop every process, then run `npm run migrate -- --functions`.';

/** Processes of a later release may run, and would fail with the functions of this one. */
export async function refuseLaterFunctions(client: pg.Client): Promise<void> {
  if ((await readFunctionsState(client)) === 'later') throw new StartError(LATER_FUNCTIONS);
}

interface Making {
  /** Runs before they change. */
  prepare(): Promise<void>;
  report(line: string): void;
}

/** Returns whether they were made. */
export async function makeFunctions(client: pg.Client, { prepare, report }: Making): Promise<boolean> {
  const comparison = await compare(client);
  if (stateOf(comparison) === 'current') return false;
  const { wanted, edition, gone, changed } = comparison;
  await prepare();
  await client.query('BEGIN');
  // Functions depend on types, and types on each other.
  for (const kind of ['FUNCTION', 'TYPE']) {
    const targets = gone.filter((object) => object.kind === kind).map(({ target }) => target);
    // A function that is no longer ours, and lost its comment in a restore, may depend on a type.
    if (targets.length > 0) await client.query(`DROP ${kind} ${targets.join(', ')} CASCADE`);
  }
  for (const { statement } of changed) await client.query(statement);
  for (const { kind, name, shape, text } of wanted) {
    await client.query(`COMMENT ON ${kind} ${name} IS '${MARK}, edition ${edition}, shape ${shape}, text ${text}'`);
  }
  await client.query('COMMIT');
  if (gone.length > 0) report('Functions have another form: processes that were started before must be started again.');
  return true;
}
