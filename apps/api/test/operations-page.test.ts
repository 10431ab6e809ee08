import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { logIn, registerAndLogIn } from '#testing/client.js';
import { addFactor } from '#testing/second-factor.js';
import { ok } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// Runs the SQL of docs/operations.md as it stands there.

const api = withTestApi();
let page: string;

beforeAll(async () => {
  page = await readFile('docs/operations.md', 'utf8');
});

const chapter = (title: string): string => page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
const blockOf = (title: string): string => /```sql\n([\s\S]*?)```/.exec(chapter(title))?.[1] ?? '';

interface Sequence {
  readonly name: string;
  readonly value: number;
}

const sequences = async (): Promise<readonly Sequence[]> =>
  (await api.database.query(
    `SELECT sequencename AS name, coalesce(last_value, 0)::float8 AS value FROM pg_sequences
      WHERE schemaname = 'public' ORDER BY sequencename`,
  )) as unknown as Sequence[];

describe('after a restore', () => {
  it('every sequence is moved ahead', async () => {
    await registerAndLogIn(api.client);
    const before = await sequences();
    expect(before.map(({ name }) => name)).toContain('change_requests_id_seq');
    const [, sql = ''] = /`(SELECT setval[^`]+)`/.exec(chapter('After a restore')) ?? [];
    await api.database.query(sql);
    const after = await sequences();
    const far = after.filter(({ value }, index) => value >= (before[index]?.value ?? 0) + 10_000_000);
    expect(far).toHaveLength(before.length);
    await registerAndLogIn(api.client);
  });

  it('what became due is found, also requests for an approval', async () => {
    const { token } = await registerAndLogIn(api.client);
    const accountId = Number(token.split('.')[0]);
    const due = () => api.database.query(blockOf('After a restore'));
    expect(await due()).toHaveLength(0);
    await api.database.query(
      `INSERT INTO change_requests (account_id, kind, operation, target, asks, suspended, revision, made_by_name, expires_at)
       VALUES ($1, 'withdraw_user', '{}', 'user ann', 'account', false, 1, 'Ann', now())`,
      [accountId],
    );
    expect(await due()).toHaveLength(1);
  });
});

describe('a second factor that is lost', () => {
  it('is removed with the sessions and the codes of whoever has found it', async () => {
    const account = await registerAndLogIn(api.client);
    const other = await registerAndLogIn(api.client);
    await addFactor(account.client, account);
    await api.database.query(
      `INSERT INTO reset_codes (account_id, operator_id, code_hash, expires_at)
       SELECT account_id, id, 'hash', now() + interval '1 minute' FROM operators WHERE email = $1`,
      [account.email],
    );
    await api.database.query(blockOf('A lost second factor').replaceAll('…', account.email.toUpperCase()));
    expect((await account.client.get('/auth/account/me')).status).toBe(401);
    expect(await api.database.query('SELECT FROM reset_codes')).toEqual([]);
    const client = api.client.as({ token: await logIn(api.client, account) });
    expect(ok(await client.get('/operators/me'), 200).data.has_second_factor).toBe(false);
    ok(await other.client.get('/auth/account/me'), 200);
  });
});
