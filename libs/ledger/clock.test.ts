import { describe, expect, it } from '@jest/globals';
import { execute, needsOf, type Operation } from '#core/operation.js';
import { withTx } from '#platform/database/database.js';
import { acceptanceOf, offerOf, useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import type { Task } from './task.js';

const ledger = useLedgerDatabase();

const taskOf = (operation: Operation): Task => ({
  accountId: 1n,
  needs: [needsOf(operation)],
  run: (book) => execute(book, operation),
  traceId: undefined,
});
const run = async (operation: Operation) => (await ledger.work.runWaiting([taskOf(operation)]))[0];
const waitingForLocks = async () =>
  (await ledger.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`))
    .length;

describe('the time of an operation', () => {
  it('is that under the lock of its wager: a wait for the lock does not stop it', async () => {
    await run(offerOf('ann', 'locked'));
    const { database } = ledger;
    const accepting = await withTx(database.of(1n), async (tx) => {
      await tx.$executeRaw`SELECT FROM wagers WHERE account_id = 1 AND reference = 'locked' FOR UPDATE`;
      const result = run(acceptanceOf('bob', 'locked'));
      await waitFor(async () => (await waitingForLocks()) > 0);
      // It has begun before this moment, and gets the lock after it.
      await tx.$executeRaw`UPDATE wagers SET closes_at = clock_timestamp() WHERE account_id = 1 AND reference = 'locked'`;
      return { result };
    });
    expect(await accepting.result).toMatchObject({ kind: 'refused', rejection: { code: 'wager-closed' } });
  });

  it('is stored with a match to the microsecond, and read back as it was', async () => {
    await run({ ...offerOf('ann', 'exact'), ends: { inSeconds: 3_600 } });
    const [before] = await ledger.query(`SELECT expires_at::text AS at FROM bets WHERE expires_at IS NOT NULL`);
    await run(acceptanceOf('bob', 'exact'));
    const [after] = await ledger.query(`
      SELECT expires_at::text AS at, accepted_at < clock_timestamp() AND accepted_at > created_at AS "isNow"
        FROM bets WHERE expires_at IS NOT NULL`);
    expect(after).toEqual({ at: before?.at, isNow: true });
  });
});
