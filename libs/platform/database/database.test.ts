import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { countLockWaits, createTestDatabase, holding, type TestDatabase } from '#testing/databases.js';
import { unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { type AccountTables, type Database, openDatabase, type Tx, withTx } from './database.js';
import { CommitUnknown, isDatabaseAway } from './errors.js';
import { runPrepared } from './statements.js';

const DEADLINE_MS = 1_000;

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase();
  await server.query('CREATE TABLE notes (text text)');
  database = openDatabase({
    url: server.url,
    connections: 1,
    deadlineMs: DEADLINE_MS,
    onConnectionError: () => undefined,
  });
});

afterAll(async () => {
  await database?.disconnect();
  await server?.drop();
});

const note = (tx: Tx, text: string) =>
  runPrepared(tx, { name: 'note', text: 'INSERT INTO notes VALUES ($1)', values: [text] });
const sleep = (tx: Tx, seconds: number) =>
  runPrepared(tx, { name: `sleep ${seconds}`, text: `SELECT pg_sleep(${seconds})::text`, values: [] });
const readNotes = { name: 'read notes', text: 'SELECT text, NULL FROM notes', values: [] };
const notes = async () => (await server.query('SELECT text FROM notes')).map(({ text }) => text);
const isIdle = () => database.pool.idle === database.pool.total;

/** The time-outs of these tests are shorter than the machine may stand still. */
const inTime = (scenario: () => Promise<void>) => () =>
  unlessStandingStill(async () => {
    await server.query('TRUNCATE notes');
    await scenario();
  }, server);

const textOf = (sent: unknown): string => (typeof sent === 'string' ? sent : (sent as pg.QueryConfig).text);

const sendOf = pg.Client.prototype.query;

describe('a prepared statement', () => {
  it(
    'commits with its transaction',
    inTime(async () => {
      await withTx(database.shared, async (tx) => {
        await note(tx, 'first');
        await note(tx, 'second');
      });
      expect(await notes()).toEqual(['first', 'second']);
    }),
  );

  it(
    'that reads needs no transaction, and in one sees what that has written',
    inTime(async () => {
      await withTx(database.shared, async (tx) => {
        await note(tx, 'first');
        expect(await runPrepared(tx, readNotes)).toEqual([['first', null]]);
      });
      expect(await runPrepared(database.shared, readNotes)).toEqual([['first', null]]);
      expect(isIdle()).toBe(true);
      let ended: Tx | undefined;
      await withTx(database.shared, async (tx) => {
        ended = tx;
      });
      await expect(runPrepared(ended as Tx, readNotes)).rejects.toMatchObject({ code: 'P2028' });
    }),
  );

  it(
    'is not sent after the time-out of its transaction, on a connection that another one may use by then',
    inTime(async () => {
      let late: unknown;
      const running = withTx(database.shared, async (tx) => {
        await note(tx, 'early');
        await sleep(tx, 0.6);
        await sleep(tx, 0.6);
        await note(tx, 'late').catch((error) => {
          late = error;
        });
      });
      await expect(running).rejects.toMatchObject({ cause: { code: 'P2028' } });
      await waitFor(() => late !== undefined);
      expect(isDatabaseAway(late)).toBe(true);
      expect(await notes()).toEqual([]);
    }),
  );

  /** Sends statements, without waiting for their answers, until one is refused, or far longer than the transaction lives. */
  async function noteUntilRefused(tx: Tx): Promise<void> {
    let isRefused = false;
    const until = performance.now() + 200;
    while (!isRefused && performance.now() < until) {
      note(tx, 'late').catch(() => {
        isRefused = true;
      });
      await nextTurn();
    }
  }

  it.each([true, false])(
    'never gets past the end of its transaction, at whatever moment Prisma ends that (reading first: %s)',
    async (readsFirst) => {
      await server.query('TRUNCATE notes');
      for (let round = 0; round < 40; round += 1) {
        const running = withTx(database.shared, noteUntilRefused, { readsFirst, timeout: 20 });
        await expect(running).rejects.toMatchObject({ cause: { code: 'P2028' } });
      }
      await waitFor(isIdle);
      expect(await notes()).toEqual([]);
    },
  );

  it('never gets past the ROLLBACK of a database that disconnects', async () => {
    await server.query('TRUNCATE notes');
    const closing = openDatabase({ url: server.url, connections: 1, onConnectionError: () => undefined });
    const running = withTx(closing.shared, async (tx) => {
      await note(tx, 'early');
      await Promise.all([closing.disconnect(), noteUntilRefused(tx)]);
    });
    await expect(running).rejects.toThrow();
    expect(await notes()).toEqual([]);
  });

  it('does not even when the database disconnects while the transaction opens', async () => {
    await server.query('TRUNCATE notes');
    const query = jest.spyOn(pg.Client.prototype, 'query');
    try {
      for (let turns = 0; turns < 20; turns += 1) {
        const closing = openDatabase({ url: server.url, connections: 1, onConnectionError: () => undefined });
        const begun = new Promise<void>((resolve) => {
          query.mockImplementation(function send(this: pg.Client, ...args: unknown[]) {
            if (args[0] === 'BEGIN') resolve();
            return Reflect.apply(sendOf, this, args);
          } as never);
        });
        const running = withTx(closing.shared, (tx) => note(tx, 'late'), { readsFirst: true });
        running.catch(() => undefined); // whether it runs is left to chance
        await begun;
        for (let turn = 0; turn < turns; turn += 1) await undefined;
        await closing.disconnect();
        await running.catch(() => undefined);
      }
    } finally {
      query.mockRestore();
    }
    expect(await notes()).toEqual([]);
  });

  it(
    'is not sent after its transaction was given up',
    inTime(async () => {
      let late: Promise<unknown> | undefined;
      const running = withTx(database.shared, async (tx) => {
        late = sleep(tx, 0.3).then(() => note(tx, 'late'));
        late.catch(() => undefined);
        throw new Error('given up');
      });
      await expect(running).rejects.toThrow('given up');
      await expect(late).rejects.toMatchObject({ code: 'P2028' });
      await waitFor(isIdle);
      expect(await notes()).toEqual([]);
    }),
  );
});

it('a transaction that a swallowed error has ended fails, although PostgreSQL calls its COMMIT a success', async () => {
  const failing = withTx(database.shared, async (tx) => {
    await note(tx, 'lost');
    await tx.$queryRaw`SELECT 1 / 0`.catch(() => undefined);
  });
  await expect(failing).rejects.toThrow('PostgreSQL rolled the transaction back');
  await expect(failing).rejects.not.toBeInstanceOf(CommitUnknown);
  expect(await notes()).toEqual([]);
});

describe('a COMMIT behind the only write', () => {
  /** Runs `work` while the table is locked, so that the write waits. `lastSent`: the latest INSERT or COMMIT. */
  async function whileLocked(
    write: (tx: Tx) => Promise<unknown>,
    work: (waiting: {
      running: Promise<void>;
      lastSent: () => unknown;
      release: () => Promise<unknown>;
    }) => Promise<void>,
  ): Promise<void> {
    await server.query('TRUNCATE notes');
    const query = jest.spyOn(pg.Client.prototype, 'query');
    try {
      await holding(server, 'LOCK TABLE notes', async (release) => {
        const running = withTx(database.shared, (tx) => tx.commitBehind(() => write(tx)));
        running.catch(() => undefined); // `work` looks at it
        await waitFor(async () => (await countLockWaits(server)) === 1);
        const texts = () => (query.mock.calls as unknown[][]).map(([sent]) => textOf(sent));
        const lastSent = () => texts().findLast((text) => /^(?:INSERT|COMMIT)/.test(text));
        await work({ running, lastSent, release });
      });
    } finally {
      query.mockRestore();
    }
  }

  it('is sent before PostgreSQL answers the write', () =>
    whileLocked(
      (tx) => note(tx, 'kept'),
      async ({ running, lastSent, release }) => {
        await waitFor(() => lastSent() === 'COMMIT');
        await release();
        await running;
        expect(await notes()).toEqual(['kept']);
      },
    ));

  it('goes in one message with the write', async () => {
    const send = jest.spyOn(Socket.prototype, '_writev' as never) as unknown as jest.Mock<(parts: Buffer[]) => void>;
    await withTx(database.shared, (tx) => tx.commitBehind(() => note(tx, 'together')));
    const messages = send.mock.calls.map(([parts]) => Buffer.concat(parts).toString());
    send.mockRestore();
    expect(messages.filter((message) => message.includes('together'))).toEqual([expect.stringContaining('COMMIT')]);
  });

  it('is a rollback when PostgreSQL refuses the write, whose error says why', async () => {
    await server.query('TRUNCATE notes');
    const failing = withTx(database.shared, (tx) =>
      tx.commitBehind(() => runPrepared(tx, { name: '', text: 'INSERT INTO notes VALUES (1 / 0)', values: [] })),
    );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    await withTx(database.shared, (tx) => note(tx, 'next'));
    expect(await notes()).toEqual(['next']);
  });

  it('is a rollback for the same reason when a collection would be written behind that', async () => {
    await server.query('TRUNCATE notes');
    const collection = { write: async (tx: Tx) => void (await note(tx, 'collected')), committed: () => undefined };
    const failing = withTx(database.shared, async (tx) => {
      tx.collect(collection, 'item');
      await tx.commitBehind(() => runPrepared(tx, { name: '', text: 'SELECT (1 / 0)::text', values: [] }));
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await notes()).toEqual([]);
  });

  it('is unknown when the connection ends before PostgreSQL answers', () =>
    whileLocked(
      (tx) => note(tx, 'unknown'),
      async ({ running, lastSent }) => {
        await waitFor(() => lastSent() === 'COMMIT');
        await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`);
        await expect(running).rejects.toBeInstanceOf(CommitUnknown);
      },
    ));

  it('waits for the answer when the write is not sent at once', () =>
    whileLocked(
      async (tx) => {
        await nextTurn();
        await note(tx, 'later');
      },
      async ({ running, lastSent, release }) => {
        for (let turn = 0; turn < 50; turn += 1) await nextTurn();
        expect(lastSent()).toMatch(/^INSERT/);
        await release();
        await running;
        expect(await notes()).toEqual(['later']);
      },
    ));
});

it('the tables of an account cannot be forgotten: without them, it does not compile', () => {
  const readLedger = (tables: AccountTables | Tx) => tables.$queryRaw`SELECT FROM users`;
  const forgotten = [
    // @ts-expect-error A database runs no statement.
    () => database.$queryRaw`SELECT FROM users`,
    // @ts-expect-error It opens no transaction.
    () => withTx(database, async () => undefined),
    // @ts-expect-error It has not said which account.
    () => readLedger(database),
    // @ts-expect-error On a cluster, the shared tables are in another PostgreSQL.
    () => readLedger(database.shared),
    // @ts-expect-error Only `withTx` makes a transaction.
    () => readLedger({ ...database.of(1n), $queryRaw: async () => [] }),
  ];
  const bound = () => [readLedger(database.of(1n)), withTx(database.of(1n), readLedger)];
  expect([...forgotten, bound]).toHaveLength(6);
});
