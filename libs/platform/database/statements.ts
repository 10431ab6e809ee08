import pg from 'pg';
import type { Prisma, Queryable, Tx } from './database.js';
import type { Driver } from './server.js';

// Each array is sent as one text parameter in PostgreSQL's own notation. The driver then converts nothing, and a statement
// has the same few parameters for any number of rows.

type Scalar = bigint | number | boolean | null;

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/** `{1,2,NULL}`, for a parameter that the statement casts to an array. */
export function scalars(values: readonly Scalar[]): string {
  let literal = '{';
  for (const value of values) literal += `${value ?? 'NULL'},`;
  return closed(literal);
}

/** What `scalars` has written, of integers. */
export const bigintsOf = (literal: string): bigint[] =>
  literal === '{}' ? [] : literal.slice(1, -1).split(',').map(BigInt);

/** `{"a","b\"c",NULL}` */
export function texts(values: readonly (string | null)[]): string {
  let literal = '{';
  for (const value of values) literal += `${quoted(value)},`;
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

async function textRowsOf(driver: Driver, { name, text, values }: PreparedStatement): Promise<TextRow[]> {
  const sent = new SentForText({ name: driver.namesStatements ? name : '', text, values });
  return (await driver.query(sent)).rows as TextRow[];
}

export const runPrepared = (queryable: Queryable, statement: PreparedStatement): Promise<TextRow[]> =>
  queryable.send((driver) => textRowsOf(driver, statement));

/**
 * Runs a statement; returns rows with a property for each column: bigint as a BigInt, a time as a Date, JSON parsed, numeric
 * as text.
 */
export const queryRows = <Row extends object>(queryable: Queryable, { text, values }: Prisma.Sql): Promise<Row[]> =>
  queryable.send(async (driver) => {
    const sent = new SentStatement({ name: driver.nameOf(text), text, values });
    return (await driver.query(sent)).rows as Row[];
  });

// A row of SQL functions, described once: PostgreSQL's composite type, the TypeScript type of the row, and what translates one
// into the other all follow from its columns.

type Field = bigint | number | boolean | string | null | readonly (bigint | number | null)[];

export interface Column<Value> {
  readonly sql: string;
  readonly read: (text: string) => Value;
  /** Where the value is not a field itself. */
  readonly write?: (value: Value) => Field;
  /** What NULL stands for. */
  readonly absent?: Value;
}

export const bigint = <Value extends bigint = bigint>(sql = 'bigint') =>
  ({ sql, read: BigInt as (text: string) => bigint }) as Column<Value>;
export const number = (sql = 'int'): Column<number> => ({ sql, read: Number });
export const boolean = (): Column<boolean> => ({ sql: 'boolean', read: (text) => text === 't' });
export const textColumn = <Value extends string = string>(sql = 'text') =>
  ({ sql, read: (some: string) => some }) as Column<Value>;
export const momentColumn = (): Column<Date> => ({ sql: 'timestamptz', read: (some) => new Date(some) });

const MICROS_IN_MS = 1_000n;
const TIME = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** Of a time as PostgreSQL writes it, in any time zone: that of an old time may differ from UTC by seconds. */
function microsFrom(text: string): bigint {
  // Most servers keep UTC, and write four digits of the year: a pattern would take four times as long.
  if (text.endsWith('+00') && text.charAt(10) === ' ') {
    const ms = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`);
    return BigInt(ms) * MICROS_IN_MS + BigInt(text.slice(20, -3).padEnd(6, '0'));
  }
  const [, day, time, fraction = '', sign, hours, minutes = 0, seconds = 0] = TIME.exec(text) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const ms = Date.parse(`${day}T${time}Z`) - (sign === '-' ? -offset : offset) * 1_000;
  return BigInt(ms) * MICROS_IN_MS + BigInt(fraction.padEnd(6, '0'));
}

/** As PostgreSQL reads it, from the year 1 to 9999. */
export function timeOf(micros: bigint): string {
  const rest = ((micros % MICROS_IN_MS) + MICROS_IN_MS) % MICROS_IN_MS;
  const date = new Date(Number((micros - rest) / MICROS_IN_MS));
  return `${date.toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** A time in microseconds since 1970, which a date of JavaScript does not hold. Tables have a `timestamptz`. */
export const momentInMicros = (): Column<bigint> => ({ sql: 'timestamptz', read: microsFrom, write: timeOf });
/** Of items that need no quotes. */
export const list = <Item extends bigint | number | null>(sql: string, read: (text: string) => Item) =>
  ({
    sql,
    read: (items: string) =>
      items === '{}'
        ? []
        : items
            .slice(1, -1)
            .split(',')
            .map((item) => (item === 'NULL' ? null : read(item))),
  }) as Column<readonly Item[]>;
export const jsonColumn = <Value = unknown>(): Column<Value> => ({
  sql: 'jsonb',
  read: JSON.parse,
  write: (value) => JSON.stringify(value),
});
export const orNull = <Value>({ sql, read, write }: Column<Value>): Column<Value | null> => ({
  sql,
  read,
  ...(write && { write: (value) => (value == null ? null : write(value)) }),
});

type Columns = Readonly<Record<string, Pick<Column<unknown>, 'sql'>>>;
type Values<Some extends Columns> = { [Name in keyof Some]: Some[Name] extends Column<infer Value> ? Value : never };

/** Most rows are of an account, which is their first column; the rest of them is often a record of the core. */
export interface OfAccount<Item> {
  readonly accountId: bigint;
  readonly item: Item;
}

/** The items of one kind, of all accounts. */
export const ofAccounts = <From extends { readonly accountId: bigint }, Item>(
  all: readonly From[],
  pick: (from: From) => readonly Item[],
): OfAccount<Item>[] => all.flatMap((from) => pick(from).map((item) => ({ accountId: from.accountId, item })));

/** All of one shape. */
interface NamedColumn {
  readonly name: string;
  readonly sql: string;
  readonly read: (text: string) => unknown;
  readonly write: ((value: unknown) => Field) | undefined;
  readonly absent: unknown;
}

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export class RowType<Some extends Columns> {
  readonly #columns: readonly NamedColumn[];
  /** Without the account. */
  readonly #rest: readonly NamedColumn[];

  constructor(
    readonly name: string,
    columns: Some,
  ) {
    this.#columns = Object.entries(columns).map(([key, column]) => ({
      name: key,
      sql: column.sql,
      read: (column as Column<unknown>).read,
      write: (column as Column<unknown>).write,
      absent: (column as Column<unknown>).absent ?? null,
    }));
    this.#rest = this.#columns.slice(1);
  }

  /** The statement that makes PostgreSQL's type. */
  get definition(): string {
    return `CREATE TYPE ${this.name} AS (${this.#columns.map(({ name, sql }) => `\n  ${snakeCase(name)} ${sql}`)});`;
  }

  /** To select a row of the table as one text, which `read` takes: a driver would read some columns as other types. */
  textOf(table: string): string {
    return `ROW(${this.#columns.map(({ name }) => `${table}.${snakeCase(name)}`).join(', ')})::${this.name}::text`;
  }

  /** `{"(1,,\"a,b\")"}`: for a parameter that is an array of the type. Null when there are no rows. */
  literal(rows: readonly Readonly<Values<Some>>[]): string | null {
    let literal = '';
    for (const row of rows) {
      let before = literal === '' ? '{"(' : ',"(';
      for (const column of this.#columns) {
        literal += before + fieldOf(column, row);
        before = ',';
      }
      literal += ')"';
    }
    return literal === '' ? null : `${literal}}`;
  }

  literalOf(rows: readonly OfAccount<Readonly<Omit<Values<Some>, 'accountId'>>>[]): string | null {
    let literal = '';
    for (const { accountId, item } of rows) {
      literal += `${literal === '' ? '{"(' : ',"('}${accountId}`;
      for (const column of this.#rest) literal += `,${fieldOf(column, item)}`;
      literal += ')"';
    }
    return literal === '' ? null : `${literal}}`;
  }

  /** Of a row that PostgreSQL wrote as one text. */
  read(row: string): Values<Some> {
    return recordOf(this.#columns, fieldsOf(row), 0) as Values<Some>;
  }

  readOf(row: string): OfAccount<Omit<Values<Some>, 'accountId'>> {
    const fields = fieldsOf(row);
    return {
      accountId: BigInt(fields[0] as string),
      item: recordOf(this.#rest, fields, 1) as Omit<Values<Some>, 'accountId'>,
    };
  }
}

export type RowOf<Type> = Type extends RowType<infer Some> ? Readonly<Values<Some>> : never;

function recordOf(columns: readonly NamedColumn[], fields: TextRow, first: number): object {
  const record: Record<string, unknown> = {};
  let index = first;
  for (const { name, read, absent } of columns) {
    const field = fields[index];
    record[name] = field == null ? absent : read(field);
    index += 1;
  }
  return record;
}

/** Escaped for the row, then for the array. */
const BACKSLASH_IN_ROW = '\\\\\\\\';
const QUOTE_IN_ROW = '\\\\\\"';
/** Needs no quotes inside a row inside an array. */
const PLAIN = /^[\w .:{}\n-]+$/;

/** Most fields are integers. */
function fieldOf({ name, write }: NamedColumn, row: object): string {
  const given = (row as Record<string, Field>)[name] as Field;
  const value = write === undefined ? given : write(given);
  if (typeof value === 'bigint') return value.toString();
  if (value == null) return '';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'object') return value.length === 0 ? '{}' : `\\"${scalars(value)}\\"`;
  if (typeof value === 'number' || PLAIN.test(value)) return String(value);
  const escaped = value.includes('\\') ? value.replaceAll('\\', BACKSLASH_IN_ROW) : value;
  return `\\"${escaped.replaceAll('"', QUOTE_IN_ROW)}\\"`;
}

const QUOTE = '"'.charCodeAt(0);

/** PostgreSQL doubles a quote or a backslash inside a field. */
const unescaped = (field: string): string =>
  field.includes('"') || field.includes('\\') ? field.replace(/(["\\])\1/g, '$1') : field;

/** Of the field whose first quote is there, the last one. */
function lastQuote(text: string, first: number): number {
  let at = text.indexOf('"', first + 1);
  while (text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
  return at;
}

/** Null is nothing between two commas. */
function fieldsOf(row: string): (string | null)[] {
  const inside = row.slice(1, -1);
  if (!inside.includes('"')) return inside.split(',').map((field) => (field === '' ? null : field));
  const fields: (string | null)[] = [];
  for (let at = 0; at < inside.length; ) {
    const isQuoted = inside.charCodeAt(at) === QUOTE;
    const comma = inside.indexOf(',', isQuoted ? lastQuote(inside, at) : at);
    const end = comma === -1 ? inside.length : comma;
    const field = isQuoted ? unescaped(inside.slice(at + 1, end - 1)) : inside.slice(at, end) || null;
    fields.push(field);
    at = end + 1;
  }
  return fields;
}

/** A function of prisma/functions, called with parameters by their names. */
export class SqlFunction<Parameter extends string> {
  readonly #text: string;

  constructor(
    readonly name: string,
    private readonly parameters: readonly Parameter[],
  ) {
    const given = parameters.map((parameter, index) => `p_${snakeCase(parameter)} => $${index + 1}`);
    this.#text = `SELECT * FROM ${name}(${given.join(', ')})`;
  }

  call(tx: Tx, values: Readonly<Record<Parameter, string | number | boolean | null>>): Promise<TextRow[]> {
    const { name, parameters } = this;
    return runPrepared(tx, { name, text: this.#text, values: parameters.map((parameter) => values[parameter]) });
  }
}
