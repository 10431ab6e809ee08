import { describe, expect, it } from '@jest/globals';
import { withTx } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { countLockWaits } from '#testing/databases.js';
import { ACCOUNT, fillLedger } from '#testing/full-ledger.js';
import { auditAt } from '#testing/nightly-audit.js';
import { waitFor } from '#testing/wait-for.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import { inAuditSnapshot, runAudit } from './audit.js';
import { endOfClosableDay, proposeClosings, writeClosings } from './closings.js';
import { type AuditSummary, createDailyAudit } from './daily-audit.js';
import { checkPortfolios } from './portfolio.js';
import { ALL_ACCOUNTS } from './scope.js';

const DAY_MS = 86_400_000;
const GUARD = 'transactions_append_only';

const ledger = withOpenLedger(fillLedger);

const { query } = ledger;
/** The nightly audit so many days from today: it closes all that is there. */
const auditAfter = (days: number): Promise<AuditSummary> =>
  auditAt(
    { database: ledger.driver.database, logger: ledger.environment.logger },
    new Date(Date.now() + days * DAY_MS),
  );

/** Past the guards of the database. */
const tamper = (sql: string) =>
  query(`BEGIN; ALTER TABLE transactions DISABLE TRIGGER ${GUARD}; ${sql};
         ALTER TABLE transactions ENABLE TRIGGER ${GUARD}; COMMIT`);

const dayEndAfter = (days: number) => endOfClosableDay(new Date(Date.now() + days * DAY_MS));

const lastDay = async () => (await query('SELECT day::text FROM account_closings'))[0]?.day;
/** The day that such an audit closes: the one that ended an hour before, at least. */
const dayAfter = (days: number) => new Date(Date.now() + (days - 1) * DAY_MS - 3_600_000).toISOString().slice(0, 10);

const changeOfLedger = async () => {
  const { match, decide, offer, accept, cancel, force, fund } = ledger.driver;
  await fund('ann', 50);
  await match('ann', 'bob', 'fresh', 3, 1.5);
  const split = await offer('bob', 'fresh', 9);
  await accept('cat', split, 2);
  await cancel('ann', await offer('ann', 'fresh', 5), 1);
  await decide('fresh', 'win');
  await force('won', 'half-win');
};

describe('the nightly audit', () => {
  it('audits an account without closing from the first day on, and closes the day that ended', async () => {
    expect(await auditAfter(2)).toMatchObject({ closedAccounts: 1 });
    expect(await lastDay()).toBe(dayAfter(2));
    const [row] = await query(`
      SELECT bool_and(d.balance = b.balance) AS equal, count(*)::int AS users,
             bool_and(d.last_transaction_id = (SELECT max(id) FROM transactions t WHERE t.user_id = d.user_id)) AS last
        FROM daily_closings d JOIN balances b USING (account_id, user_id)`);
    expect(row).toEqual({ equal: true, users: 3, last: true });
    expect(
      await query('SELECT funding::text, withdrawal::text, bet::text FROM daily_closings WHERE user_id = 3'),
    ).toEqual([{ funding: '1000000000', withdrawal: '1000000', bet: expect.any(String) }]);
    await expectBooksToBalance(ledger.environment.database);
  });

  it('closes a day once', async () => {
    expect(await auditAfter(2)).toMatchObject({ closedAccounts: 0 });
  });

  it('goes on from there, and finds no difference in what came since', async () => {
    await changeOfLedger();
    expect(await auditAfter(3)).toMatchObject({ closedAccounts: 1 });
    await changeOfLedger().catch(() => undefined);
    expect(await auditAfter(4)).toMatchObject({ closedAccounts: 1 });
    expect(await auditAfter(5)).toMatchObject({ closedAccounts: 1 });
    await expectBooksToBalance(ledger.environment.database);
  });

  it('writes no closing for a user without a transaction', async () => {
    const counted = async () => (await query('SELECT count(*)::int AS rows FROM daily_closings'))[0]?.rows;
    const before = Number(await counted());
    await ledger.driver.fund('cat', 1);
    await auditAfter(6);
    expect(await counted()).toBe(before + 1);
  });

  const wrong: Record<string, readonly [string, string, string]> = {
    'a balance': [
      'UPDATE balances SET balance = balance + 1 WHERE user_id = 1',
      'UPDATE balances SET balance = balance - 1 WHERE user_id = 1',
      'balance = sum of the transactions: 1 of 3 users',
    ],
    'an exposure': [
      'UPDATE balances SET exposure = exposure + 1 WHERE user_id = 1',
      'UPDATE balances SET exposure = exposure - 1 WHERE user_id = 1',
      'exposure = recomputed from the bets: 1 of 3 users',
    ],
    'bets that were left unsettled': [
      `UPDATE wagers SET outcome = 'win' WHERE reference = 'open'`,
      `UPDATE wagers SET outcome = 'undecided' WHERE reference = 'open'`,
      'settled outcome = effective outcome: 3 of ',
    ],
    'the head of a log at rest': [
      `UPDATE account_closings SET closed_at = closed_at + interval '1 day';
       UPDATE event_heads SET last_seq = last_seq + 1 WHERE account_id = 1`,
      `UPDATE account_closings SET closed_at = closed_at - interval '1 day';
       UPDATE event_heads SET last_seq = last_seq - 1 WHERE account_id = 1`,
      'the head of the log = its last event: 1 of 1 event logs',
    ],
    'totals of transactions': [
      'UPDATE ledger_totals SET transactions = transactions + 1 WHERE shard = (SELECT min(shard) FROM ledger_totals)',
      'UPDATE ledger_totals SET transactions = transactions - 1 WHERE shard = (SELECT min(shard) FROM ledger_totals)',
      'maintained totals of bets and transactions = counted: 1 of 1 accounts',
    ],
  };

  it.each(Object.entries(wrong))('finds %s, and closes no day then', async (_what, [fault, repair, reason]) => {
    const before = await lastDay();
    await query(fault);
    await expect(auditAfter(9)).rejects.toThrow(reason);
    expect(await lastDay()).toBe(before);
    await query(repair);
  });

  it('closes the other accounts when one differs', async () => {
    await query(`INSERT INTO accounts (id, name, email) VALUES (2, 'b', 'b@example.com')`);
    await query('UPDATE balances SET balance = balance + 1 WHERE user_id = 1');
    await expect(auditAfter(9)).rejects.toThrow('1 of 3 users');
    expect(await query(`SELECT account_id::int FROM account_closings WHERE day = '${dayAfter(9)}'`)).toEqual([
      { account_id: 2 },
    ]);
    await query('UPDATE balances SET balance = balance - 1 WHERE user_id = 1');
  });
});

describe('a closing', () => {
  it('is not audited again by the nightly audit; the full audit compares it with the transactions', async () => {
    // Stored answers would notice it as well, for a day.
    await query('DELETE FROM stored_answers');
    await auditAfter(10);
    await tamper(`UPDATE transactions SET amount = amount + 1 WHERE transaction_source = 'funding' AND id = 1`);
    await auditAfter(11);
    const { findings } = await runAudit(ledger.driver.database);
    const differing = findings.filter((finding) => finding.differing > 0).map(({ name }) => name);
    expect(differing).toEqual(
      expect.arrayContaining(['balance = sum of the transactions', 'the last closing = the transactions up to it']),
    );
    await tamper(`UPDATE transactions SET amount = amount - 1 WHERE transaction_source = 'funding' AND id = 1`);
  });

  it('cannot be changed; deleting all of an account makes the next audit begin anew', async () => {
    await expect(query('UPDATE daily_closings SET balance = 0')).rejects.toThrow('append-only');
    await query('DELETE FROM account_closings WHERE account_id = 1');
    expect(await query('SELECT 1 FROM daily_closings WHERE account_id = 1')).toEqual([]);
    expect(await auditAfter(12)).toMatchObject({ closedAccounts: 2 });
    await expectBooksToBalance(ledger.environment.database);
  });

  /** What an audit so many days from today found, before it writes. */
  const propose = (days: number) =>
    inAuditSnapshot(ledger.driver.database.of(ACCOUNT), (snapshot) =>
      proposeClosings(snapshot, ALL_ACCOUNTS, dayEndAfter(days)),
    );
  const write = (closings: Awaited<ReturnType<typeof propose>>, days: number) =>
    writeClosings(ledger.driver.database.of(ACCOUNT), { closings, dayEnd: dayEndAfter(days), closedAt: new Date() });
  const expectFigures = async () => {
    await expectBooksToBalance(ledger.environment.database);
    const check = { accountId: ACCOUNT, userIds: [1n, 2n, 3n] };
    expect(await withTx(ledger.driver.database.of(ACCOUNT), (tx) => checkPortfolios(tx, check))).toEqual([]);
  };

  it('is written by one of two audits that overlap, whatever days they close', async () => {
    await ledger.driver.fund('ann', 3);
    const [one, two] = [await propose(13), await propose(14)];
    expect([await write(one, 13), await write(two, 14)]).toEqual([
      { closedAccounts: 2, leftAccounts: 0 },
      { closedAccounts: 0, leftAccounts: 2 },
    ]);
    await expectFigures();
    expect(await auditAfter(14)).toMatchObject({ closedAccounts: 2 });
    await expectFigures();
  });

  it('is not written twice by the same job', async () => {
    await ledger.driver.fund('ann', 3);
    const closings = await propose(15);
    expect([await write(closings, 15), await write(closings, 15)]).toEqual([
      { closedAccounts: 2, leftAccounts: 0 },
      { closedAccounts: 0, leftAccounts: 0 },
    ]);
    await expectFigures();
  });

  it('is not written by an audit of a closing that was deleted meanwhile; the next audit begins anew', async () => {
    await ledger.driver.fund('ann', 1);
    const running = await propose(16);
    await query('DELETE FROM account_closings');
    expect(await write(running, 16)).toEqual({ closedAccounts: 0, leftAccounts: 2 });
    await expectFigures();
    expect(await auditAfter(16)).toMatchObject({ closedAccounts: 2 });
    await expectFigures();
  });

  it('may be deleted while an audit is between its plan and its snapshot: it audits again', async () => {
    await auditAfter(17);
    await auditAfter(18);
    await ledger.driver.fund('ann', 1);
    const { database } = ledger.environment;
    const audited = await withPostgresClient({ connectionString: database.url }, async (client) => {
      await client.query('BEGIN; SELECT 1 FROM account_closings FOR UPDATE');
      const auditing = auditAfter(19);
      // It has read the closing, and marks the account as due.
      await waitFor(async () => (await countLockWaits(database)) > 0);
      await client.query('DELETE FROM account_closings; COMMIT');
      return auditing;
    });
    // The account whose closing is gone is audited from its first day on, in no scope of a closing.
    expect(audited).toMatchObject({ closedAccounts: 2 });
    await expectFigures();
  });

  it('is of a day that the clock of PostgreSQL says has ended: a worker ahead of it makes the job wait', async () => {
    const early = createDailyAudit({
      database: ledger.driver.database,
      logger: ledger.environment.logger,
      now: () => new Date(Date.now() + 2 * DAY_MS),
    });
    await expect(early()).rejects.toThrow("by PostgreSQL's clock it is");
  });

  it('is where the check of a portfolio starts', async () => {
    await ledger.driver.fund('ann', 2);
    const check = () =>
      withTx(ledger.driver.database.of(ACCOUNT), (tx) =>
        checkPortfolios(tx, { accountId: ACCOUNT, userIds: [1n, 2n, 3n] }),
      );
    expect(await check()).toEqual([]);
    await tamper(`UPDATE transactions SET amount = amount + 1 WHERE transaction_source = 'funding' AND id = 1`);
    expect(await check()).toEqual([]);
    await tamper(`UPDATE transactions SET amount = amount - 1 WHERE transaction_source = 'funding' AND id = 1`);
    await query('UPDATE balances SET balance = balance + 7 WHERE user_id = 1');
    expect(await check()).toMatchObject([{ userId: 1n, what: 'balance' }]);
    await query('UPDATE balances SET balance = balance - 7 WHERE user_id = 1');
    expect(await check()).toEqual([]);
    await expectBooksToBalance(ledger.environment.database);
    expect(await auditAfter(20)).toMatchObject({ closedAccounts: 2 });
  });
});

describe('the full audit in groups of accounts', () => {
  it('shows its progress, and can go on from an account', async () => {
    const seen: [bigint, number, number][] = [];
    const onProgress = ({
      lastAccountId,
      auditedAccounts,
      accounts,
    }: {
      lastAccountId: bigint;
      auditedAccounts: number;
      accounts: number;
    }) => seen.push([lastAccountId, auditedAccounts, accounts]);
    const whole = await runAudit(ledger.driver.database);
    const grouped = await runAudit(ledger.driver.database, { betsAtOnce: 0, onProgress });
    expect(seen).toEqual([
      [1n, 1, 2],
      [2n, 2, 2],
    ]);
    expect(grouped.findings).toEqual(whole.findings);
    const resumed = await runAudit(ledger.driver.database, { fromAccount: 2n });
    expect(resumed.findings.find(({ things }) => things === 'users')?.compared).toBe(0);
  });
});

describe('the audit of disputes', () => {
  it('finds a balance that is disputed without a dispute, and the reverse', async () => {
    await query('UPDATE balances SET disputed_since = now() WHERE account_id = 1 AND user_id = 1');
    await query('INSERT INTO disputes (account_id, user_id) VALUES (1, 2)');
    const { findings } = await runAudit(ledger.driver.database);
    expect(findings.filter(({ differing }) => differing > 0)).toMatchObject([
      { name: 'a balance is disputed exactly while its user has a dispute', differing: 2 },
      { name: 'every user is in the log, with the state of its balance', differing: 1 },
    ]);
  });
});
