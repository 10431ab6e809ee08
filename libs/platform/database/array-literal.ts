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
