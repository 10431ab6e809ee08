import { describe, expect, it } from '@jest/globals';
import { ACCOUNT, fillLedger } from '#testing/full-ledger.js';
import { auditAt } from '#testing/nightly-audit.js';
import { runCli } from '#testing/run-cli.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';

// The steps of docs/operations.md, "When an audit fails". Those for a balance stand in correction.test.ts.

const DAY_MS = 86_400_000;
const ledger = withOpenLedger(fillLedger);
const { query } = ledger;

const runAudit = () => runCli('audit', [], { DATABASE_URL: ledger.environment.database.url });
/** The job of a night so many days from now. */
const night = (days: number) =>
  auditAt(
    { database: ledger.driver.database, logger: ledger.environment.logger },
    new Date(Date.now() + days * DAY_MS),
  );
const withoutTriggers = (sql: string) =>
  ledger.environment.database.queryOf(Number(ACCOUNT), `SET LOCAL session_replication_role = replica; ${sql}`);

const closings = async () => Number((await query('SELECT count(*) AS n FROM daily_closings'))[0]?.n);

/** The night fails, says why, and closes nothing; the command says the same. */
async function expectFailure(days: number, said: string): Promise<void> {
  const before = await closings();
  await expect(night(days)).rejects.toThrow('the books do not balance');
  expect(await closings()).toBe(before);
  const { code, stdout } = await runAudit();
  expect(code).toBe(1);
  expect(stdout).toContain(said);
}

async function expectMended(days: number): Promise<void> {
  expect(await runAudit()).toMatchObject({ code: 0, stderr: '' });
  expect(await night(days)).toMatchObject({ closedAccounts: 1 });
}

describe('the steps of a provider when an audit fails', () => {
  it('delete the closings of an account whose last one is wrong', async () => {
    await night(2);
    await withoutTriggers('UPDATE daily_closings SET balance = balance + 5, funding = funding + 5 WHERE user_id = 1');
    await expectFailure(3, 'the last closing is ');
    await query(`DELETE FROM account_closings WHERE account_id = ${ACCOUNT}`);
    await expectMended(3);
  });

  it('set the totals to what was counted', async () => {
    const shard = `account_id = ${ACCOUNT} AND shard = (SELECT min(shard) FROM ledger_totals WHERE account_id = ${ACCOUNT})`;
    await query(`UPDATE ledger_totals SET transactions = transactions + 2 WHERE ${shard}`);
    await expectFailure(4, 'maintained totals of bets and transactions = counted');
    await query(`UPDATE ledger_totals SET transactions = transactions - 2 WHERE ${shard}`);
    await expectMended(4);
  });

  it('restore a bet to what its trail says', async () => {
    await ledger.driver.match('ann', 'bob', 'restored', 6, 2.5);
    const bet = `(SELECT max(id) FROM bets WHERE account_id = ${ACCOUNT} AND accepting_user_id IS NOT NULL)`;
    await withoutTriggers(`UPDATE bets SET effective_amount = effective_amount / 2 WHERE id = ${bet}`);
    await expectFailure(5, 'the latest trail entry = the bet: 1 difference');
    await withoutTriggers(`
      UPDATE bets b SET effective_odds = t.effective_odds, effective_amount = t.effective_amount
        FROM (SELECT * FROM bet_trails WHERE account_id = ${ACCOUNT} AND bet_id = ${bet} ORDER BY id DESC LIMIT 1) t
       WHERE b.account_id = t.account_id AND b.id = t.bet_id`);
    await expectMended(5);
  });
});
