import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { bigintsOf, type Field, records, scalars, texts } from './array-literal.js';

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase();
  await server.query('CREATE TYPE note AS (place bigint, kind text, is_open boolean, size int, body text)');
});

afterAll(async () => {
  await server?.drop();
});

/** PostgreSQL cannot store NUL in text. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...['"', '\\', '{', '}', '(', ')', ',', ' ', '\n', "'", 'a', 'é']) }),
  fc.string({ unit: 'grapheme' }).map((some) => some.replaceAll('\0', '')),
  fc.json(),
);
const note = fc.tuple(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.option(text),
  fc.option(fc.boolean()),
  fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  fc.option(text),
);

it('reads rows as they were written, whatever their texts are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 20 }), async (notes) => {
      const literal = records(notes, (fields): readonly Field[] => fields);
      const read = await server.query('SELECT place::text, kind, is_open, size, body FROM unnest($1::note[])', [
        literal,
      ]);
      expect(read).toEqual(
        notes.map(([place, kind, isOpen, size, body]) => ({ place: String(place), kind, is_open: isOpen, size, body })),
      );
    }),
    { numRuns: 100 },
  );
  expect(records([], () => [])).toBeNull();
});

it('reads lists as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(text)),
      fc.array(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
      async (some, ids) => {
        const [read] = await server.query('SELECT $1::text[] AS some, $2::bigint[]::text AS ids', [
          texts(some),
          scalars(ids),
        ]);
        expect(read?.some).toEqual(some);
        expect(bigintsOf(String(read?.ids))).toEqual(ids);
      },
    ),
    { numRuns: 50 },
  );
});
