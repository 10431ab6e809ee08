import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { withTrace } from '#platform/logging/trace-context.js';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';
import {
  type ClaimOptions,
  claimLeftEntries,
  deleteDoneEntries,
  findUndoneEntry,
  isNewestAndUndone,
  markDone,
  markFailed,
  markRelayed,
  markTopicDone,
  markUnrelayed,
  markWagerSettled,
  type NewEntry,
  noteProgress,
  type OutboxEntry,
  type OutboxTopic,
  withOutbox,
  writeEntries,
} from './outbox.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createTestDatabase();
  database = openDatabase({ url: server.url, connections: 5, onConnectionError: () => undefined });
  await server.query(`INSERT INTO accounts (name, email) VALUES ('A', 'a@example.com')`);
});

afterAll(async () => {
  await database?.disconnect();
  await server?.drop();
});

beforeEach(() => server.query('DELETE FROM outbox'));

const ACCOUNT = 1n;

const write = (...entries: readonly NewEntry[]) => withTx(database.of(ACCOUNT), (tx) => writeEntries(tx, entries));

async function writeOne(topic: OutboxTopic = 'settle-wager', payload = {}): Promise<OutboxEntry> {
  const [entry] = await write({ accountId: ACCOUNT, topic, payload });
  return entry as OutboxEntry;
}

const rows = () => server.query('SELECT * FROM outbox ORDER BY id');

describe('an outbox entry', () => {
  it('has its payload and the trace in it', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const payload = { wagerId: '7', traceId };
    const written = await writeOne('settle-wager', payload);
    expect(written).toMatchObject({ accountId: ACCOUNT, topic: 'settle-wager', payload });
    expect(await findUndoneEntry(database.of(ACCOUNT), written)).toEqual(written);
  });

  it('does not exist when its transaction rolls back', async () => {
    const rolledBack = withTx(database.of(ACCOUNT), async (tx) => {
      const written = await writeEntries(tx, [{ accountId: ACCOUNT, topic: 'verification-mail', payload: {} }]);
      expect(written).toHaveLength(1);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await rows()).toEqual([]);
  });

  it('can be found after it failed, but not after it is done', async () => {
    const entry = await writeOne();
    await markFailed(database.of(ACCOUNT), entry, 'no reason');
    expect(await findUndoneEntry(database.of(ACCOUNT), entry)).toEqual(entry);
    const [{ failed_at: since } = {}] = await rows();
    await markFailed(database.of(ACCOUNT), entry, 'another reason');
    expect(await rows()).toMatchObject([{ failed_at: since, failure: 'another reason' }]);
    await noteProgress(database.of(ACCOUNT), entry);
    expect(await rows()).toMatchObject([{ failed_at: null, failure: null }]);
    await markFailed(database.of(ACCOUNT), entry, 'no reason');
    await markDone(database.of(ACCOUNT), entry);
    expect(await findUndoneEntry(database.of(ACCOUNT), entry)).toBeUndefined();
    expect(await rows()).toMatchObject([{ failed_at: null, failure: null }]);
    await markFailed(database.of(ACCOUNT), entry, 'too late');
    expect(await rows()).toMatchObject([{ failed_at: null, failure: null }]);
  });

  it('is deleted a time after it is done', async () => {
    const [done, fresh] = await write(
      { accountId: ACCOUNT, topic: 'verification-mail', payload: {} },
      { accountId: ACCOUNT, topic: 'verification-mail', payload: {} },
    );
    await markDone(database.of(ACCOUNT), done as OutboxEntry);
    const deleteAfter = (endedForMs: number) => deleteDoneEntries(database.of(ACCOUNT), { endedForMs, limit: 10 });
    expect(await deleteAfter(60_000)).toEqual({ count: 0, upTo: undefined });
    expect(await deleteAfter(0)).toEqual({ count: 1, upTo: expect.any(Date) });
    expect(await rows()).toMatchObject([{ id: String(fresh?.id) }]);
  });
});

describe('withOutbox', () => {
  const relayed: OutboxEntry[] = [];
  const context = {
    transact: <Result>(use: (tx: Parameters<typeof writeEntries>[0]) => Promise<Result>) =>
      withTx(database.of(ACCOUNT), use),
    relaySoon: (entries: readonly OutboxEntry[]) => void relayed.push(...entries),
  };

  beforeEach(() => void relayed.splice(0));

  it('relays the entries after the commit, with the trace of the request', async () => {
    const result = await withTrace('trace-1', () =>
      withOutbox(context, async (_tx, addEntry) => {
        await addEntry(ACCOUNT, 'verification-mail');
        await addEntry(ACCOUNT, 'password-changed-mail');
        expect(relayed).toEqual([]);
        return 'done';
      }),
    );
    expect(result).toBe('done');
    expect(relayed.map(({ topic }) => topic)).toEqual(['verification-mail', 'password-changed-mail']);
    expect(await rows()).toMatchObject([{ payload: { traceId: 'trace-1' } }, { payload: { traceId: 'trace-1' } }]);
  });

  it('relays nothing when the transaction fails', async () => {
    const failed = withOutbox(context, async (_tx, addEntry) => {
      await addEntry(ACCOUNT, 'verification-mail');
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(relayed).toEqual([]);
    expect(await rows()).toEqual([]);
  });
});

describe('a claim', () => {
  const all: ClaimOptions = { limit: 10, unrelayedForMs: 0, relayedForMs: 0 };
  const claim = (options: Partial<ClaimOptions> = {}) => claimLeftEntries(database.of(ACCOUNT), { ...all, ...options });
  const topicsOf = (entries: readonly OutboxEntry[]) => entries.map(({ topic }) => topic).sort();

  it('takes ledger work before mails', async () => {
    await write(
      { accountId: ACCOUNT, topic: 'verification-mail', payload: {} },
      { accountId: ACCOUNT, topic: 'check-portfolios', payload: {} },
      { accountId: ACCOUNT, topic: 'password-reset-mail', payload: {} },
      { accountId: ACCOUNT, topic: 'settle-wager', payload: {} },
    );
    expect(topicsOf(await claim({ limit: 2 }))).toEqual(['check-portfolios', 'settle-wager']);
    expect(topicsOf(await claim({ limit: 2, relayedForMs: 60_000 }))).toEqual([
      'password-reset-mail',
      'verification-mail',
    ]);
  });

  it('leaves fresh entries and freshly relayed ones alone', async () => {
    const entry = await writeOne();
    expect(await claim({ unrelayedForMs: 60_000 })).toEqual([]);
    expect(await claim()).toMatchObject([{ id: entry.id, relayedBefore: false }]);
    expect(await claim({ relayedForMs: 60_000 })).toEqual([]);
    expect(await claim()).toMatchObject([{ id: entry.id, relayedBefore: true }]);
  });

  it('takes an entry again after it was given back', async () => {
    const entry = await writeOne();
    await markRelayed(database, [entry]);
    expect(await claim({ relayedForMs: 60_000 })).toEqual([]);
    await markUnrelayed(database, [entry]);
    expect(await claim({ relayedForMs: 60_000 })).toMatchObject([{ id: entry.id, relayedBefore: false }]);
  });

  it('takes no done entry and no failed mail, but failed ledger work', async () => {
    const done = await writeOne();
    const settlement = await writeOne('settle-wager');
    const mail = await writeOne('verification-mail');
    await markDone(database.of(ACCOUNT), done);
    for (const entry of [settlement, mail]) await markFailed(database.of(ACCOUNT), entry, 'no reason');
    expect(await claim()).toMatchObject([{ id: settlement.id }]);
  });

  it('does not take an entry that another claim holds', async () => {
    await writeOne('settle-wager');
    await withTx(database.of(ACCOUNT), async (tx) => {
      expect(await claimLeftEntries(tx, { ...all, limit: 1 })).toHaveLength(1);
      await writeOne('check-portfolios');
      expect(topicsOf(await claim())).toEqual(['check-portfolios']);
    });
  });
});

describe('the entries of a topic', () => {
  const isNewest = (entry: OutboxEntry, ids = {}) => isNewestAndUndone(database.of(ACCOUNT), { ...entry, ids });

  it('know the newest, done or not', async () => {
    const older = await writeOne('password-reset-mail');
    expect(await isNewest(older)).toBe(true);
    const newer = await writeOne('password-reset-mail');
    await writeOne('verification-mail');
    expect(await isNewest(older)).toBe(false);
    expect(await isNewest(newer)).toBe(true);
    await markDone(database.of(ACCOUNT), newer);
    expect(await isNewest(newer)).toBe(false);
    expect(await isNewest(older)).toBe(false);
  });

  it('are ended together, for one account and topic', async () => {
    const mail = await writeOne('verification-mail');
    const other = { accountId: 2n, topic: 'password-reset-mail', payload: {} } as const;
    const [stranger] = await write(other, { ...other, accountId: ACCOUNT });
    await markTopicDone(database.of(ACCOUNT), { accountId: ACCOUNT, topic: 'password-reset-mail', ids: {} });
    const undone = (await rows()).filter(({ done_at: doneAt }) => doneAt === null);
    expect(undone.map(({ id }) => BigInt(String(id)))).toEqual([mail.id, stranger?.id]);
  });
});

describe('a settled wager', () => {
  it('ends its settlements, unless a newer decision waits', async () => {
    const [wager] = await server.query(
      `INSERT INTO wagers (account_id, reference, outcome, settling_since) VALUES (1, 'w', 'win', now()) RETURNING id`,
    );
    const wagerId = BigInt(String(wager?.id));
    const entry = await writeOne('settle-wager', { wagerId: String(wagerId) });
    const other = await writeOne('settle-wager', { wagerId: '0' });
    await markFailed(database.of(ACCOUNT), entry, 'no reason');
    await markWagerSettled(database.of(ACCOUNT), { accountId: ACCOUNT, wagerId });
    expect(await findUndoneEntry(database.of(ACCOUNT), entry)).toBeDefined();
    await server.query('UPDATE wagers SET settling_since = NULL');
    await markWagerSettled(database.of(ACCOUNT), { accountId: ACCOUNT, wagerId });
    expect(await findUndoneEntry(database.of(ACCOUNT), entry)).toBeUndefined();
    expect(await findUndoneEntry(database.of(ACCOUNT), other)).toBeDefined();
  });
});
