import { ReadableStream } from 'node:stream/web';
import { expect, it } from '@jest/globals';
import { singleTask } from '#ledger/task.js';
import { withTx } from '#platform/database/database.js';
import { acceptanceOf, decisionOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { createPreviewMaker } from './make-preview.js';
import { finishPreview, insertPreview, readPreview, readPreviewUsers } from './preview-rows.js';

const fixture = useLedgerDatabase();
const request = {
  ...{ accountId: 1n, ledgerAccountId: 1n },
  operation: { type: 'update_wager_outcome', reference: 'match', outcome: 'win' },
} as const;

/** A preview that a worker is to compute. */
async function askForPreview() {
  const { database } = fixture;
  const key = await withTx(database, (tx) => insertPreview(tx, request, undefined));
  const { id: entryId } = await database.outboxEntry.create({
    data: { accountId: 1n, topic: 'make-preview', payload: { previewId: String(key.id) } },
  });
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
  const late = { figures: { ...figures, usersAffected: 0 }, users: ReadableStream.from([[...done.firstUsers]]) };
  expect(await finishPreview(database, preview, late)).toBe(false);
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
  expect(await fixture.query(`SELECT runs, state FROM previews WHERE id = ${preview.id}`)).toEqual([
    { runs: 0, state: 'running' },
  ]);
});
