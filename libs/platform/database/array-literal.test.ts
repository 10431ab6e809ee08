import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { bigintsOf, scalars, texts } from './statements.js';

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase();
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
