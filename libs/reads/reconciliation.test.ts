import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '#platform/config/time-units.js';
import { withTx } from '#platform/database/database.js';
import { expectBooksToBalance } from '#testing/books.js';
import { admin, micros } from '#testing/core/builders.js';
import { ACCOUNT } from '#testing/full-ledger.js';
import { auditAt } from '#testing/nightly-audit.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { type DayOfUser, type Reconciliation, readDayOfUsers, readReconciliation } from './reconciliation.js';
import { openStatement } from './statement.js';

const [OTHER, RESTED] = [2n, 3n];
const ledger = withOpenLedger(async ({ match, decide, offer, run }) => {
  await match('ann', 'bob', 'match', 100, 2.5);
  await decide('match', 'win');
  await run({ type: 'withdraw', user: { reference: 'ann' }, amount: micros(50), description: 'out' });
  await offer('cat', 'later', 30);
});
const database = () => ledger.driver.database;

/** The day of the rows: a test that runs over midnight reads the day on which it began. */
let today: string;

beforeAll(async () => {
  const [row] = await ledger.query(`SELECT (min(created_at) AT TIME ZONE 'UTC')::date::text AS day FROM transactions`);
  today = String(row?.day);
  await ledger.query(`INSERT INTO accounts (id, name, email) VALUES (${OTHER}, 'b', 'b@example.com')`);
});

const dayAfter = (day: string, days = 1) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const dayOf = (day: string, accountId = ACCOUNT) =>
  withTx(database().of(accountId), (tx) => readReconciliation(tx, accountId, day), 'RepeatableRead');
const usersOf = (day: string, { afterUserId = 0n, limit = 1_000 } = {}, accountId = ACCOUNT) =>
  withTx(
    database().of(accountId),
    (tx) => readDayOfUsers(tx, { accountId, day, afterUserId, limit }),
    'RepeatableRead',
  );

const FIGURES = [
  ...(['openingBalance', 'closingBalance', 'funded', 'withdrawn'] as const),
  ...(['betCredits', 'betDebits', 'corrected', 'transactions'] as const),
];

/** The figures of all users, and their statements, add up to those of the account. */
async function expectSums(day: string, figures: Reconciliation): Promise<void> {
  const users = await usersOf(day);
  const sumOf = (figure: (typeof FIGURES)[number]) => users.reduce((sum, user: DayOfUser) => sum + user[figure], 0n);
  for (const figure of FIGURES) expect({ [figure]: sumOf(figure) }).toEqual({ [figure]: figures[figure] });
  for (const { userId, openingBalance, closingBalance } of users) {
    const period = { from: new Date(day), to: new Date(dayAfter(day)) };
    const statement = await openStatement(database().of(ACCOUNT), {
      accountId: ACCOUNT,
      user: { id: userId },
      ...period,
    });
    expect(statement).toMatchObject({ openingBalance, closingBalance });
  }
}

describe('a day that no audit has closed', () => {
  it('comes from its transactions', async () => {
    const [ids] = await ledger.query('SELECT min(id) AS first, max(id) AS last FROM transactions');
    expect(await dayOf(today)).toEqual({
      openingBalance: 0n,
      closingBalance: micros(2_950),
      funded: micros(3_000),
      withdrawn: micros(50),
      betCredits: micros(150),
      betDebits: micros(150),
      corrected: 0n,
      transactions: 6n,
      firstTransactionId: BigInt(String(ids?.first)),
      lastTransactionId: BigInt(String(ids?.last)),
      openExposure: micros(30),
      audit: null,
      lastAudit: null,
    });
  });

  it('is the sum of its users, and of their statements', async () => {
    await expectSums(today, await dayOf(today));
  });

  it('has its users in pages, by id', async () => {
    const first = await usersOf(today, { limit: 2 });
    expect(first.map(({ userReference }) => userReference)).toEqual(['ann', 'bob']);
    const second = await usersOf(today, { afterUserId: first[1]?.userId ?? 0n });
    expect(second.map(({ userReference }) => userReference)).toEqual(['cat']);
  });

  it('is nothing in another account, and refused where there is no account', async () => {
    expect(await dayOf(today, OTHER)).toMatchObject({ transactions: 0n, closingBalance: 0n, openExposure: 0n });
    expect(await usersOf(today, {}, OTHER)).toEqual([]);
    await expect(dayOf(today, 999n)).rejects.toThrow('Account not found');
  });
});

describe('a past day', () => {
  const audit = (now: number) => auditAt({ database: database(), logger: ledger.environment.logger }, new Date(now));
  /** When the audit of the day runs. */
  const nightOf = (day: string) => Date.parse(day) + DAY_MS + 3 * 3_600_000;

  it('is what the audit of its night has stored, with the verdict', async () => {
    const live = await dayOf(today);
    await audit(nightOf(today));
    const verdict = { auditedAt: expect.any(Date), failedChecks: 0, auditedBy: 'night' };
    expect(await dayOf(today)).toEqual({ ...live, audit: verdict, lastAudit: verdict });
    await expectSums(today, live);
    await expectBooksToBalance(ledger.environment.database);
  });

  it('without a transaction begins and ends with the balance of the day before', async () => {
    await audit(nightOf(dayAfter(today)));
    const next = await dayOf(dayAfter(today));
    expect(next).toMatchObject({ openingBalance: micros(2_950), closingBalance: micros(2_950), transactions: 0n });
    expect(next).toMatchObject({ firstTransactionId: null, lastTransactionId: null, audit: { failedChecks: 0 } });
  });

  it('says when its audit has found a difference, and so does any day', async () => {
    await ledger.query('UPDATE balances SET balance = balance + 1 WHERE user_id = 1');
    const day = dayAfter(today, 2);
    await expect(audit(nightOf(day))).rejects.toThrow('the books do not balance');
    await ledger.query('UPDATE balances SET balance = balance - 1 WHERE user_id = 1');
    const differing = await dayOf(day);
    expect(differing.audit).toMatchObject({ failedChecks: 1 });
    expect((await dayOf('2099-01-01')).lastAudit).toEqual(differing.audit);
  });

  it('that was changed is a difference in the night after it', async () => {
    await ledger.query(`UPDATE daily_reconciliations SET opening_balance = opening_balance + 7,
      closing_balance = closing_balance + 7 WHERE day = '${dayAfter(today)}'`);
    const fault = 'the last reconciliation = the closings of its day';
    await expect(audit(nightOf(dayAfter(today, 3)))).rejects.toThrow(fault);
  });

  it('names the verdict of a command when that is newer', async () => {
    await ledger.query(
      `INSERT INTO command_audits (account_id, audited_at, failed_checks) VALUES (${ACCOUNT}, now(), 2)`,
    );
    await ledger.query(
      `UPDATE daily_reconciliations SET audited_at = now() - interval '1 hour' WHERE account_id = ${ACCOUNT}`,
    );
    expect((await dayOf(today)).lastAudit).toMatchObject({ auditedBy: 'command', failedChecks: 2 });
    await ledger.query(`UPDATE command_audits SET audited_at = now() - interval '2 hours'`);
    expect((await dayOf(today)).lastAudit).toMatchObject({ auditedBy: 'night' });
  });

  it('does not name the verdict of a command whose clock was wrong', async () => {
    await ledger.query(`UPDATE command_audits SET audited_at = now() + interval '1 day'`);
    expect((await dayOf(today)).lastAudit).toMatchObject({ auditedBy: 'night' });
  });
});

/** A funding of 1 by SQL, at a time of its own. */
const fundAt = (
  accountId: bigint,
  userId: bigint,
  { at, balance }: { readonly at: string; readonly balance: number },
) =>
  ledger.query(`
    INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
                              balance_after, created_at)
    VALUES (${accountId}, ${userId}, 1, '', 'credit', 'funding', ${balance}, '${at}')`);

describe('a day on which the account rested', () => {
  const USER = 77n;

  beforeAll(async () => {
    await ledger.query(`
      INSERT INTO accounts (id, name, email) VALUES (${RESTED}, 'c', 'c@example.com');
      INSERT INTO users (account_id, id, reference, name) VALUES (${RESTED}, ${USER}, 'fay', 'Fay');
      INSERT INTO balances (account_id, user_id, balance) VALUES (${RESTED}, ${USER}, 1)`);
    await fundAt(RESTED, USER, { at: '2025-03-01T12:00Z', balance: 1 });
    await ledger.query(`
      INSERT INTO account_closings (account_id, day, closed_at, last_bet_id, last_trail_id, last_transaction_id, bets, transactions)
      SELECT ${RESTED}, '2025-03-01', '2025-03-02', 0, 0, max(id), 0, 1 FROM transactions WHERE account_id = ${RESTED};
      INSERT INTO daily_reconciliations (account_id, day, audited_at, failed_checks, opening_balance, closing_balance, funded,
                                         withdrawn, bet_credits, bet_debits, transactions, open_exposure,
                                         first_transaction_id, last_transaction_id)
      SELECT ${RESTED}, '2025-03-01', '2025-03-02', 0, 0, 1, 1, 0, 0, 0, 1, 5, max(id), max(id)
        FROM transactions WHERE account_id = ${RESTED}`);
  });

  it('has the verdict and the exposure of the audit before it', async () => {
    const day = await dayOf('2025-03-09', RESTED);
    const audit = { auditedAt: new Date('2025-03-02'), failedChecks: 0, auditedBy: 'night' };
    expect(day).toMatchObject({ transactions: 0n, openExposure: 5n, audit });
  });

  it('has none when it was before that audit', async () => {
    expect((await dayOf('2025-02-09', RESTED)).audit).toBeNull();
  });

  it('has none when something moved after it', async () => {
    await fundAt(RESTED, USER, { at: '2025-04-01T12:00Z', balance: 2 });
    await ledger.query(`UPDATE balances SET balance = 2 WHERE user_id = ${USER}`);
    expect(await dayOf('2025-03-09', RESTED)).toMatchObject({ transactions: 0n, audit: null, openExposure: null });
  });
});

describe('transactions around midnight whose times are out of order', () => {
  const expected = [
    ['2026-01-08', 0n, 0n, 0n, 0n],
    ['2026-01-09', 0n, 2n, 2n, null],
    ['2026-01-10', 2n, 3n, 5n, null],
    ['2026-01-11', 5n, 2n, 7n, null],
    ['2026-01-12', 7n, 0n, 7n, null],
  ] as const;

  beforeAll(async () => {
    await ledger.query(`DELETE FROM daily_reconciliations; DELETE FROM account_closings;
      INSERT INTO users (account_id, id, reference, name) VALUES (${ACCOUNT}, 88, 'eve', 'Eve');
      INSERT INTO balances (account_id, user_id, balance) VALUES (${ACCOUNT}, 88, 7)`);
    for (const [index, minutes] of [-90, -2, 1, -1, 2, 1445, 1439].entries()) {
      const at = new Date(Date.parse('2026-01-10') + minutes * 60_000).toISOString();
      await fundAt(ACCOUNT, 88n, { at, balance: index + 1 });
    }
  });

  it.each(expected)(
    'are each of one day: %s',
    async (day, openingBalance, transactions, closingBalance, openExposure) => {
      const found = await dayOf(day);
      expect(found).toMatchObject({ openingBalance, transactions, closingBalance, openExposure });
      await expectSums(day, found);
    },
  );
});

describe('a payment that a correction took back', () => {
  it('counts in what bets brought, and in what they cost', async () => {
    await ledger.driver.run({
      type: 'force_wager_outcome',
      wagerReference: 'match',
      outcome: 'loss',
      bound: 500,
      action: { ...admin, description: 'as it should be' },
    });
    const [row] = await ledger.query(`SELECT (now() AT TIME ZONE 'UTC')::date::text AS day`);
    const users = await usersOf(String(row?.day));
    expect(users.slice(0, 2)).toMatchObject([
      { userReference: 'ann', betCredits: micros(150), betDebits: micros(250), closingBalance: micros(850) },
      { userReference: 'bob', betCredits: micros(250), betDebits: micros(150), closingBalance: micros(1_100) },
    ]);
  });
});
