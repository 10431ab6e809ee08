import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Operation } from '#core/operation.js';
import { Rejection } from '#core/rejection.js';
import { Replayed } from '#idempotency/stored-answers.js';
import type { OutboxEntry } from '#jobs/outbox.js';
import type { Database, Tx } from '#platform/database/database.js';
import { isUniqueViolation } from '#platform/database/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import { expectBooksToBalance } from '#testing/books.js';
import { acceptanceOf, decisionOf, fundOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { singleTask, type Task } from './task.js';
import { CommitUnknown, createUnitOfWork } from './unit-of-work.js';

const fixture = useLedgerDatabase();

const task = (operation: Operation, accountId = 1n) => singleTask(accountId, operation);

const countOf = async (sql: string): Promise<number> =>
  Number((await fixture.query(`SELECT count(*) AS n FROM ${sql}`))[0]?.n);

describe('a group', () => {
  it('of several accounts is one transaction', async () => {
    await fixture.work.run([task(fundOf('ann', 7.5)), task(fundOf('dan', 7.5), 2n)]);
    const rows = await fixture.query('SELECT DISTINCT xmin FROM transactions WHERE amount = 7500000');
    expect(rows).toHaveLength(1);
  });

  it('runs without a task that the core refuses', async () => {
    const [first, refused, last] = await fixture.work.run([
      task(fundOf('ann')),
      task(offerOf('ann', 'refused', 1_000_000)),
      task(fundOf('bob')),
    ]);
    expect(refused?.value).toBeInstanceOf(Rejection);
    expect(first?.value).toMatchObject({ userId: 1n });
    expect(last?.value).toMatchObject({ userId: 2n });
    expect(await countOf(`wagers WHERE reference = 'refused'`)).toBe(0);
  });

  it('takes as many round trips for a hundred operations as for one', async () => {
    const { database, environment } = fixture;
    const { counted, statements } = countingStatements(database);
    const work = createUnitOfWork({ database: counted, relaySoon: () => undefined, logger: environment.logger });
    await work.run([task(offerOf('ann', 'trips'))]);
    const ofOne = statements();
    await work.run(Array.from({ length: 100 }, (_, index) => task(offerOf('bob', `trips ${index % 10}`))));
    expect([ofOne, statements() - ofOne]).toEqual([3, 3]);
  });

  it('fails as unknown, without a retry, when PostgreSQL ends the connection instead of confirming the commit', async () => {
    await fixture.query(`
      CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER end_connection AFTER INSERT ON transactions DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (new.amount = 666000000) EXECUTE FUNCTION end_connection()`);
    await expect(fixture.work.runWithRetry([task(fundOf('cat', 666))])).rejects.toBeInstanceOf(CommitUnknown);
    expect(fixture.environment.logLines.filter((line) => line.includes('tried again'))).toEqual([]);
    expect(await countOf('transactions WHERE amount = 666000000')).toBe(0);
  });
});

describe('a group that another transaction gets in the way of', () => {
  it('fails with a unique violation when both create a wager, and succeeds on a retry', async () => {
    const offer = offerOf('ann', 'contested');
    for (const run of [fixture.work.run, fixture.work.runWithRetry]) {
      const client = new pg.Client({ connectionString: fixture.environment.database.url });
      await client.connect();
      await client.query('BEGIN');
      await client.query(`INSERT INTO wagers (account_id, reference) VALUES (1, 'contested')`);
      const running = run([task(offer)]).then(
        (results) => results[0]?.value,
        (error: unknown) => error,
      );
      await waitFor(
        async () =>
          (await countOf(`pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)) === 1,
      );
      await client.query('COMMIT');
      await client.end();
      const result = await running;
      if (run === fixture.work.run) expect(isUniqueViolation(result)).toBe(true);
      else expect(result).toMatchObject({ wagerReference: 'contested' });
      await fixture.query(`DELETE FROM wagers w WHERE reference = 'contested'
        AND NOT EXISTS (SELECT FROM bets b WHERE b.account_id = w.account_id AND b.wager_id = w.id)`);
    }
  });
});

describe('follow-ups', () => {
  it('are outbox entries of the same transaction, relayed after its commit', async () => {
    const { database, environment } = fixture;
    const relayed: OutboxEntry[] = [];
    const relaySoon = (entries: readonly OutboxEntry[]) => void relayed.push(...entries);
    const work = createUnitOfWork({ database, relaySoon, logger: environment.logger });
    for (let bet = 0; bet < 3; bet += 1) {
      await work.run([task(offerOf('ann', 'followed'))]);
      await work.run([task(acceptanceOf('bob', 'followed'))]);
    }
    await work.run([task(decisionOf('followed', 2)), task(decisionOf('unknown', 2))]);
    const rows = await fixture.query(`
      SELECT o.id, o.xmin = w.xmin AS "isOneTransaction" FROM outbox o, wagers w
       WHERE o.topic = 'settle-wager' AND w.reference = 'followed' AND o.payload ->> 'wagerId' = w.id::text`);
    expect(rows).toEqual([{ id: String(relayed[0]?.id), isOneTransaction: true }]);
    expect(relayed).toHaveLength(1);
  });
});

describe('a task with an Idempotency-Key', () => {
  const keyed = (operation: Operation, key: string, requestHash = 'hash'): Task => ({
    ...task(operation),
    idempotency: {
      request: { accountId: 1n, key, requestHash },
      answerToStore({ value }) {
        if (value instanceof Error) return undefined;
        const answer = value instanceof Rejection ? { status: 400, body: value.text } : { status: 201, body: 'done' };
        return { accountId: 1n, key, requestHash, ...answer };
      },
    },
  });
  const runOne = async (one: Task) => (await fixture.work.runWithRetry([one]))[0]?.value;

  it('has its answer stored with its effect, and is not run again', async () => {
    await runOne(keyed(fundOf('ann', 11.25), 'once'));
    expect(await runOne(keyed(fundOf('ann', 11.25), 'once'))).toEqual(new Replayed({ status: 201, body: 'done' }));
    const rows = await fixture.query(`
      SELECT s.xmin = t.xmin AS "isOneTransaction" FROM stored_answers s, transactions t
       WHERE s.key = 'once' AND t.amount = 11250000`);
    expect(rows).toEqual([{ isOneTransaction: true }]);
  });

  it('is refused when the key belongs to another request', async () => {
    expect(await runOne(keyed(fundOf('ann', 12), 'once', 'another hash'))).toEqual(new Refusal('key-reused'));
    expect(await countOf('transactions WHERE amount = 12000000')).toBe(0);
  });

  it('has its refusal stored as well', async () => {
    const operation = offerOf('ann', 'keyed', 1_000_000);
    const refusal = await runOne(keyed(operation, 'refused once'));
    expect(refusal).toBeInstanceOf(Rejection);
    const { text } = refusal as Rejection;
    await fixture.work.run([task(fundOf('ann', 2_000_000))]);
    expect(await runOne(keyed(operation, 'refused once'))).toEqual(new Replayed({ status: 400, body: text }));
  });
});

it('leaves books that balance', async () => {
  await expectBooksToBalance(fixture.environment.database);
});

/** The database, with the statements counted that run inside its transactions. */
function countingStatements(database: Database) {
  let count = 0;
  const countingTx = (tx: Tx) =>
    new Proxy(tx, {
      get(target, name) {
        if (name === '$queryRaw' || name === '$executeRaw') count += 1;
        return Reflect.get(target, name);
      },
    });
  const counted = new Proxy(database, {
    get(target, name) {
      if (name !== '$transaction') return Reflect.get(target, name);
      return (use: (tx: Tx) => Promise<unknown>, options: object) =>
        target.$transaction((tx) => use(countingTx(tx as Tx)), options);
    },
  });
  return { counted, statements: () => count };
}
