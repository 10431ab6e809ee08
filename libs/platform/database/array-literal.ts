// Arrays travel as one text parameter each, in PostgreSQL's own notation: the driver then has nothing to convert, and a
// statement has the same few parameters however many rows it carries.

type Scalar = bigint | number | boolean | null;

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;

/** `{1,2,NULL}`, for a parameter that the statement casts. */
export function scalars(values: readonly Scalar[]): string {
  return scalarsOf(values, (value) => value);
}

/** The same of one property of each row, without a list in between. */
export function scalarsOf<Row>(rows: readonly Row[], pick: (row: Row) => Scalar): string {
  let literal = '{';
  for (const row of rows) literal += `${pick(row) ?? 'NULL'},`;
  return closed(literal);
}

/** `{"a","b\"c",NULL}` */
export function texts(values: readonly (string | null)[]): string {
  return textsOf(values, (value) => value);
}

export function textsOf<Row>(rows: readonly Row[], pick: (row: Row) => string | null): string {
  let literal = '{';
  for (const row of rows) literal += `${quoted(pick(row))},`;
  return closed(literal);
}

const closed = (literal: string): string => (literal === '{' ? '{}' : `${literal.slice(0, -1)}}`);

function quoted(value: string | null): string {
  if (value === null) return 'NULL';
  return SPECIAL.test(value) ? `"${value.replace(EVERY_SPECIAL, '\\$&')}"` : `"${value}"`;
}
