// Each array is sent as one text parameter in PostgreSQL's own notation. The driver then converts nothing, and a statement
// has the same few parameters for any number of rows.

type Scalar = bigint | number | boolean | null;

const SPECIAL = /["\\]/;
const EVERY_SPECIAL = /["\\]/g;
/** Escaped for the row, then for the array. */
const BACKSLASH_IN_ROW = '\\\\\\\\';
const QUOTE_IN_ROW = '\\\\\\"';

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

export type Field = bigint | number | boolean | string | null;

/** Needs no quotes inside a row inside an array. */
const PLAIN = /^[\w .:{}\n-]+$/;

/** Most fields are integers. */
function fieldOf(value: Field): string {
  if (typeof value === 'bigint') return value.toString();
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'number' || PLAIN.test(value)) return String(value);
  const escaped = value.includes('\\') ? value.replaceAll('\\', BACKSLASH_IN_ROW) : value;
  return `\\"${escaped.replaceAll('"', QUOTE_IN_ROW)}\\"`;
}

/** `{"(1,,\"a,b\")"}`: for an array of a composite type, each item a row of its fields. Null when there are no items. */
export function records<Item>(
  items: readonly Item[],
  fieldsOf: (item: Item, index: number) => readonly Field[],
): string | null {
  if (items.length === 0) return null;
  let literal = '';
  for (const [index, item] of items.entries()) {
    let before = literal === '' ? '{"(' : ',"(';
    for (const field of fieldsOf(item, index)) {
      literal += before + fieldOf(field);
      before = ',';
    }
    literal += ')"';
  }
  return `${literal}}`;
}
