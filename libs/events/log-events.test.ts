import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { withTx } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { deferred } from '#testing/deferred.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import type { EventCause } from './event-cause.js';
import { appendGroup, groupRow, hearOfLoggedEvents, logEvents, operationsIn, singleEvent } from './log-events.js';

const fixture = useLedgerDatabase();
const cause: EventCause = { actor: 'account:1', requestId: null };
const heard: (readonly bigint[])[] = [];
let fails = false;

beforeAll(() => {
  const listen = (accountIds: readonly bigint[]) => {
    heard.push(accountIds);
    if (fails) throw new Error('the listener failed');
  };
  hearOfLoggedEvents(fixture.database, listen, fixture.environment.logger);
});

afterEach(() => expectBooksToBalance(fixture.environment.database));

const eventOf = (accountId: bigint, ref: bigint) =>
  singleEvent(accountId, cause, { kind: 'account.updated', ref, extra: { ref: Number(ref) } });

/** Adds an event for each of these accounts; `hold` runs when its own statements are done. */
const write = (ref: bigint, accountIds: readonly bigint[] = [1n], hold?: () => Promise<unknown>) =>
  withTx(fixture.database.of(1n), async (tx) => {
    await tx.$queryRaw`SELECT 1`;
    for (const accountId of accountIds) logEvents(tx, eventOf(accountId, ref));
    await hold?.();
  });

const logOf = async (accountId = 1) =>
  fixture.query(`
    SELECT g.first_seq + e.place - 1 AS seq, e.ref::int, g.at::text FROM event_groups g
     CROSS JOIN LATERAL unnest(g.refs) WITH ORDINALITY AS e (ref, place)
     WHERE account_id = ${accountId} ORDER BY 1`);
const lastRefs = async (count: number) => (await logOf()).slice(-count).map(({ ref }) => ref);

describe('events beside those of the ledger', () => {
  it('commit with their transaction, under the next number, and are told of then', async () => {
    const before = (await logOf()).length;
    await write(11n);
    const log = await logOf();
    expect(log.slice(before)).toMatchObject([{ seq: String(before + 1), ref: 11 }]);
    expect(heard.at(-1)).toEqual([1n]);
    const failed = write(12n, [1n], () => Promise.reject(new Error('undone')));
    await expect(failed).rejects.toThrow('undone');
    expect(await logOf()).toEqual(log);
    expect(heard).toHaveLength(1);
  });

  it('are committed, and their transaction succeeds, when the listener fails', async () => {
    fails = true;
    const before = (await logOf()).length;
    await write(13n).finally(() => {
      fails = false;
    });
    expect(await logOf()).toHaveLength(before + 1);
    expect(fixture.environment.logLines.at(-1)).toContain('the listener failed');
    expect(fixture.environment.logLines.at(-1)).toContain('a commit happened');
  });

  it('of one transaction are one group, whatever wrote them', async () => {
    await withTx(fixture.database.of(1n), async (tx) => {
      logEvents(tx, eventOf(1n, 21n));
      logEvents(tx, eventOf(1n, 22n));
      logEvents(tx, { accountId: 1n, cause, events: [] });
    });
    const [group] = await fixture.query(
      `SELECT refs::text, operations, extras FROM event_groups WHERE account_id = 1 ORDER BY last_seq DESC LIMIT 1`,
    );
    const extras = { 0: { ref: 21 }, 1: { ref: 22 } };
    expect(group).toEqual({ refs: '{21,22}', operations: '1 account:1 -\n1 account:1 -', extras });
  });

  it('are numbered by commit: a transaction that began first and commits last comes last, and is not earlier', async () => {
    const [began, mayEnd] = [deferred(), deferred()];
    const first = write(31n, [1n], async () => {
      began.resolve();
      await mayEnd.promise;
    });
    await began.promise;
    await write(32n);
    mayEnd.resolve();
    await first;
    expect(await lastRefs(2)).toEqual([32, 31]);
    const times = (await logOf()).map(({ at }) => String(at));
    expect(times).toEqual(times.toSorted());
  });

  it('leave no gap at any moment, with many writers and accounts in any order', async () => {
    const writers = Array.from({ length: 60 }, (_, index) =>
      write(BigInt(100 + index), index % 2 === 0 ? [1n, 2n] : [2n, 1n]),
    );
    const all = Promise.all(writers);
    let isDone = false;
    void all.then(() => {
      isDone = true;
    });
    let last = 0;
    while (!isDone) {
      const seqs = (await logOf()).map(({ seq }) => Number(seq));
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(seqs.length).toBeGreaterThanOrEqual(last);
      last = seqs.length;
    }
    await all;
    expect((await lastRefs(60)).toSorted()).toEqual(Array.from({ length: 60 }, (_, index) => 100 + index));
  });

  it('of new accounts make the heads, whichever comes first', async () => {
    const made = await fixture.query(`
      INSERT INTO accounts (name, email)
      SELECT 'new', format('new-%s@log.example', n) FROM generate_series(1, 6) n RETURNING id`);
    const ids = made.map(({ id }) => BigInt(String(id)));
    const writers = Array.from({ length: 24 }, (_, index) => {
      const turned = [...ids.slice(index % ids.length), ...ids.slice(0, index % ids.length)];
      return write(BigInt(index), index % 2 === 0 ? turned : turned.reverse());
    });
    await Promise.all(writers);
    for (const id of ids) {
      const seqs = (await logOf(Number(id))).map(({ seq }) => Number(seq));
      expect(seqs).toEqual(writers.map((_, index) => index + 1));
    }
  });

  it('are written the same way by statements about one account each, as a cluster needs them', async () => {
    const group = { accountId: 1n, operations: [eventOf(1n, 41n), eventOf(1n, 42n)] };
    const [stranger] = await fixture.query(
      `INSERT INTO accounts (name, email) VALUES ('s', 'stranger@log.example') RETURNING id::int`,
    );
    const id = Number(stranger?.id);
    await withTx(fixture.database.of(1n), async (tx) => {
      await appendGroup(tx, group);
      await appendGroup(tx, { accountId: BigInt(id), operations: [eventOf(BigInt(id), 43n)] });
    });
    expect(await lastRefs(2)).toEqual([41, 42]);
    expect(await logOf(id)).toMatchObject([{ seq: '1', ref: 43 }]);
    await write(44n);
    const groups = await fixture.query(`
      SELECT first_seq - lag(last_seq) OVER (ORDER BY last_seq) AS step, operations, extras
        FROM event_groups WHERE account_id = 1 ORDER BY last_seq DESC LIMIT 2`);
    expect(groups).toEqual([
      { step: '1', operations: '1 account:1 -', extras: { 0: { ref: 44 } } },
      { step: '1', operations: '1 account:1 -\n1 account:1 -', extras: { 0: { ref: 41 }, 1: { ref: 42 } } },
    ]);
  });

  it('stay as they are', async () => {
    await expect(fixture.query('DELETE FROM event_groups')).rejects.toThrow('event_groups is append-only');
    await expect(fixture.query('UPDATE event_groups SET at = now()')).rejects.toThrow('event_groups is append-only');
    await expect(fixture.query('DELETE FROM event_heads')).rejects.toThrow('rows of event_heads stay');
  });
});

/** What is stored of an operation with this request, and what is read of it. */
function storedAndRead(requestId: string | null) {
  const operation = { cause: { actor: 'key:7:12', requestId }, events: [{ kind: 'offer.made', ref: 1n }] } as const;
  const { operations: stored } = groupRow({ accountId: 7n, operations: [operation] });
  return { stored, read: operationsIn(String(stored)) };
}

it.each([
  ['5f0c1c0e-3a8b-4d6c-9a51-2f6f0f9d7a11', '1 key:7:12 ~XwwcDjqLTWyaUS9vD516EQ'],
  ['5F0C1C0E-3A8B-4D6C-9A51-2F6F0F9D7A11', '1 key:7:12 5F0C1C0E-3A8B-4D6C-9A51-2F6F0F9D7A11'],
  ['XwwcDjqLTWyaUS9vD516EQ', '1 key:7:12 XwwcDjqLTWyaUS9vD516EQ'],
  ['00000000-0000-0000-0000-000000000000', '1 key:7:12 ~AAAAAAAAAAAAAAAAAAAAAA'],
  [null, '1 key:7:12 -'],
])('the id %s of a request is read as it came', (requestId, stored) => {
  expect(storedAndRead(requestId)).toEqual({ stored, read: [{ count: 1, actor: 'key:7:12', requestId }] });
});
