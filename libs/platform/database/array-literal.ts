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
