import { scalars } from './array-literal.js';
import type { Tx } from './database.js';
import { runPrepared, type TextRow } from './statements.js';

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
export const text = <Value extends string = string>(sql = 'text') =>
  ({ sql, read: (some: string) => some }) as Column<Value>;
export const moment = (): Column<Date> => ({ sql: 'timestamptz', read: (some) => new Date(some) });
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
export const json = <Value = unknown>(): Column<Value> => ({
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

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

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

  /** To select the row from a table, without its account. */
  columnsOf(table: string): string {
    return this.#rest.map(({ name }) => `${table}.${snakeCase(name)} AS "${name}"`).join(', ');
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

  /** Of the columns that `columnsOf` selects. */
  readRest(fields: TextRow): Omit<Values<Some>, 'accountId'> {
    return recordOf(this.#rest, fields, 0) as Omit<Values<Some>, 'accountId'>;
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

/** A field with its quotes, or without any; PostgreSQL doubles a quote or a backslash inside. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/y;

/** Null is nothing between two commas. */
function fieldsOf(row: string): (string | null)[] {
  const inside = row.slice(1, -1);
  if (!inside.includes('"')) return inside.split(',').map((field) => (field === '' ? null : field));
  const fields: (string | null)[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < inside.length) {
    const [, quoted, plain] = FIELD.exec(inside) ?? [];
    fields.push(quoted === undefined ? plain || null : quoted.replace(/(["\\])\1/g, '$1'));
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
    const named = parameters.map((parameter, index) => `p_${snakeCase(parameter)} => $${index + 1}`);
    this.#text = `SELECT * FROM ${name}(${named.join(', ')})`;
  }

  call(tx: Tx, values: Readonly<Record<Parameter, string | number | boolean | null>>): Promise<TextRow[]> {
    const { name, parameters } = this;
    return runPrepared(tx, { name, text: this.#text, values: parameters.map((parameter) => values[parameter]) });
  }
}
