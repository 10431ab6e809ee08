import { beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApi, startTestWorker, type TestPart } from '#testing/parts.js';
import { runCli } from '#testing/run-cli.js';
import { type Admin, ok, openTestBusiness, registerAdmin, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// The steps of docs/operations.md, "When the balance of a user is disputed".

const environment = withTestEnvironment(async () => {
  await worker?.close();
  await api?.close();
});
let api: TestPart;
let worker: Awaited<ReturnType<typeof startTestWorker>>;
let business: TestBusiness;
let admin: Admin;
let account: number;
let ann: number;

beforeAll(async () => {
  api = await startTestApi(environment);
  worker = await startTestWorker(environment);
  business = await openTestBusiness(api.client);
  account = business.account.id;
  admin = await registerAdmin(api.client, environment.database);
  ann = await business.user('ann');
  await business.user('bob');
  await business.match('ann', 'bob', 10);
  ok(await business.decide('win'));
});

const runAudit = (...args: string[]) => runCli('audit', args, { DATABASE_URL: environment.database.url });
const correct = (keep: string, ...more: string[]) =>
  runAudit('--correct', '--account', String(account), '--user', String(ann), '--keep', keep, '--reason', ...more);

const stateOfAnn = async () => ok(await business.client.get('/account/user/ann/reference'), 200).data.balance_state;
const withdraw = () => business.client.post('/transactions/withdraw', { user_id: ann, amount: 1 });
const eventsOf = async (type: string) => ok(await business.client.get(`/events?types=${type}&limit=1000`), 200).data;

/** An update past the ledger, which the check after a correction of the wager finds. */
async function dispute(micros: number) {
  await environment.database.query('UPDATE balances SET balance = balance + $1 WHERE user_id = $2', [micros, ann]);
  const body = { account_id: account, wager_reference: 'match', outcome: 'win' };
  ok(await admin.client.post('/admin/wagers/force-update-outcome', body), 200);
  await waitFor(async () => (await stateOfAnn()) === 'disputed');
}

describe('the steps of a provider when a balance is disputed', () => {
  it('end with the transactions as they were, where the balance was wrong', async () => {
    await dispute(5_000_000);
    expect(await environment.database.query('SELECT user_id::text FROM disputes')).toEqual([{ user_id: String(ann) }]);
    expect((await eventsOf('user.disputed')).at(-1)).toMatchObject({
      user: { id: ann, balance_state: 'disputed' },
      disputed: [{ figure: 'balance', wager_id: null, stored: 1015, recomputed: 1010 }],
    });
    expect((await withdraw()).status).toBe(409);
    const audited = await runAudit();
    expect(audited.code).toBe(1);
    expect(audited.stdout).toContain('balance is 1015, the transactions sum to 1010');

    const done = await correct('transactions', 'an update by hand of 3 May');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(
      /^User \d+ of account \d+: the balance was 1015, the transactions summed to 1010\.\nTransaction \d+ corrects it: the balance is 1010 now\.\n$/,
    );
    expect(await stateOfAnn()).toBe('agreed');
    expect((await runAudit()).code).toBe(0);
    expect((await eventsOf('transaction.created')).at(-1)).toMatchObject({
      actor: { kind: 'command', name: 'audit' },
      differences: [{ figure: 'balance', wager_id: null, stored: 1015, recomputed: 1010 }],
      transactions: [
        {
          user_id: ann,
          amount: 0,
          description: 'an update by hand of 3 May',
          transaction_type: 'no-action',
          transaction_source: 'correction',
          balance_after: 1010,
        },
      ],
    });
    expect(await eventsOf('user.undisputed')).toMatchObject([{ user: { id: ann, balance_state: 'agreed' } }]);
    ok(await withdraw());
  });

  it('end with the balance as it was, where the transactions miss something', async () => {
    await dispute(-4_000_000);
    expect(await correct('balance', 'paid out in cash on 4 May')).toMatchObject({ code: 0, stderr: '' });
    expect(await stateOfAnn()).toBe('agreed');
    const found = ok(await business.client.get('/transactions?transaction_source=correction'), 200).data;
    expect(found).toMatchObject([
      { amount: 0, balance_after: 1010 },
      { amount: 4, transaction_type: 'debit', balance_after: 1005 },
    ]);
    const today = new Date().toISOString().slice(0, 10);
    const day = ok(await business.client.get(`/reconciliation?date=${today}&include=users`), 200);
    const figures = { opening_balance: 0, funded: 1000, withdrawn: 1, bet_credits: 10, bet_debits: 0, corrected: -4 };
    expect(day.users).toMatchObject([{ user_reference: 'ann', ...figures, closing_balance: 1005 }, {}]);
    expect(day.users[1].corrected).toBeUndefined();
    expect(day).toMatchObject({ corrected: -4, closing_balance: 1005 + 990 });
    const statement = ok(await business.client.get('/account/user/ann/statement?from=2026-01-01T00:00:00Z'), 200);
    expect(statement).toMatchObject({ credits: 1010, debits: 5, closing_balance: 1005 });
    expect((await runAudit()).code).toBe(0);
  });

  it('change nothing when nothing differs, or when the command is not whole', async () => {
    const count = () => environment.database.query('SELECT count(*) FROM transactions');
    const before = await count();
    expect(await correct('transactions', 'to be sure')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing was changed'),
    });
    for (const wrong of [
      correct('transactions', ''),
      correct('transactions', 'two\nlines'),
      correct('transactions', 'x'.repeat(1_001)),
      correct('both', 'why'),
      correct('transactions', 'why', '--from', '1'),
      correct('transactions', 'why', '--account', 'x'),
      runAudit('--correct'),
      runAudit('--keep', 'transactions'),
    ]) {
      expect(await wrong).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^Usage: .*\n +npm run audit -- --correct/),
      });
    }
    expect(await count()).toEqual(before);
  });
});
