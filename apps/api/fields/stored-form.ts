import { asMicros, numberFromMicros } from '#core/money.js';

/** A body as JSON stores it: its schema reads it again. The only integers of that size in a body are amounts. */
export const storedForm = (given: object): object =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (typeof value === 'bigint') return [[name, numberFromMicros(asMicros(value))]];
      return [[name, value instanceof Date ? value.toISOString() : value]];
    }),
  );
