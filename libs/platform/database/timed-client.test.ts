import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { TcpProxy } from '#proof/storm/cluster/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import { type Clock, unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { freePort } from '#tools/services/free-port.js';
import { type Database, openDatabase, type Queryable, type Tx, withTx } from './database.js';
import { isDatabaseAway, isRefusedByPostgres } from './errors.js';
import { createTimedClient, sendBeginWithNext } from './timed-client.js';

/** PostgreSQL cancels a statement after 1.4 s, and the client gives up after 1.6 s; a probe after 0.6 s. */
const DEADLINE_MS = 2_000;
const GIVEN_UP_MS = 2_500;
const CANCELED_MS = 1_400;

let server: TestDatabase;
let proxy: TcpProxy;
/** Through the proxy. */
let url: string;
let database: Database;

beforeEach(async () => {
  server = await createTestDatabase();
  proxy = await TcpProxy.open({ port: await freePort(), targetPort: Number(new URL(server.url).port) });
  url = proxy.through(server.url);
});

afterEach(async () => {
  proxy?.close();
  await server?.drop();
});

const answer = () => database.shared.$queryRaw`SELECT 1`;

/** The time after which it failed because PostgreSQL is away. */
async function failedAfterMs(work: Promise<unknown>, clock: Clock): Promise<number> {
  const since = clock.now();
  const error = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  expect({ error, isAway: isDatabaseAway(error) }).toMatchObject({ isAway: true });
  return clock.now() - since;
}

const openConnections = (count: number) => Promise.all(Array.from({ length: count }, answer));

/** The time-outs of these tests are shorter than the machine may stand still. */
const inTime = (scenario: (clock: Clock) => Promise<void>) => () =>
  unlessStandingStill(async (clock) => {
    database = openDatabase({ url, connections: 3, onConnectionError: () => undefined, deadlineMs: DEADLINE_MS });
    try {
      await scenario(clock);
    } finally {
      await database.disconnect();
    }
  }, server);

describe('a connection that goes silent', () => {
  it(
    'is given up with its statement, alone or in a transaction, and so are the others',
    inTime(async (clock) => {
      await openConnections(3);
      proxy.silence('both directions');
      const failures = [answer(), withTx(database.shared, (tx) => tx.$queryRaw`SELECT 1`)];
      const times = await Promise.all(failures.map((failure) => failedAfterMs(failure, clock)));
      expect(Math.max(...times)).toBeLessThan(GIVEN_UP_MS);
      await openConnections(3);
    }),
  );

  it(
    'is given up in the middle of a transaction, and takes none with it that is answered',
    inTime(async (clock) => {
      let isOver = false;
      let busy: Promise<unknown> | undefined;
      const rest = (tx: Queryable) => tx.$queryRaw`SELECT pg_sleep(0.45)::text`;
      const silent = withTx(database.shared, async (tx) => {
        await tx.$queryRaw`SELECT 1`;
        proxy.silence('answers');
        // On a new connection; it is in the middle of a transaction when the silent one ends.
        busy = (async () => {
          while (!isOver) await withTx(database.shared, async (other) => [await rest(other), await rest(other)]);
        })();
        busy.catch(() => undefined); // awaited below
        await tx.$queryRaw`SELECT 2`;
      });
      const time = await failedAfterMs(silent, clock).finally(() => {
        isOver = true;
      });
      expect(time).toBeLessThan(GIVEN_UP_MS);
      await busy;
    }),
  );

  it(
    'is found by a probe while it is idle',
    inTime(async () => {
      await openConnections(3);
      proxy.silence('both directions');
      await waitFor(() => database.pool.total === 0);
      await openConnections(3);
    }),
  );
});

describe('statements of a transaction that are sent together', () => {
  const send = (tx: Tx, text: string) => tx.send((driver) => driver.query({ text }));

  it(
    'reach PostgreSQL before the first one is answered',
    inTime(async (clock) => {
      await server.query('CREATE SEQUENCE drawn');
      const unanswered = withTx(database.shared, async (tx) => {
        await tx.$queryRaw`SELECT 1`;
        proxy.silence('answers');
        const draws = Promise.all([1, 2, 3].map(() => send(tx, `SELECT nextval('drawn')`)));
        draws.catch(() => undefined); // awaited below
        await waitFor(async () => Number((await server.query('SELECT last_value FROM drawn'))[0]?.last_value) === 3);
        await draws;
      });
      expect(await failedAfterMs(unanswered, clock)).toBeLessThan(GIVEN_UP_MS);
    }),
  );

  it(
    'are refused behind one that fails, and leave nothing',
    inTime(async () => {
      await server.query('CREATE TABLE notes (number int)');
      const failing = withTx(database.shared, async (tx) => {
        const texts = [
          'INSERT INTO notes VALUES (1)',
          'INSERT INTO notes VALUES (2 / 0)',
          'INSERT INTO notes VALUES (3)',
        ];
        const sent = await Promise.allSettled(texts.map((text) => send(tx, text)));
        expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
        throw (sent[1] as PromiseRejectedResult).reason;
      });
      await expect(failing).rejects.toThrow('division by zero');
      expect(await server.query('SELECT FROM notes')).toEqual([]);
      await withTx(database.shared, (tx) => send(tx, 'INSERT INTO notes VALUES (4)'));
      expect(await server.query('SELECT number FROM notes')).toEqual([{ number: 4 }]);
    }),
  );
});

describe('a transaction that reads first', () => {
  const READS_FIRST = { readsFirst: true };

  it(
    'sends its first statement before its BEGIN is answered',
    inTime(async (clock) => {
      await server.query('CREATE SEQUENCE drawn');
      await openConnections(3);
      proxy.silence('answers');
      const unanswered = withTx(database.shared, (tx) => tx.$queryRaw`SELECT nextval('drawn')`, READS_FIRST);
      const failed = failedAfterMs(unanswered, clock);
      await waitFor(async () => (await server.query('SELECT FROM drawn WHERE is_called')).length === 1);
      // PostgreSQL answers a BEGIN at once: it is given up as early as a probe.
      expect(await failed).toBeLessThan(CANCELED_MS);
    }),
  );

  it(
    'sends a BEGIN that no statement follows',
    inTime(async () => {
      expect(await withTx(database.shared, async () => 'done', READS_FIRST)).toBe('done');
    }),
  );

  it('loses its connection when PostgreSQL refuses its BEGIN: no second statement runs', async () => {
    const Client = createTimedClient({ statementMs: DEADLINE_MS, probeMs: DEADLINE_MS });
    const client = new Client({ connectionString: url, pipeline: true });
    await client.connect();
    // A transaction that an error has ended refuses even a BEGIN.
    await client.query('BEGIN');
    await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
    sendBeginWithNext(client);
    await client.query('BEGIN');
    await client.query('SELECT 1').catch(() => undefined);
    const error = await client.query('SELECT 2').catch((reason: unknown) => reason);
    // What came behind the BEGIN may have run: this is no word of PostgreSQL that it did nothing.
    expect({ error, isAway: isDatabaseAway(error), isRefused: isRefusedByPostgres(error) }).toMatchObject({
      isAway: true,
      isRefused: false,
    });
  });
});

describe('a connection that PostgreSQL ends with its last answer', () => {
  const OWN = `FROM pg_stat_activity WHERE application_name = 'betting-ledger' AND datname = current_database()`;
  const states = () => server.query(`SELECT state ${OWN}`);

  it(
    'fails the next statement on it, not the process',
    inTime(async () => {
      const sleep = async () => database.shared.$queryRaw`SELECT 'rested' AS how FROM pg_sleep(0.3)`;
      const sleeping = [sleep(), sleep(), sleep()];
      const waiting = [1, 2, 3].map(() =>
        withTx(database.shared, (tx) => tx.$queryRaw`SELECT 1`).catch((error: unknown) => isDatabaseAway(error)),
      );
      await waitFor(async () => (await states()).filter(({ state }) => state === 'active').length === 3);
      proxy.hold();
      await waitFor(async () => (await states()).every(({ state }) => state === 'idle'));
      await server.query(`SELECT pg_terminate_backend(pid) ${OWN}`);
      await waitFor(async () => (await states()).length === 0);
      proxy.release();
      expect(await Promise.all(sleeping)).toEqual(Array(3).fill([{ how: 'rested' }]));
      expect(await Promise.all(waiting)).toEqual([true, true, true]);
      await openConnections(3);
    }),
  );
});

describe('a statement that takes long', () => {
  it(
    'is canceled by PostgreSQL before the client gives up',
    inTime(async () => {
      await expect(database.shared.$queryRaw`SELECT pg_sleep(5)::text`).rejects.toThrow('statement timeout');
    }),
  );

  it(
    'may take as long as its transaction says',
    inTime(async () => {
      const slept = await withTx(database.shared, async (tx) => {
        await tx.$queryRaw`SELECT set_config('statement_timeout', '5000', true)`;
        return tx.$queryRaw`SELECT 'rested' AS how FROM pg_sleep(1.7)`;
      });
      expect(slept).toEqual([{ how: 'rested' }]);
      await expect(database.shared.$queryRaw`SELECT pg_sleep(5)::text`).rejects.toThrow('statement timeout');
    }),
  );
});

describe('a query', () => {
  /** Longer than a connection is idle before it is probed, and than it may be silent then. */
  const SLEEP = 'SELECT pg_sleep(3.2)';

  it('has its callback from the start, so that its rows can be freed', async () => {
    const client = new (createTimedClient({ statementMs: 60_000, probeMs: 200 }))(url);
    await client.connect();
    const query = jest.spyOn(pg.Client.prototype, 'query');
    try {
      expect((await client.query('SELECT $1::int AS n', [7])).rows).toEqual([{ n: 7 }]);
      expect((await client.query({ text: 'SELECT 8 AS n', rowMode: 'array' })).rows).toEqual([[8]]);
      await expect(client.query('no SQL')).rejects.toMatchObject({ code: '42601' });
      expect(query.mock.calls.map((args) => typeof args.at(-1))).toEqual(['function', 'function', 'function']);
    } finally {
      query.mockRestore();
      await client.end();
    }
  });

  it('that could not be sent has ended, and a later one is no idle connection', async () => {
    const client = new (createTimedClient({ statementMs: 60_000, probeMs: 200 }))(url);
    await client.connect();
    const circular: unknown[] = [];
    circular.push({ circular });
    await expect(client.query('SELECT $1::json', [{ circular }])).rejects.toThrow('circular');
    expect((await client.query(SLEEP)).rowCount).toBe(1);
    await client.end();
  });
});
