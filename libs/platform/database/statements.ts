import pg from 'pg';
import { bigintsOf } from './array-literal.js';
import type { Prisma, Queryable, Tx } from './database.js';
import type { Driver } from './server.js';

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

/** Runs a statement in the transaction. */
export const runPrepared = (tx: Tx, statement: PreparedStatement): Promise<TextRow[]> => readPrepared(tx, statement);

/** The same for a statement that only reads: it needs no transaction. */
export const readPrepared = (queryable: Queryable, statement: PreparedStatement): Promise<TextRow[]> =>
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
