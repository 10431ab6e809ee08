import { afterEach, describe, expect, it } from '@jest/globals';
import { withTx } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { countLockWaits } from '#testing/databases.js';
import { ACCOUNT, fillLedger } from '#testing/full-ledger.js';
import { auditAt } from '#testing/nightly-audit.js';
import { waitFor } from '#testing/wait-for.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { runAudit } from './audit.js';
import { type BalanceCorrection, type BalanceCorrectionRequest, correctBalance } from './correct-balance.js';
import { checkPortfolios } from './portfolio.js';
import { differencesIn } from './report.js';

const DAY_MS = 86_400_000;
const [ANN, BOB, CAT] = [1n, 2n, 3n];

const ledger = withOpenLedger(fillLedger);
const { query } = ledger;

afterEach(() => expectBooksToBalance(ledger.environment.database));

const check = (userId: bigint) =>
  withTx(ledger.driver.database.of(ACCOUNT), (tx) => checkPortfolios(tx, { accountId: ACCOUNT, userIds: [userId] }));

const requestOf = (
  userId: bigint,
  keep: 'transactions' | 'balance',
  accountId = ACCOUNT,
): BalanceCorrectionRequest => ({
  accountId,
  userId,
  keep,
  reason: 'SQL of 3 May',
  cause: { actor: 'command:audit', requestId: null },
});

const correct = (...request: Parameters<typeof requestOf>) =>
  withTx(ledger.driver.database.of(ACCOUNT), (tx) => correctBalance(tx, requestOf(...request)));

/** Of figures that differ. */
async function correctDiffering(...request: Parameters<typeof requestOf>): Promise<BalanceCorrection> {
  const corrected = await correct(...request);
  if (corrected === undefined) throw new Error('nothing was to correct');
  return corrected;
}

const addToBalance = (userId: bigint, micros: number) =>
  query(`UPDATE balances SET balance = balance + ${micros} WHERE user_id = ${userId}`);

const balanceOf = async (userId: bigint) => {
  const [row] = await query(`SELECT balance, disputed_since FROM balances WHERE user_id = ${userId}`);
  return { balance: BigInt(String(row?.balance)), isDisputed: row?.disputed_since !== null };
};

const lastTransaction = async () =>
  (
    await query(`SELECT id::text, user_id::int, amount::int, transaction_type, transaction_source, description,
                        balance_after::text FROM transactions ORDER BY transactions.id DESC LIMIT 1`)
  )[0];

const figuresOfAll = () =>
  query(`SELECT (SELECT count(*) FROM transactions) AS transactions, (SELECT count(*) FROM event_groups) AS groups,
                (SELECT sum(balance) FROM balances) AS balances, (SELECT sum(exposure) FROM balances) AS exposures`);

const auditAfter = (ms: number) =>
  auditAt({ database: ledger.driver.database, logger: ledger.environment.logger }, new Date(Date.now() + ms));

describe('a correction of a balance', () => {
  it('that was overwritten moves nothing, and sets it to what the transactions come to', async () => {
    const { balance: before } = await balanceOf(ANN);
    await addToBalance(ANN, 5);
    await check(ANN);
    // A transaction of the time between shows the wrong balance: the audit knows why.
    await ledger.driver.fund('ann', 3);
    const corrected = await correctDiffering(ANN, 'transactions');
    const [stored, summed] = [before + 3_000_005n, before + 3_000_000n];
    expect(corrected).toMatchObject({ stored, summed, balanceAfter: summed });
    expect(await balanceOf(ANN)).toEqual({ balance: summed, isDisputed: false });
    expect(await lastTransaction()).toEqual({
      id: String(corrected.transactionId),
      user_id: 1,
      amount: 0,
      transaction_type: 'no-action',
      transaction_source: 'correction',
      description: 'SQL of 3 May',
      balance_after: String(summed),
    });
    await ledger.driver.offer('ann', 'after', 1);
  });

  it('after several faults knows from which transaction on the balance went wrong', async () => {
    await ledger.driver.fund('ann', 1);
    await addToBalance(ANN, 5);
    await ledger.driver.fund('ann', 3);
    const { id: first } = (await lastTransaction()) as { id: string };
    await addToBalance(ANN, -9);
    await ledger.driver.fund('ann', 4);
    await addToBalance(ANN, 4);
    await ledger.driver.fund('ann', 2);
    await addToBalance(ANN, 1);
    const { transactionId } = await correctDiffering(ANN, 'transactions');
    const rows = await query(
      `SELECT wrong_from::text FROM balance_corrections WHERE transaction_id = ${transactionId}`,
    );
    expect(rows).toEqual([{ wrong_from: first }]);
  });

  it.each([
    ['credit', 7],
    ['debit', -7],
  ])('whose transactions miss something is a %s, and leaves the balance as it is', async (type, micros) => {
    await addToBalance(BOB, micros);
    await check(BOB);
    const { balance } = await balanceOf(BOB);
    expect(await correct(BOB, 'balance')).toMatchObject({ stored: balance, summed: balance - BigInt(micros) });
    expect(await balanceOf(BOB)).toEqual({ balance, isDisputed: false });
    expect(await lastTransaction()).toMatchObject({
      amount: 7,
      transaction_type: type,
      balance_after: String(balance),
    });
  });

  it('sets exposure and positions to what the bets come to', async () => {
    const before = await query('SELECT * FROM positions ORDER BY user_id, wager_id');
    const { balance } = await balanceOf(CAT);
    await query(`UPDATE balances SET exposure = exposure + 1 WHERE user_id = ${CAT}`);
    await query(`DELETE FROM positions WHERE user_id = ${CAT} AND wager_id = 1`);
    await query(`UPDATE positions SET win = -3, loss = 4 WHERE user_id = ${CAT} AND wager_id <> 1`);
    await check(CAT);
    const { differences } = await correctDiffering(CAT, 'balance');
    expect(differences.map(({ what }) => what)).toEqual(expect.arrayContaining(['exposure', 'offered', 'loss']));
    expect(await query('SELECT * FROM positions ORDER BY user_id, wager_id')).toEqual(before);
    expect(await balanceOf(CAT)).toEqual({ balance, isDisputed: false });
    expect(await lastTransaction()).toMatchObject({ amount: 0, balance_after: String(balance) });
  });

  it('is closed and reconciled with its day', async () => {
    await addToBalance(CAT, 9);
    await correct(CAT, 'balance');
    const endOfToday = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    await auditAfter(endOfToday + DAY_MS / 12 - Date.now());
    const closed = await query('SELECT user_id::int, correction::int FROM daily_closings ORDER BY user_id');
    expect(closed).toEqual([
      { user_id: 1, correction: 0 },
      { user_id: 2, correction: 0 },
      { user_id: 3, correction: 9 },
    ]);
    expect(await query('SELECT corrected::int FROM daily_reconciliations')).toEqual([{ corrected: 9 }]);
  });

  it('is refused where nothing differs, of no user, and of a user of another account', async () => {
    const before = await figuresOfAll();
    await expect(correct(ANN, 'transactions')).rejects.toThrow('nothing was changed');
    await expect(correct(4711n, 'transactions')).rejects.toThrow('Account 1 has no user 4711.');
    await expect(correct(ANN, 'transactions', 2n)).rejects.toThrow('Account 2 has no user 1.');
    expect(await figuresOfAll()).toEqual(before);
  });

  it('is made once, however many ask for it', async () => {
    await addToBalance(ANN, 5);
    const { balance } = await balanceOf(ANN);
    const outcomes = await Promise.allSettled([
      correct(ANN, 'transactions'),
      correct(ANN, 'transactions'),
      ledger.driver.fund('ann', 1),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect((await balanceOf(ANN)).balance).toBe(balance + 999_995n);
  });

  it('is refused while it is the closing that is wrong: right balances stay', async () => {
    await auditAfter(4 * DAY_MS);
    const change = (sign: string) =>
      query(`SET session_replication_role = replica;
             UPDATE daily_closings SET balance = balance ${sign} 5, funding = funding ${sign} 5 WHERE user_id = ${ANN};
             SET session_replication_role = DEFAULT`);
    await change('+');
    expect(await check(ANN)).toMatchObject([{ what: 'balance' }]);
    const before = await figuresOfAll();
    await expect(correct(ANN, 'transactions')).rejects.toThrow('the closing is wrong. Nothing was changed');
    // Also when another figure differs in truth.
    await query(`UPDATE balances SET exposure = exposure + 1 WHERE user_id = ${ANN}`);
    await expect(correct(ANN, 'transactions')).rejects.toThrow('the closing is wrong. Nothing was changed');
    await query(`UPDATE balances SET exposure = exposure - 1 WHERE user_id = ${ANN}`);
    expect(await figuresOfAll()).toEqual(before);
    // As the manual says: without its closings, the account agrees, and the same command ends the dispute.
    await query('DELETE FROM account_closings');
    expect(await correct(ANN, 'transactions')).toBeUndefined();
    expect((await balanceOf(ANN)).isDisputed).toBe(false);
    await expect(correct(ANN, 'transactions')).rejects.toThrow('nothing was changed');
  });

  it('knows a chain that went wrong, though the balance is right again', async () => {
    await addToBalance(BOB, 5);
    await ledger.driver.fund('bob', 2);
    await addToBalance(BOB, -5);
    const { balance } = await balanceOf(BOB);
    expect(await correct(BOB, 'balance')).toMatchObject({ stored: balance, summed: balance, balanceAfter: balance });
    expect(await lastTransaction()).toMatchObject({ amount: 0, balance_after: String(balance) });
  });

  it('ends before a check that has seen the difference: that disputes nobody', async () => {
    await addToBalance(CAT, 5);
    let checking: ReturnType<typeof check> | undefined;
    await withTx(ledger.driver.database.of(ACCOUNT), async (tx) => {
      await correctBalance(tx, requestOf(CAT, 'transactions'));
      checking = check(CAT);
      await waitFor(async () => (await countLockWaits({ query })) === 1);
    });
    await checking;
    expect((await balanceOf(CAT)).isDisputed).toBe(false);
    await ledger.driver.offer('cat', 'after', 1);
  });
});

describe('the audit of corrections', () => {
  const tampered = {
    'a wrong figure': [
      'UPDATE balance_corrections SET summed = summed + 1 WHERE transaction_id = (SELECT max(transaction_id) FROM balance_corrections)',
      'UPDATE balance_corrections SET summed = summed - 1 WHERE transaction_id = (SELECT max(transaction_id) FROM balance_corrections)',
    ],
    'another user': [
      'UPDATE balance_corrections SET user_id = user_id % 3 + 1',
      'UPDATE balance_corrections SET user_id = (SELECT user_id FROM transactions t WHERE t.id = transaction_id)',
    ],
    'a correction without its figures': [
      `CREATE TABLE kept AS SELECT * FROM balance_corrections; DELETE FROM balance_corrections`,
      'INSERT INTO balance_corrections SELECT * FROM kept; DROP TABLE kept',
    ],
  } as const;

  it.each(Object.entries(tampered))('finds %s', async (_what, [fault, repair]) => {
    const past = (sql: string) =>
      query(`SET session_replication_role = replica; ${sql}; SET session_replication_role = DEFAULT`);
    await past(fault);
    const { findings } = await runAudit(ledger.driver.database);
    const named = findings.filter(({ differing }) => differing > 0).map(({ name }) => name);
    expect(differencesIn(findings)).toBeGreaterThan(0);
    expect(named).toContain('a correction of a balance makes it and its transactions agree');
    await past(repair);
  });
});
