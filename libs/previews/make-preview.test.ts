import { expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { asMicros, ZERO } from '#core/money.js';
import { writeEntries } from '#jobs/outbox.js';
import { singleTask } from '#ledger/task.js';
import { withTx } from '#platform/database/database.js';
import { acceptanceOf, decisionOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { createPreviewMaker } from './make-preview.js';
import { claimPreview, finishPreview, insertPreview, readPreview, readPreviewUsers } from './preview-rows.js';

const fixture = useLedgerDatabase();
const request = {
  accountId: 1n,
  ledgerAccountId: 1n,
  operation: { type: 'update_wager_outcome', reference: 'match', outcome: 'win' },
} as const;

/** A preview that a worker is to compute. */
async function askForPreview() {
  const { database } = fixture;
  const key = await withTx(database.of(1n), (tx) => insertPreview(tx, request, undefined));
  const data = { accountId: 1n, topic: 'make-preview', payload: { previewId: String(key.id) } };
  const { id: entryId } = await database.of(1n).run((prisma) => prisma.outboxEntry.create({ data }));
  return { ...key, entryId };
}

it('a preview is what its first finished run has found: a second run, and a late one, change nothing', async () => {
  const { database, work } = fixture;
  for (const operation of [offerOf('ann', 'match', 10), acceptanceOf('bob', 'match', 10)])
    await work.runWaiting([singleTask(1n, operation)]);
  const preview = await askForPreview();
  const { signal } = new AbortController();
  const make = createPreviewMaker({ database, source: database, signal });
  expect(await make(preview)).toEqual({ state: 'done' });
  const done = await readPreview(database, preview);
  expect(done.figures).toMatchObject({ usersAffected: 2, moved: 10_000_000n });
  await work.runWaiting([singleTask(1n, decisionOf('match'))]);
  expect(await make(preview)).toEqual({ state: 'ended' });
  const { figures } = done;
  if (figures === undefined) throw new Error('the preview is not done');
  const late = { figures: { ...figures, usersAffected: 0 }, users: [...done.largest] };
  expect(await finishPreview(database, { ...preview, runs: 1, request }, late, () => undefined)).toBe(false);
  expect(await readPreview(database, preview)).toEqual(done);
  expect((await readPreviewUsers(database, preview, 0)).users).toHaveLength(2);
});

it('a worker that stops gives its run back', async () => {
  const { database, work } = fixture;
  await work.runWaiting([singleTask(1n, offerOf('ann', 'match-2', 10))]);
  const preview = await askForPreview();
  const stopping = new AbortController();
  stopping.abort();
  await fixture.query(
    `UPDATE previews SET operation = operation || '{"reference": "match-2"}' WHERE id = ${preview.id}`,
  );
  const make = createPreviewMaker({ database, source: database, signal: stopping.signal });
  expect(await make(preview)).toEqual({ state: 'stopped' });
  expect(await fixture.query(`SELECT runs, stops, state FROM previews WHERE id = ${preview.id}`)).toEqual([
    { runs: 1, stops: 1, state: 'running' },
  ]);
});

const figures = {
  asOf: new Date(),
  isExact: true,
  revision: 0,
  refusal: null,
  moved: ZERO,
  usersBelowZero: 0,
  bets: { settled: 0, unsettled: 0, expiredOffers: 0, reopenedOffers: 0, canceledOffers: 0 },
};

/** Three transactions of users, none of whom the ledger knows. */
const found = (balance: bigint) => {
  const sums = { balance: asMicros(balance), balanceAfter: ZERO, exposure: ZERO, exposureAfter: ZERO };
  const users = Array.from({ length: 12_000 }, (_, index) => ({ ...sums, userId: BigInt(1_000 + index) }));
  return { figures: { ...figures, usersAffected: users.length }, users };
};

it('a run that ends early leaves users behind, and the next run replaces them', async () => {
  const { database } = fixture;
  const preview = await askForPreview();
  const first = await claimPreview(database, preview, '');
  let looks = 0;
  const stopping = () => {
    looks += 1;
    if (looks === 3) throw new Error('the worker stops');
  };
  const parts = () =>
    fixture.query(`SELECT count(*)::int AS parts, min(users -> 0 ->> 1) AS balance FROM preview_users
                    WHERE preview_id = ${preview.id}`);
  if (first === undefined) throw new Error('there is nothing to compute');
  await expect(finishPreview(database, first, found(1n), stopping)).rejects.toThrow('the worker stops');
  expect(await parts()).toEqual([{ parts: 100, balance: '1' }]);
  expect((await readPreview(database, preview)).state).toBe('running');
  const second = await claimPreview(database, preview, '');
  if (second === undefined) throw new Error('there is nothing to compute');
  expect(await finishPreview(database, first, found(1n), () => undefined)).toBe(false);
  expect(await finishPreview(database, second, found(2n), () => undefined)).toBe(true);
  expect(await parts()).toEqual([{ parts: 120, balance: '2' }]);
  expect((await readPreviewUsers(database, preview, 119)).next).toBeUndefined();
});

it('a new preview replaces the oldest ones of its account that are done', async () => {
  const { database } = fixture;
  await fixture.query('DELETE FROM previews');
  const insert = (usersAffected: number) =>
    withTx(database.of(1n), (tx) => insertPreview(tx, request, { ...figures, usersAffected }));
  const running = await askForPreview();
  const ids = async () => (await fixture.query('SELECT id::int FROM previews ORDER BY id')).map(({ id }) => id);
  const [first, second, third] = [await insert(800_000), await insert(800_000), await insert(800_000)];
  expect(await ids()).toEqual([running, second, third].map(({ id }) => Number(id)));
  await expect(readPreview(database, first)).rejects.toThrow('Preview not found');
  const fourth = await insert(1_300_000);
  expect(await ids()).toEqual([running, fourth].map(({ id }) => Number(id)));
  await fixture.query(`INSERT INTO previews (account_id, ledger_account_id, operation, state, figures)
    SELECT 1, 1, '{}', 'done', '{}' FROM generate_series(1, 520)`);
  await insert(0);
  const { length } = await ids();
  expect(length).toBe(523 - 20);
  await insert(0);
  expect((await ids()).length).toBe(501);
  expect((await ids())[0]).toBe(Number(running.id));
});

it('the times of previews and of outbox entries are those of PostgreSQL', async () => {
  const { database } = fixture;
  const sent = jest.spyOn(pg.Client.prototype, 'query');
  await withTx(database.of(1n), async (tx) => {
    await insertPreview(tx, request, undefined);
    await writeEntries(tx, [{ accountId: 1n, topic: 'make-preview', payload: {} }]);
  });
  const columns = sent.mock.calls.flatMap(([statement]) => {
    const { text } = statement as { readonly text?: string };
    return text?.match(/^INSERT INTO \S+ \(([^)]*)\)/)?.[1] ?? [];
  });
  sent.mockRestore();
  expect(columns).toHaveLength(2);
  expect(columns.join()).not.toContain('created_at');
});
