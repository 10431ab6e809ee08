import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { waitFor } from '#testing/wait-for.js';
import { type Database, openDatabase, Prisma, type Tx, withTx } from './database.js';
import { preparedAs } from './server.js';
import { momentInMicros, queryRows, timeOf } from './statements.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase();
  await server.query('CREATE TABLE notes (text text)');
  database = openDatabase({ url: server.url, connections: 1, onConnectionError: () => undefined });
});

afterAll(async () => {
  await database?.disconnect();
  await server?.drop();
});

const connectionsOf = async (name: string) =>
  server.query('SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1', [name]);

describe('a database that only such statements use', () => {
  it('reports a connection that PostgreSQL ends, opens another one, and closes all', async () => {
    const faults: Error[] = [];
    const alone = openDatabase({ url: server.url, connections: 1, onConnectionError: (error) => faults.push(error) });
    const me = Prisma.sql`SELECT pg_backend_pid() AS pid`;
    const [first] = await queryRows<{ pid: number }>(alone.shared, me);
    await server.query('SELECT pg_terminate_backend($1)', [first?.pid]);
    await waitFor(() => faults.length > 0);
    const [second] = await queryRows<{ pid: number }>(alone.shared, me);
    expect(second?.pid).not.toBe(first?.pid);
    await alone.disconnect();
    await waitFor(async () => !(await connectionsOf('betting-ledger')).some(({ pid }) => pid === second?.pid));
  });

  it('closes when it was not used', async () => {
    const unused = openDatabase({ url: server.url, connections: 1, onConnectionError: () => undefined });
    await unused.disconnect();
    await expect(queryRows(unused.shared, Prisma.sql`SELECT 1 AS one`)).rejects.toThrow();
  });
});

describe('the rows of a statement', () => {
  it('have the values that a read works with, as Prisma gives them', async () => {
    const statement = Prisma.sql`
      SELECT 9007199254740993::bigint AS big, '{1,9007199254740993}'::bigint[] AS bigs, '{}'::bigint[] AS none, 7 AS number,
             TRUE AS yes, NULL::bigint AS nothing, 'a "b"' AS text, '{"a,b",c}'::text[] AS texts, '{"a": [1]}'::jsonb AS json,
             timestamptz '2026-11-22 23:30:00.123+02' AS moment, timestamp '2026-11-22 21:30:00.123' AS utc,
             date '2026-11-22' AS day, 0.5::float8 AS half`;
    const rows = await queryRows(database.shared, statement);
    expect(rows).toEqual([
      {
        big: 9_007_199_254_740_993n,
        bigs: [1n, 9_007_199_254_740_993n],
        none: [],
        number: 7,
        yes: true,
        nothing: null,
        text: 'a "b"',
        texts: ['a,b', 'c'],
        json: { a: [1] },
        half: 0.5,
        moment: new Date('2026-11-22T21:30:00.123Z'),
        utc: new Date('2026-11-22T21:30:00.123Z'),
        day: new Date('2026-11-22T00:00:00.000Z'),
      },
    ]);
    expect(rows).toEqual(await database.shared.$queryRaw(statement));
  });

  it('take every kind of value as a parameter', async () => {
    const [moment, ids] = [new Date('2026-11-22T21:30:00.123Z'), [1n, 9_007_199_254_740_993n]];
    const [row] = await queryRows(
      database.shared,
      Prisma.sql`SELECT ${ids}::bigint[] AS ids, ${moment}::timestamptz AS moment, ${5n}::bigint AS big, ${'x'}::text AS text,
                        ${['a,b', '"']}::text[] AS texts, ${null}::bigint AS nothing, ${true}::boolean AS yes`,
    );
    expect(row).toEqual({ ids, moment, big: 5n, text: 'x', texts: ['a,b', '"'], nothing: null, yes: true });
  });

  it('hold times exactly in a session with another time zone', async () => {
    await withTx(database.shared, async (tx) => {
      await tx.$executeRaw`SET LOCAL TimeZone = 'Asia/Kathmandu'`;
      const rows = await queryRows(tx, Prisma.sql`SELECT timestamptz '2026-11-22 21:30:00.123Z' AS moment`);
      expect(rows).toEqual([{ moment: new Date('2026-11-22T21:30:00.123Z') }]);
    });
  });

  it.each([0n, 1_795_689_349_645_213n, 1_795_689_349_000_000n, -1n, -1_000_000_000_000_000n, 253_370_764_799_999_999n])(
    'translate %s microseconds into a time of PostgreSQL and back, in any time zone',
    async (micros) => {
      await withTx(database.shared, async (tx) => {
        for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Africa/Monrovia']) {
          await tx.$executeRaw`SELECT set_config('TimeZone', ${zone}, true)`;
          const [row] = await queryRows<{ text: string; stored: bigint }>(
            tx,
            Prisma.sql`SELECT moment::text AS text, (extract(epoch FROM moment) * 1000000)::bigint AS stored
                         FROM (SELECT ${timeOf(micros)}::timestamptz AS moment) given`,
          );
          expect(row?.stored).toBe(micros);
          expect(momentInMicros().read(row?.text ?? '')).toBe(micros);
        }
      });
    },
  );

  it('show in a transaction what it has written, and outside only what is committed', async () => {
    const notes = Prisma.sql`SELECT text FROM notes`;
    let ended: Tx | undefined;
    await withTx(database.shared, async (tx) => {
      ended = tx;
      await tx.$executeRaw`INSERT INTO notes VALUES ('first')`;
      expect(await queryRows(tx, notes)).toEqual([{ text: 'first' }]);
      expect(await server.query(notes.text)).toEqual([]);
    });
    expect(await queryRows(database.shared, notes)).toEqual([{ text: 'first' }]);
    await expect(queryRows(ended as Tx, notes)).rejects.toMatchObject({ code: 'P2028' });
  });

  it('come from a prepared statement when its text has a name', async () => {
    await queryRows(database.shared, Prisma.sql`${preparedAs('the answer')} SELECT ${42}::int AS answer`);
    const prepared = Prisma.sql`SELECT name, calls FROM (SELECT name, generic_plans + custom_plans AS calls FROM pg_prepared_statements) p`;
    expect(await queryRows(database.shared, prepared)).toEqual([{ name: 'the answer', calls: 1n }]);
  });
});
