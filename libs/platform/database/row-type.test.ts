import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { bigint, boolean, jsonColumn, list, number, orNull, RowType, textColumn } from './statements.js';

const note = new RowType('note', {
  accountId: bigint(),
  isOpen: orNull(boolean()),
  pageCount: orNull(number()),
  body: orNull(textColumn()),
  shownTo: list('bigint[]', BigInt),
  pages: orNull(list<number | null>('int[]', Number)),
  extra: orNull(jsonColumn()),
});

let server: TestDatabase;

beforeAll(async () => {
  server = await createTestDatabase();
  await server.query(note.definition);
});

afterAll(async () => {
  await server?.drop();
});

/** PostgreSQL cannot store NUL in text. */
const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...['"', '\\', '{', '}', '(', ')', ',', ' ', '\n', "'", 'a', 'é']) }),
  fc.string({ unit: 'grapheme' }).map((some) => some.replaceAll('\0', '')),
  fc.json(),
);
const anyBigint = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const anyInteger = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const anyNote = fc.record({
  accountId: anyBigint,
  isOpen: fc.option(fc.boolean()),
  pageCount: fc.option(anyInteger),
  body: fc.option(anyText),
  shownTo: fc.array(anyBigint),
  pages: fc.option(fc.array(fc.option(anyInteger))),
  extra: fc.option(fc.record({ said: anyText })),
});

it('reads rows as they were written, whatever is in them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyNote, { minLength: 1, maxLength: 20 }), async (notes) => {
      const rows = await server.query(
        `SELECT n::text AS note, is_open, page_count, body, shown_to::text[], pages, extra FROM unnest($1::note[]) n`,
        [note.literal(notes)],
      );
      expect(rows.map((row) => note.read(String(row.note)))).toEqual(notes);
      expect(rows.map(({ note: _, ...stored }) => stored)).toEqual(
        notes.map(({ isOpen, pageCount, body, shownTo, pages, extra }) => ({
          is_open: isOpen,
          page_count: pageCount,
          body,
          shown_to: shownTo.map(String),
          pages,
          extra,
        })),
      );
      const owned = notes.map(({ accountId, ...item }) => ({ accountId, item }));
      expect(note.literalOf(owned)).toBe(note.literal(notes));
      expect(rows.map((row) => note.readOf(String(row.note)))).toEqual(owned);
    }),
    { numRuns: 100 },
  );
  expect(note.literal([])).toBeNull();
});

it('selects a row of a table as one text', () => {
  expect(note.textOf('n')).toMatch(/^ROW\(n\.account_id, n\.is_open, n\.page_count, n\.body.*\)::note::text$/);
});
