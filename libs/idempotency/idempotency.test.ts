import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '#platform/config/time-units.js';
import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { answerOnce, type IdempotencyContext, lookUpOnce, withIdempotency } from './idempotency.js';
import { createKeysInUse } from './keys-in-use.js';
import { deleteStoredAnswers, NO_ERROR, Replayed } from './stored-answers.js';

const fixture = useLedgerDatabase();

const contextOf = (key: string, requestHash = 'hash'): IdempotencyContext => ({
  accountId: 1n,
  key,
  requestHash,
  status: 201,
  answerToError: (error) =>
    error instanceof Refusal && error.kind === 'conflict'
      ? { status: 409, body: error.message, errorCode: error.code, errorOperation: null }
      : undefined,
});

/** The effect: one more user of account 2. */
const addUser = (reference: string) => async (tx: Tx) => {
  await tx.$executeRaw`INSERT INTO users (account_id, reference, name) VALUES (2, ${reference}, 'User')`;
  return { reference };
};

const run = (key: string, use: (tx: Tx) => Promise<object>, requestHash?: string) =>
  withIdempotency(fixture.database.of(1n), contextOf(key, requestHash), { use, present: (result) => result });

const usersNamed = async (pattern: string) =>
  (await fixture.query(`SELECT reference FROM users WHERE reference LIKE '${pattern}' ORDER BY reference`)).map(
    ({ reference }) => reference,
  );

describe('a transaction with an Idempotency-Key', () => {
  it('stores its answer with its effect, and replays it', async () => {
    await run('first', addUser('first-1'));
    expect(await run('first', addUser('first-2'))).toEqual(
      new Replayed({ status: 201, body: '{"reference":"first-1"}', ...NO_ERROR }),
    );
    expect(await usersNamed('first-%')).toEqual(['first-1']);
  });

  it('stores nothing when its effect is rolled back', async () => {
    const failure = async (tx: Tx) => {
      await addUser('undone-1')(tx);
      throw new Error('not the caller’s mistake');
    };
    await expect(run('undone', failure)).rejects.toThrow('not the caller’s mistake');
    await run('undone', addUser('undone-2'));
    expect(await usersNamed('undone-%')).toEqual(['undone-2']);
  });

  it('refuses the key for another request', async () => {
    await run('reused', addUser('reused-1'));
    await expect(run('reused', addUser('reused-2'), 'another hash')).rejects.toEqual(new Refusal('key-reused'));
    expect(await usersNamed('reused-%')).toEqual(['reused-1']);
  });

  it('has one effect when two run at once', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, (_, index) => run('raced', addUser(`raced-${index}`))));
    expect(results.filter((result) => result instanceof Replayed)).toHaveLength(7);
    expect(await usersNamed('raced-%')).toHaveLength(1);
  });

  it('stores a refusal that is final, and only such a one', async () => {
    const taken = () => Promise.reject(new Refusal('user-reference-taken'));
    const unavailable = () => Promise.reject(new Refusal('overloaded'));
    await expect(run('refused', taken)).rejects.toEqual(new Refusal('user-reference-taken'));
    expect(await run('refused', addUser('refused-1'))).toMatchObject({ kind: 'replayed', answer: { status: 409 } });
    await expect(run('overloaded', unavailable)).rejects.toEqual(new Refusal('overloaded'));
    await run('overloaded', addUser('overloaded-1'));
    expect(await usersNamed('%-1')).not.toContain('refused-1');
  });
});

describe('a look-up before the transaction', () => {
  it('has its refusal stored', async () => {
    const lookUp = () => Promise.reject(new Refusal('email-taken'));
    await expect(lookUpOnce(fixture.database.of(1n), contextOf('looked up'), lookUp)).rejects.toEqual(
      new Refusal('email-taken'),
    );
    expect(await run('looked up', addUser('looked-up-1'))).toBeInstanceOf(Replayed);
  });
});

describe('an answer of one effect', () => {
  it('comes with its effect, whether or not there is a key to store it with', async () => {
    const work = (reference: string) => ({ use: addUser(reference), present: () => ({ added: reference }) });
    expect(await answerOnce(fixture.database.of(1n), undefined, work('once-1'))).toEqual({ added: 'once-1' });
    expect(await answerOnce(fixture.database.of(1n), contextOf('once'), work('once-2'))).toEqual({ added: 'once-2' });
    expect(await answerOnce(fixture.database.of(1n), contextOf('once'), work('once-3'))).toBeInstanceOf(Replayed);
    const failing = { use: (tx: Tx) => addUser('once-4')(tx).then(() => Promise.reject(new Error('too late'))) };
    await expect(answerOnce(fixture.database.of(1n), undefined, { ...failing, present: () => ({}) })).rejects.toThrow(
      'late',
    );
    expect(await usersNamed('once-%')).toEqual(['once-1', 'once-2']);
  });
});

describe('keys in use', () => {
  it('refuse a second request with the key while the first runs', async () => {
    const keys = createKeysInUse();
    let finish: (value: string) => void = () => undefined;
    const first = keys.use(contextOf('busy'), () => new Promise<string>((resolve) => (finish = resolve)));
    await expect(keys.use(contextOf('busy'), async () => 'second')).rejects.toMatchObject({ code: 'key-in-use' });
    expect(await keys.use(contextOf('other'), async () => 'other')).toBe('other');
    finish('first');
    expect(await first).toBe('first');
    expect(await keys.use(contextOf('busy'), async () => 'third')).toBe('third');
  });
});

describe('old answers', () => {
  it('are deleted, newer ones stay', async () => {
    await run('old', addUser('old-1'));
    await run('new', addUser('new-1'));
    await fixture.query(`UPDATE stored_answers SET created_at = now() - interval '2 days' WHERE key = 'old'`);
    const dayOld = { endedForMs: DAY_MS, limit: 10 };
    expect(await deleteStoredAnswers(fixture.database.of(1n), dayOld)).toMatchObject({ count: 1 });
    await run('old', addUser('old-2'));
    expect(await run('new', addUser('new-2'))).toBeInstanceOf(Replayed);
  });
});
