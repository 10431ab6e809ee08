import { describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import type { Operation } from '#core/operation.js';
import { UNKNOWN_CAUSE } from '#events/event-cause.js';
import { logEvents, singleEvent } from '#events/log-events.js';
import { NO_ERROR } from '#idempotency/stored-answers.js';
import type { OutboxEntry } from '#jobs/outbox.js';
import { withTx } from '#platform/database/database.js';
import { CommitUnknown } from '#platform/database/errors.js';
import { expectBooksToBalance } from '#testing/books.js';
import { countLockWaits, holding } from '#testing/databases.js';
import { acceptanceOf, decisionOf, fundOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { GroupBook } from './group-book.js';
import { type Refused, singleTask, type Task } from './task.js';
import { createUnitOfWork } from './unit-of-work.js';

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
    expect(refused?.kind).toBe('refused');
    expect(first).toMatchObject({ kind: 'done', answer: { userId: 1n } });
    expect(last).toMatchObject({ kind: 'done', answer: { userId: 2n } });
    expect(await countOf(`wagers WHERE reference = 'refused'`)).toBe(0);
  });

  it('counts the match of an offer that it makes active again', async () => {
    const [made] = await fixture.work.run([task(offerOf('ann', 'revived'))]);
    const { betId } = (made as { answer: { betId: bigint } }).answer;
    const setActive = (isActive: boolean) =>
      task({
        type: 'set_bet_active',
        betId,
        isActive,
        action: { adminId: 1n, adminEmail: 'a@example.com', description: null },
      });
    await fixture.work.run([setActive(false)]);
    const results = await fixture.work.run([setActive(true), task(acceptanceOf('bob', 'revived'))]);
    expect(results.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(await fixture.query(`SELECT matched_bets FROM wagers WHERE reference = 'revived'`)).toEqual([
      { matched_bets: '1' },
    ]);
  });

  it('sends four statements, for a hundred operations as for one', async () => {
    const ofOne = await statementsOf(() => fixture.work.run([task(offerOf('ann', 'trips'))]));
    const operations = Array.from({ length: 100 }, (_, index) => task(offerOf('bob', `trips ${index % 10}`)));
    const ofMany = await statementsOf(() => fixture.work.run(operations));
    const statements = ['BEGIN', 'load_group', 'write_group', 'COMMIT'];
    expect([ofOne, ofMany]).toEqual([statements, statements]);
  });

  it.each([
    ['alone', 'COMMIT', () => fixture.work.run([task(fundOf('ann'))])],
    [
      'behind what was written before it',
      'write_group',
      () =>
        fixture.work.runAfter(1n, async () => ({
          tasks: [task(fundOf('ann'))],
          created: { cause: UNKNOWN_CAUSE, events: [] },
          judge: async () => undefined,
        })),
    ],
  ])('%s: the last statement that it sends before PostgreSQL answers its write is %s', async (_, last, run) => {
    let whenLocked: string[] = [];
    await holding(fixture.environment.database, 'LOCK TABLE transactions IN SHARE MODE', (release) =>
      statementsOf(async (sent) => {
        const running = run();
        await waitFor(async () => (await countLockWaits(fixture.environment.database)) === 1);
        whenLocked = sent().filter((name) => /^(?:write_group|COMMIT)$/.test(name));
        await release();
        await running;
      }),
    );
    expect(whenLocked.at(-1)).toBe(last);
  });

  it('decides a wager with as many statements, however many of its bets are left: it does not count them', async () => {
    await fixture.work.run(Array.from({ length: 6 }, (_, index) => task(offerOf('bob', index < 5 ? 'many' : 'one'))));
    const decide = (wager: string, pendingBefore: number) => async () => {
      const [result] = await fixture.work.run([task({ ...decisionOf(wager, 3), pendingBefore })]);
      expect(result).toMatchObject({ answer: { remainingCount: Math.max(0, pendingBefore - 3) } });
    };
    expect(await statementsOf(decide('one', 1))).toEqual(await statementsOf(decide('many', 5)));
  });

  it('fails as unknown, without a retry, when PostgreSQL ends the connection instead of confirming the commit', async () => {
    await fixture.query(`
      CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER end_connection AFTER INSERT ON transactions DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (new.amount = 666000000) EXECUTE FUNCTION end_connection()`);
    await expect(fixture.work.runWaiting([task(fundOf('cat', 666))])).rejects.toBeInstanceOf(CommitUnknown);
    expect(fixture.environment.logLines.filter((line) => line.includes('tried again'))).toEqual([]);
    expect(await countOf('transactions WHERE amount = 666000000')).toBe(0);
  });
});

describe('a group beside another transaction', () => {
  const waiting = async () => (await countLockWaits(fixture.environment.database)) === 1;
  const kindsOf = async (...operations: Operation[]) =>
    (await fixture.work.run(operations.map((operation) => task(operation)))).map(({ kind }) => kind);

  it('sets the tasks aside whose balance is locked, and runs the others', async () => {
    const held = `SELECT FROM balances WHERE user_id = 1 FOR UPDATE`;
    const operations = [fundOf('ann'), fundOf('bob'), offerOf('ann', 'busy'), offerOf('bob', 'busy')];
    const kinds = await holding(fixture.environment.database, held, () => kindsOf(...operations));
    expect(kinds).toEqual(['set-aside', 'done', 'set-aside', 'done']);
  });

  it('sets the tasks aside whose wager is locked, also by the id of a bet', async () => {
    const [made] = await fixture.work.run([task(offerOf('ann', 'held')), task(offerOf('ann', 'free'))]);
    const { betId } = (made as { answer: { betId: bigint } }).answer;
    const held = `SELECT FROM wagers WHERE reference = 'held' FOR UPDATE`;
    const byBet = { ...acceptanceOf('bob', 'held'), wagerReference: null, betId };
    const operations = [offerOf('bob', 'held'), offerOf('bob', 'free'), byBet, decisionOf('held')];
    const kinds = await holding(fixture.environment.database, held, () => kindsOf(...operations));
    expect(kinds).toEqual(['set-aside', 'done', 'set-aside', 'set-aside']);
  });

  it('sets an acceptance aside that would match the offer of a user whose balance is locked', async () => {
    await fixture.work.run([task(offerOf('cat', 'matched')), task(offerOf('bob', 'other'))]);
    const held = `SELECT FROM balances WHERE user_id = 3 FOR UPDATE`;
    const kinds = await holding(fixture.environment.database, held, () =>
      kindsOf(acceptanceOf('ann', 'matched'), acceptanceOf('ann', 'other')),
    );
    expect(kinds).toEqual(['set-aside', 'done']);
  });

  it('waits for the locks where it was asked to', async () => {
    const held = `SELECT FROM balances WHERE user_id = 1 FOR UPDATE`;
    const [result] = await holding(fixture.environment.database, held, async (end) => {
      const running = fixture.work.runWaiting([task(fundOf('ann'))]);
      await waitFor(waiting);
      await end();
      return running;
    });
    expect(result?.kind).toBe('done');
  });

  it('has no effect twice when it waited for a name that another transaction then stored', async () => {
    const { database } = fixture;
    let running: ReturnType<typeof fixture.work.runWaiting> | undefined;
    await withTx(database.of(1n), async (tx) => {
      await new GroupBook([task(offerOf('ann', 'waited'))], 'skip').load(tx);
      const [{ id: ref }] = await tx.$queryRaw<[{ id: bigint }]>`
        INSERT INTO wagers (account_id, reference) VALUES (1, 'waited') RETURNING id`;
      logEvents(tx, singleEvent(1n, UNKNOWN_CAUSE, { kind: 'wager.created', ref }));
      running = fixture.work.runWaiting([task(fundOf('bob', 4.25)), task(offerOf('bob', 'waited'))]);
      await waitFor(waiting);
    });
    expect((await running)?.map(({ kind }) => kind)).toEqual(['done', 'done']);
    expect(await countOf('transactions WHERE amount = 4250000')).toBe(1);
    expect(await countOf(`bets JOIN wagers w ON w.id = wager_id WHERE w.reference = 'waited'`)).toBe(1);
  });

  it('does not meet another creator of a wager at the unique index: the name is claimed', async () => {
    const { database, environment } = fixture;
    const other = createUnitOfWork({ database, relaySoon: () => undefined, logger: environment.logger });
    await withTx(database.of(1n), async (tx) => {
      await new GroupBook([task(offerOf('ann', 'contested'))], 'skip').load(tx);
      const results = await other.run([task(offerOf('bob', 'contested')), task(fundOf('bob'))]);
      expect(results.map(({ kind }) => kind)).toEqual(['set-aside', 'done']);
    });
    expect(await kindsOf(offerOf('bob', 'contested'))).toEqual(['done']);
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
      answerToStore(result) {
        const answer =
          result.kind === 'refused'
            ? { status: 400, body: result.rejection.text, errorCode: result.rejection.code, errorOperation: 'x1' }
            : { status: 201, body: 'done', ...NO_ERROR };
        return { accountId: 1n, key, requestHash, ...answer };
      },
    },
  });
  const runOne = async (one: Task) => (await fixture.work.run([one]))[0];

  it('has its answer stored with its effect, and is not run again', async () => {
    await runOne(keyed(fundOf('ann', 11.25), 'once'));
    const replay = await runOne(keyed(fundOf('ann', 11.25), 'once'));
    expect(replay).toMatchObject({ kind: 'replayed', answer: { status: 201, body: 'done' } });
    const rows = await fixture.query(`
      SELECT s.xmin = t.xmin AS "isOneTransaction" FROM stored_answers s, transactions t
       WHERE s.key = 'once' AND t.amount = 11250000`);
    expect(rows).toEqual([{ isOneTransaction: true }]);
  });

  it('is refused when the key belongs to another request', async () => {
    const result = await runOne(keyed(fundOf('ann', 12), 'once', 'another hash'));
    expect(result).toEqual({ kind: 'key-reused' });
    expect(await countOf('transactions WHERE amount = 12000000')).toBe(0);
  });

  it('is set aside while another process answers the request, and touches no other task of the group', async () => {
    const twin = keyed(fundOf('ann', 13), 'concurrent');
    await withTx(fixture.database.of(1n), async (tx) => {
      await new GroupBook([twin], 'skip').load(tx);
      const results = await fixture.work.run([twin, task(fundOf('bob'))]);
      expect(results.map(({ kind }) => kind)).toEqual(['set-aside', 'done']);
    });
  });

  it('has its refusal stored as well', async () => {
    const operation = offerOf('ann', 'keyed', 1_000_000);
    const refusal = await runOne(keyed(operation, 'refused once'));
    expect(refusal?.kind).toBe('refused');
    const { text } = (refusal as Refused).rejection;
    await fixture.work.run([task(fundOf('ann', 2_000_000))]);
    const replay = await runOne(keyed(operation, 'refused once'));
    expect(replay).toMatchObject({
      kind: 'replayed',
      answer: { status: 400, body: text, errorCode: 'offer-unfunded', errorOperation: 'x1' },
    });
  });
});

it('leaves books that balance', async () => {
  await expectBooksToBalance(fixture.environment.database);
});

/** The statements that `use` sends to PostgreSQL, by their names or else their texts. */
async function statementsOf(use: (sent: () => string[]) => Promise<unknown>): Promise<string[]> {
  const spy = jest.spyOn(pg.Client.prototype, 'query');
  const sent = () =>
    (spy.mock.calls as unknown as [string | { name?: string; text: string }][])
      .map(([query]) => (typeof query === 'string' ? query : query.name || query.text))
      // Idle connections are probed meanwhile.
      .filter((name) => name !== 'SELECT 1');
  try {
    await use(sent);
    return sent();
  } finally {
    spy.mockRestore();
  }
}
