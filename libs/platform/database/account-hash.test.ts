import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { accountHash } from './account-hash.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
});

it('is the hash of PostgreSQL', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => BigInt(index) - 20n).concat([
    2n ** 31n,
    2n ** 32n,
    2n ** 44n + 7n,
    2n ** 63n - 1n,
    -(2n ** 31n) - 1n,
    -(2n ** 63n),
  ]);
  const rows = await database.query('SELECT hashint8(id) AS hash FROM unnest($1::bigint[]) id', [ids]);
  expect(ids.map(accountHash)).toEqual(rows.map(({ hash }) => hash));
});
