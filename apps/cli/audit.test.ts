import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '#platform/config/time-units.js';
import { connectDatabase } from '#platform/database/database.js';
import { expectSoon } from '#testing/console.js';
import { createDatabase } from '#testing/databases.js';
import { auditAt } from '#testing/nightly-audit.js';
import { startTestApi, type TestPart } from '#testing/parts.js';
import { runCli } from '#testing/run-cli.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestEnvironment } from '#testing/with-environment.js';

const environment = withTestEnvironment(async () => api?.close());
let api: TestPart;
let business: TestBusiness;
let other: TestBusiness;
let account: number;
let ann: number;

beforeAll(async () => {
  api = await startTestApi(environment);
  [business, other] = [await openTestBusiness(api.client), await openTestBusiness(api.client)];
  account = business.account.id;
  ann = await business.user('ann');
  await business.user('bob');
  await business.make('ann', 10, 2.5);
  await business.accept('bob', 4);
});

const USAGE = `Usage: npm run audit [-- --from ACCOUNT_ID]
       npm run audit -- --correct --account ACCOUNT_ID --user USER_ID --keep transactions|balance --reason TEXT
`;

const runAuditOn = (databaseUrl: string | undefined, ...args: string[]) =>
  runCli('audit', args, databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl });

const dateOf = (at: Date) => at.toISOString().slice(0, 10);

/** What an account is shown of the last audit of it. */
async function lastAuditOf({ client }: TestBusiness) {
  const { last_audit: ofDay } = ok(await client.get(`/reconciliation?date=${dateOf(new Date())}`), 200);
  await expectSoon(async () => ok(await client.get('/account/health'), 200).data.last_audit, ofDay);
  return ofDay;
}

describe('the audit command', () => {
  it('leaves a verdict on the accounts that it has audited, and on no other', async () => {
    expect((await runAuditOn(environment.database.url, '--from', String(other.account.id))).code).toBe(0);
    const balanced = { verdict: 'balanced', failed_checks: 0, audited_by: 'command' };
    expect([await lastAuditOf(business), await lastAuditOf(other)]).toEqual([null, expect.objectContaining(balanced)]);
    expect((await runAuditOn(environment.database.url)).code).toBe(0);
    expect(await lastAuditOf(business)).toMatchObject(balanced);
  });

  it('has the last word over a verdict of the future, which a wrong clock has left', async () => {
    await environment.database.query(
      `UPDATE command_audits SET audited_at = now() + interval '1 day', failed_checks = 1 WHERE account_id = $1`,
      [account],
    );
    expect((await runAuditOn(environment.database.url)).code).toBe(0);
    const { audited_at, ...verdict } = await lastAuditOf(business);
    expect(verdict).toEqual({ verdict: 'balanced', failed_checks: 0, audited_by: 'command' });
    expect(Date.parse(audited_at)).toBeLessThanOrEqual(Date.now());
  });

  it('leaves its closing to the night, whose verdict is then the newest', async () => {
    const database = await connectDatabase({
      url: environment.database.url,
      connections: 1,
      onConnectionError: () => undefined,
    });
    try {
      const night = new Date(Date.now() + DAY_MS);
      const { closedAccounts } = await auditAt({ database, logger: environment.logger }, night);
      expect(closedAccounts).toBe(2);
      await environment.database.query(`UPDATE command_audits SET audited_at = now() + interval '2 days'`);
      expect(await lastAuditOf(business)).toMatchObject({ verdict: 'balanced', audited_by: 'night' });
    } finally {
      await database.disconnect();
    }
  });

  it('prints what it compared and that the books balance', async () => {
    const { code, stdout, stderr } = await runAuditOn(environment.database.url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[1]).toBe('ok      balance = sum of the transactions (2 users)');
    expect(lines.slice(0, -2).filter((line) => !line.startsWith('ok      '))).toEqual([]);
    expect(lines.at(-2)).toBe('');
    expect(lines.at(-1)).toMatch(/^The books balance: \d+ checks, \d+ comparisons, \d+\.\d s\.$/);
  });

  it('begins with the account that is named', async () => {
    const firstCheck = async (from: number) => {
      const { code, stdout } = await runAuditOn(environment.database.url, '--from', String(from));
      return [code, stdout.split('\n').find((line) => line.includes('balance = sum of the transactions'))];
    };
    const line = (users: number) => `ok      balance = sum of the transactions (${users} users)`;
    expect(await firstCheck(account)).toEqual([0, line(2)]);
    expect(await firstCheck(account + 1)).toEqual([0, line(0)]);
  });

  it('lists every difference, and exits with 1', async () => {
    await environment.database.query(
      'UPDATE balances SET balance = balance + 1 WHERE account_id = $1 AND user_id = $2',
      [account, ann],
    );
    const { code, stdout } = await runAuditOn(environment.database.url);
    expect(code).toBe(1);
    expect(await lastAuditOf(business)).toMatchObject({ verdict: 'differs', audited_by: 'command' });
    expect((await lastAuditOf(business)).failed_checks).toBeGreaterThan(0);
    expect(await lastAuditOf(other)).toMatchObject({ verdict: 'balanced', audited_by: 'command' });
    expect(stdout).toContain('DIFFERS balance = sum of the transactions (2 users): 1 difference\n');
    expect(stdout).toMatch(
      /\n\nbalance = .*: 1 difference\n {2}account \d+, user \d+ \(ann\): balance is 1000\.000001, the transactions sum to 1000\n\n1 difference found: /,
    );
  });

  it('exits with 2 when it has no result, and prints why', async () => {
    const empty = await createDatabase(environment.database.url);
    expect(await runAuditOn(empty.url)).toMatchObject({ code: 2, stderr: expect.stringContaining('migration') });
    await empty.drop();
    const nowhere = await runAuditOn('postgresql://nobody@127.0.0.1:1/nothing');
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('does not answer') });
    expect(await runAuditOn(undefined)).toMatchObject({ code: 2, stderr: 'DATABASE_URL is not set.\n' });
    const asked = await runAuditOn(environment.database.url, 'everything');
    expect(asked).toMatchObject({ code: 2, stdout: '', stderr: USAGE });
  });
});
