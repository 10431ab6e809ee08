import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { auditAt } from '#testing/nightly-audit.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { auditLagQuery } from './audit-lag.js';
import { planNight, RESTING_A_NIGHT } from './nightly-groups.js';

const DAY_MS = 86_400_000;
const ACCOUNTS = 1_000;
/** An audit's figures may read so many rows, for any number of accounts. */
const FEW_ROWS = 20;

const ledger = withOpenLedger();

beforeAll(async () => {
  // The first account is in use; each of the others has a user, and is at rest.
  await ledger.environment.database.query(`
    INSERT INTO accounts (id, name, email)
    SELECT n, 'a', 'a' || n || '@example.com' FROM generate_series(2, ${ACCOUNTS}) n`);
  await ledger.environment.database.query(`
    WITH made AS (INSERT INTO users (account_id, reference, name) SELECT id, 'ann', 'Ann' FROM accounts WHERE id > 1
                  RETURNING account_id, id)
    INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM made`);
  await audit(2);
  await ledger.driver.fund('ann', 1);
});

const { query } = ledger;
const nowIn = (days: number) => new Date(Date.now() + days * DAY_MS);
const audit = (days: number) =>
  auditAt({ database: ledger.driver.database, logger: ledger.environment.logger }, nowIn(days));

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows that the scans of a statement read. */
async function rowsReadBy(sql: string): Promise<number> {
  const rows = await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`);
  const read = (node: PlanNode): number =>
    (node['Node Type'].includes('Scan')
      ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
      : 0) + (node.Plans ?? []).reduce((sum, child) => sum + read(child), 0);
  const plans = rows.flatMap((row) => row['QUERY PLAN'] as { Plan: PlanNode }[]);
  return plans.reduce((sum, { Plan: root }) => sum + read(root), 0);
}

describe('a night with 999 accounts at rest', () => {
  it('plans the account that is due, and some of those at rest', async () => {
    const { groups, restingAccounts } = await planNight(ledger.driver.database.of(1n), { now: nowIn(3) });
    expect(groups.length).toBeLessThanOrEqual(3);
    expect(groups[0]).toMatchObject({ from: -(2n ** 63n), isFresh: true });
    expect(restingAccounts).toBeGreaterThanOrEqual(ACCOUNTS - 1 - RESTING_A_NIGHT - 10);
    expect(await query('SELECT count(*)::int AS due FROM account_closings WHERE audit_due_since IS NOT NULL')).toEqual([
      { due: 1 },
    ]);
  });

  it('audits and closes no more than these, and reports how many it left out', async () => {
    const { closedAccounts, restingAccounts, compared } = await audit(3);
    expect(closedAccounts).toBeLessThanOrEqual(1 + RESTING_A_NIGHT + 10);
    expect(closedAccounts + restingAccounts).toBe(ACCOUNTS);
    expect(compared).toBeLessThan(20 * RESTING_A_NIGHT);
  });

  it('audits every account at rest within some nights, and finds what was changed in one', async () => {
    await query('UPDATE balances SET balance = 1 WHERE account_id = 700');
    const failureOf = (night: number) =>
      audit(night).then(
        () => undefined,
        (error: Error) => error.message,
      );
    let night = 4;
    let failure: string | undefined;
    while (failure === undefined && night < 4 + ACCOUNTS / RESTING_A_NIGHT) {
      failure = await failureOf(night);
      night += 1;
    }
    expect(failure).toContain('balance = sum of the transactions: 1 of');
    // Until it is put right, although nothing happens in the account.
    expect(await failureOf(night)).toContain('balance = sum of the transactions: 1 of');
    await query('UPDATE balances SET balance = 0 WHERE account_id = 700');
    expect(await failureOf(night + 1)).toBeUndefined();
    await expectBooksToBalance(ledger.environment.database);
  });

  it('wakes an account with its first transaction, and counts its waiting from that night', async () => {
    await query('UPDATE account_closings SET audit_due_since = NULL');
    await ledger.driver.fund('ann', 1);
    const { groups } = await planNight(ledger.driver.database.of(1n), { now: nowIn(30) });
    expect(groups.some(({ from, to }) => from <= 1n && to >= 1n)).toBe(true);
    const [lag] = await query(auditLagQuery);
    expect(Number(lag?.seconds)).toBeLessThan(60);
    await query(`UPDATE account_closings SET audit_due_since = now() - interval '37 hours' WHERE account_id = 1`);
    expect((await query(auditLagQuery))[0]).toMatchObject({ lateAccounts: 1 });
  });
});

describe('the figures that workers read at each scrape and sweep', () => {
  it('read as many rows with 1,000 accounts as with one', async () => {
    await query('ANALYZE');
    const statements = {
      'how long an audit is due': auditLagQuery,
      'wagers that settle': 'SELECT count(*), min(settling_since) FROM wagers WHERE settling_since IS NOT NULL',
      'entries of the outbox': 'SELECT topic FROM outbox WHERE done_at IS NULL AND failed_at IS NULL',
      disputes: 'SELECT count(*) FROM disputes',
    };
    for (const [what, sql] of Object.entries(statements)) {
      expect([what, (await rowsReadBy(sql)) <= FEW_ROWS]).toEqual([what, true]);
    }
  });
});
