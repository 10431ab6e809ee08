// Arrays travel as one text parameter each, in PostgreSQL's own notation: the driver then has nothing to convert, and a
// statement has the same few parameters however many rows it carries.

type Scalar = bigint | number | boolean | null;

const NULL = 'NULL';

/** `{1,2,NULL}`, for a parameter that the statement casts. */
export function scalars(values: readonly Scalar[]): string {
  return `{${values.map((value) => value ?? NULL).join(',')}}`;
}

/** `{"a","b\"c",NULL}` */
export function texts(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? NULL : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
}
