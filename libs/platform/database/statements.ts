import pg from 'pg';
import { type Database, type Driver, driverOf, Prisma, type Queryable, type Tx, withTx } from './database.js';

// Each array is sent as one text parameter in PostgreSQL's own notation. The driver then converts nothing, and a statement
// has the same few parameters for any number of rows.

type Scalar = bigint | number | boolean | null;

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/** `{1,2,NULL}`, for a parameter that the statement casts to an array. */
export function scalars(values: readonly Scalar[]): string {
  return scalarsOf(values, (value) => value);
}

/** What `scalars` has written, of integers. */
export const bigintsOf = (literal: string): bigint[] =>
  literal === '{}' ? [] : literal.slice(1, -1).split(',').map(BigInt);

/** The literal of one property of each row, without an intermediate list. */
function scalarsOf<Item>(items: readonly Item[], pick: (item: Item) => Scalar): string {
  let literal = '{';
  for (const item of items) literal += `${pick(item) ?? 'NULL'},`;
  return closed(literal);
}

/** `{"a","b\"c",NULL}` */
export function texts(values: readonly (string | null)[]): string {
  return textsOf(values, (value) => value);
}

export function textsOf<Item>(items: readonly Item[], pick: (item: Item) => string | null): string {
  let literal = '{';
  for (const item of items) literal += `${quoted(pick(item))},`;
  return closed(literal);
}

const closed = (literal: string): string => (literal === '{' ? '{}' : `${literal.slice(0, -1)}}`);

function quoted(value: string | null): string {
  if (value === null) return 'NULL';
  return SPECIAL.test(value) ? `"${value.replace(EVERY_SPECIAL, '\\$&')}"` : `"${value}"`;
}

// Statements that go to the driver directly. Prisma converts each parameter and each row several times, which takes this
// process longer than all else of a short read.

/** A statement of the hot path: PostgreSQL prepares it once for each connection, under its name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | number | boolean | null)[];
}

/** As PostgreSQL wrote them. */
export type TextRow = readonly (string | null)[];

type ParseColumn = (text: string) => unknown;

const AS_TEXT = { getTypeParser: () => (text: string | null) => text };

const utcOf = (text: string): Date => new Date(`${text}Z`);

/** By the id of the type in PostgreSQL: where this project wants another value than the driver gives. */
const PARSERS: ReadonlyMap<number, ParseColumn> = new Map<number, ParseColumn>([
  [pg.types.builtins.INT8, BigInt],
  [1016, bigintsOf], // int8[]
  [pg.types.builtins.DATE, (text) => new Date(text)],
  [pg.types.builtins.TIMESTAMP, utcOf],
]);

const AS_VALUES = {
  getTypeParser: ((type: number) => PARSERS.get(type) ?? pg.types.getTypeParser(type)) as typeof pg.types.getTypeParser,
};

interface DriverStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What pg sends. It copies each own property of a statement by its descriptor, so this has a single one. */
class SentStatement {
  constructor(protected readonly statement: DriverStatement) {}

  get name(): string {
    return this.statement.name;
  }

  get text(): string {
    return this.statement.text;
  }

  get values(): unknown[] {
    return this.statement.values as unknown[];
  }

  get types(): pg.CustomTypesConfig {
    return AS_VALUES;
  }
}

class SentForText extends SentStatement {
  override get types(): pg.CustomTypesConfig {
    return AS_TEXT;
  }

  get rowMode(): 'array' {
    return 'array';
  }
}

async function textRowsOf(
  { connection, naming }: Driver,
  { name, text, values }: PreparedStatement,
): Promise<TextRow[]> {
  const sent = new SentForText({ name: naming.namesStatements ? name : '', text, values });
  return (await connection.query<(string | null)[]>(sent)).rows;
}

/** Runs a statement in the transaction. */
export async function runPrepared(tx: Tx, statement: PreparedStatement): Promise<TextRow[]> {
  const driver = driverOf(tx);
  if (driver === undefined) throw new Error('the transaction was not opened by withTx');
  return textRowsOf(driver, statement);
}

/** The same for a statement that only reads. It opens a transaction only where the account is in a shard group. */
export async function readPrepared(database: Queryable, statement: PreparedStatement): Promise<TextRow[]> {
  const driver = driverOf(database);
  return driver === undefined
    ? withTx(database as Database, (tx) => runPrepared(tx, statement))
    : textRowsOf(driver, statement);
}

/** Begins a statement of one text that `queryRows` runs: PostgreSQL plans it once for each connection. */
export const preparedAs = (name: string): Prisma.Sql => Prisma.raw(`/* prepared: ${name} */`);

/**
 * Runs a statement; returns rows with a property for each column: bigint as a BigInt, a time as a Date, JSON parsed, numeric
 * as text.
 */
export async function queryRows<Row extends object>(database: Queryable, statement: Prisma.Sql): Promise<Row[]> {
  const driver = driverOf(database);
  if (driver === undefined) return withTx(database as Database, (tx) => queryRows<Row>(tx, statement));
  const { text, values } = statement;
  const name = driver.naming.nameOf(text);
  const sent = new SentStatement({ name, text, values });
  return (await driver.connection.query<Row & pg.QueryResultRow>(sent)).rows;
}
