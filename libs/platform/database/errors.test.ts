import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { type Database, openDatabase, type Queryable, withTx } from './database.js';
import { CommitUnknown, isConflict, isDatabaseAway, isDatabaseUnavailable, isUniqueViolation } from './errors.js';

/** Far longer than the time-out of the transaction. */
const STANDSTILL_MS = 500;

let server: TestDatabase;
let database: Database;
const opened: Database[] = [];

function open(url: string, connections = 3): Database {
  const client = openDatabase({ url, connections, onConnectionError: () => undefined });
  opened.push(client);
  return client;
}

beforeAll(async () => {
  server = await createTestDatabase();
  // PostgreSQL looks for a deadlock once, this long after a wait began. By then the opponent below waits as well.
  await server.query(`ALTER DATABASE ${server.name} SET deadlock_timeout = '2s'`);
  database = open(server.url);
});

afterAll(async () => {
  await Promise.all(opened.map((client) => client.disconnect()));
  await server?.drop();
});

/** One operation, once as a call of the typed client and once as SQL. */
interface Operation {
  typed(client: Queryable): Promise<unknown>;
  raw(client: Queryable): Promise<unknown>;
}

type Run = (client: Database, operation: Operation) => Promise<unknown>;

/** The ways in which a statement reaches PostgreSQL. Prisma wraps the errors of each differently. */
const ways: Record<string, Run> = {
  'the typed client': (client, { typed }) => typed(client.shared),
  'the typed client inside withTx': (client, { typed }) => withTx(client.shared, typed),
  $queryRaw: (client, { raw }) => raw(client.shared),
  '$queryRaw inside withTx': (client, { raw }) => withTx(client.shared, raw),
};
const eachWay = Object.entries(ways);

const kindsOf = (error: unknown) => ({
  unique: isUniqueViolation(error),
  conflict: isConflict(error),
  away: isDatabaseAway(error),
  unavailable: isDatabaseUnavailable(error),
});
const none = { unique: false, conflict: false, away: false, unavailable: false };

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );

const insertion = (email: string, role = 'business'): Operation => ({
  typed: (client) => client.run((prisma) => prisma.account.create({ data: { name: 'A', email, role } })),
  raw: (client) => client.$queryRaw`INSERT INTO accounts (name, email, role) VALUES ('A', ${email}, ${role})`,
});

const renaming = (ids: readonly bigint[]): Operation => ({
  typed: (client) =>
    client.run((prisma) => prisma.account.updateMany({ where: { id: { in: [...ids] } }, data: { name: 'B' } })),
  raw: (client) => client.$queryRaw`UPDATE accounts SET name = 'B' WHERE id = ANY(${ids}::bigint[])`,
});

let accounts = 0;

async function createPair(): Promise<readonly [bigint, bigint]> {
  const rows = await server.query(
    `INSERT INTO accounts (name, email)
     SELECT 'A', 'pair' || n || '@example.com' FROM generate_series($1::int, $1::int + 1) n RETURNING id`,
    [accounts],
  );
  accounts += 2;
  const [first, second] = rows.map(({ id }) => BigInt(String(id)));
  return [first as bigint, second as bigint];
}

interface Opponent {
  readonly client: pg.Client;
  readonly firstId: bigint;
  /** Resolves with the process that waits for the opponent. */
  blockedPid(): Promise<number>;
}

/** Updates two accounts while an opponent holds the second one, lets the opponent act, and returns the failure. */
async function failureWhileBlocked(run: Run, client: Database, act: (opponent: Opponent) => Promise<unknown>) {
  const [firstId, secondId] = await createPair();
  return withPostgresClient({ connectionString: server.url }, async (opponent) => {
    // It never looks for a deadlock, so it is never the victim.
    await opponent.query(`SET deadlock_timeout = '10min'`);
    await opponent.query('BEGIN');
    await opponent.query(`UPDATE accounts SET name = 'C' WHERE id = $1`, [secondId]);
    const failure = failureOf(run(client, renaming([firstId, secondId])));
    const blockedPid = () =>
      waitFor(async () => {
        const [row] = await server.query(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return row && Number(row.pid);
      });
    await act({ client: opponent, blockedPid, firstId });
    return await failure;
  });
}

describe.each(eachWay)('through %s', (way, run) => {
  it('a unique violation is one, and a conflict', async () => {
    await run(database, insertion(`${way}@example.com`));
    const failure = await failureOf(run(database, insertion(`${way.toUpperCase()}@example.com`)));
    expect(kindsOf(failure)).toEqual({ ...none, unique: true, conflict: true });
  });

  it('a violation of another constraint is none of these', async () => {
    const failure = await failureOf(run(database, insertion(`${way} stranger@example.com`, 'stranger')));
    expect(String(failure)).toMatch(/role/);
    expect(kindsOf(failure)).toEqual(none);
  });

  it('a deadlock is a conflict', () =>
    // When the opponent comes late, PostgreSQL has looked for a deadlock before.
    unlessStandingStill(async () => {
      const failure = await failureWhileBlocked(run, database, async ({ client, blockedPid, firstId }) => {
        await blockedPid();
        await client.query(`UPDATE accounts SET name = 'C' WHERE id = $1`, [firstId]);
      });
      expect(String(failure)).toMatch(/deadlock/);
      expect(kindsOf(failure)).toEqual({ ...none, conflict: true, unavailable: true });
    }, server));

  it('a serialization failure is a conflict', async () => {
    const url = new URL(server.url);
    url.searchParams.set('options', '-c default_transaction_isolation=repeatable\\ read');
    const failure = await failureWhileBlocked(run, open(url.href), async ({ client, blockedPid }) => {
      await blockedPid();
      await client.query('COMMIT');
    });
    expect(kindsOf(failure)).toEqual({ ...none, conflict: true, unavailable: true });
  });

  it('a terminated connection is a database away', async () => {
    const failure = await failureWhileBlocked(run, database, async ({ client, blockedPid }) =>
      client.query('SELECT pg_terminate_backend($1)', [await blockedPid()]),
    );
    expect(kindsOf(failure)).toEqual({ ...none, away: true, unavailable: true });
  });

  it('a port on which nothing listens is a database away', async () => {
    const failure = await failureOf(run(open('postgresql://x@127.0.0.1:1/x'), renaming([1n])));
    expect(kindsOf(failure)).toEqual({ ...none, away: true, unavailable: true });
  });

  it('a server that takes no writes, as a standby before its promotion, is a database away', async () => {
    const url = new URL(server.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const failure = await failureOf(run(open(url.href), insertion(`${way} standby@example.com`)));
    expect(kindsOf(failure)).toEqual({ ...none, away: true, unavailable: true });
  });

  it('a statement timeout is a database unavailable, but not away', async () => {
    const impatient = open(server.url, 1);
    await impatient.shared.$executeRaw`SET statement_timeout = '300ms'`;
    const failure = await failureWhileBlocked(run, impatient, async () => undefined);
    expect(kindsOf(failure)).toEqual({ ...none, unavailable: true });
  });
});

it('a transaction that PostgreSQL ended while the process stood still is a database away', () =>
  // When the machine stands still, PostgreSQL may be late to end the transaction.
  unlessStandingStill(async () => {
    const failure = await failureOf(
      withTx(database.shared, async (tx) => {
        await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = '50ms'`;
        // Nothing else runs meanwhile, so the next statement is sent before the end of the connection is read.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS);
        return tx.$queryRaw`SELECT 1`;
      }),
    );
    expect(String(failure)).toMatch(/idle-in-transaction/);
    expect(kindsOf(failure)).toEqual({ ...none, away: true, unavailable: true });
  }));

describe('a value that is no error of the database', () => {
  it.each([undefined, null, 'text', new Error('text'), { code: 23_505 }, { code: 'ENOENT' }])('%p', (value) => {
    expect(kindsOf(value)).toEqual(none);
  });
});

describe('a commit that is unknown', () => {
  it.each(['40001', '23505', '08006', 'EVANISHED'])('is a database away, also when its cause is %s', (code) => {
    const unknown = new CommitUnknown(Object.assign(new Error('x'), { code, cause: { originalCode: code } }));
    expect(kindsOf(unknown)).toEqual({ ...none, away: true, unavailable: true });
  });
});
