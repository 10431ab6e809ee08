import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Operation } from '#core/operation.js';
import { expectBooksToBalance } from '#testing/books.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { waitFor } from '#testing/wait-for.js';
import { createLanes } from './lanes.js';
import { createLedger, LedgerRefusal } from './ledger.js';

const fixture = useLedgerDatabase();
const ACCOUNT = 1n;
const unpresented = { present: (answer: object) => answer };

const fund = (reference: string, amount = 1_000_000n): Operation =>
  ({ type: 'fund_user', user: { reference }, amount, description: 'x' }) as Operation;

/** Another transaction locks Ann's balance: a group that touches it waits. */
async function holdAnn(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: fixture.environment.database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT * FROM balances WHERE user_id = 1 FOR UPDATE');
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}

const waitingForLocks = async () => {
  const rows = await fixture.environment.database.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n;
};

const transactions = async () =>
  (
    await fixture.environment.database.query(
      'SELECT count(*)::int AS n, count(DISTINCT xmin::text)::int AS commits FROM transactions',
    )
  )[0];

describe('a lane', () => {
  it('takes all that waits into one transaction, refuses what is too much, and drains', async () => {
    const lanes = createLanes(fixture.work, 5);
    const ledger = createLedger(lanes);
    const release = await holdAnn();
    const before = await transactions();
    const running = ledger.execute(ACCOUNT, fund('ann'), unpresented);
    await waitFor(async () => (await waitingForLocks()) === 1);
    const waiting = Array.from({ length: 5 }, () => ledger.execute(ACCOUNT, fund('bob'), unpresented));
    await expect(ledger.execute(ACCOUNT, fund('bob'), unpresented)).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 1,
    });
    await release();
    await lanes.drained();
    await Promise.all([running, ...waiting]);
    const after = await transactions();
    expect(Number(after?.n) - Number(before?.n)).toBe(6);
    expect(Number(after?.commits) - Number(before?.commits)).toBe(2);
    await expectBooksToBalance(fixture.environment.database);
  });

  it('does not let one caller’s refusal or fault touch another’s', async () => {
    const lanes = createLanes(fixture.work);
    const ledger = createLedger(lanes);
    const release = await holdAnn();
    const running = ledger.execute(ACCOUNT, fund('ann'), unpresented);
    await waitFor(async () => (await waitingForLocks()) === 1);
    // One group: a refusal by the core, one that the database refuses (a description that it cannot store), and a good one.
    const refused = ledger.execute(ACCOUNT, fund('nobody'), unpresented);
    const broken = ledger.execute(ACCOUNT, { ...fund('bob'), description: 'a\0b' } as Operation, unpresented);
    const good = ledger.execute(ACCOUNT, fund('bob', 7n), unpresented);
    const settled = Promise.allSettled([refused, broken, good]);
    await release();
    const [first, second, third] = await settled;
    expect(first).toMatchObject({ status: 'rejected', reason: expect.any(LedgerRefusal) });
    expect(second).toMatchObject({ status: 'rejected' });
    expect(third).toMatchObject({ status: 'fulfilled' });
    await running;
    await expectBooksToBalance(fixture.environment.database);
  });
});
