import type { z } from 'zod';

/** Bounds what one record may store, and so what a list or a transaction of many records must carry. */
const MAX_JSON_CHARACTERS = 8_192;

/** The same schema, for values of at most so many characters as JSON. */
export const shortAsJson = <Schema extends z.ZodType>(schema: Schema) =>
  schema.refine(
    (given) => JSON.stringify(given).length <= MAX_JSON_CHARACTERS,
    `must be shorter than or equal to ${MAX_JSON_CHARACTERS} characters as JSON`,
  );

export const SHORT_AS_JSON = `at most ${MAX_JSON_CHARACTERS.toLocaleString('en')} characters as JSON`;
