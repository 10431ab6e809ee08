import { describe, expect, it } from '@jest/globals';
import { deleteSandboxChunk, LEDGER_TABLES } from '#accounts/sandboxes/delete-rows.js';
import { connectDatabase } from '#platform/database/database.js';
import { COORDINATOR_TABLES } from '#platform/database/distribute.js';
import { expectBooksToBalance } from '#testing/books.js';
import { registerAndLogIn } from '#testing/client.js';
import { fundUsers, openSandbox, type TestSandbox } from '#testing/sandboxes.js';
import { acceptance, offer, ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true, hasWorker: true });

/** The tables of the catalogue that name an account. */
async function tablesOfAccounts(): Promise<string[]> {
  const rows = await api.database.query(`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`);
  return rows.map(({ name }) => String(name));
}

/** The tables that have a row of the account. */
async function tablesWith(id: number): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tablesOfAccounts()) {
    const rows = await api.database.query(`SELECT FROM ${name} WHERE account_id = $1 LIMIT 1`, [id]);
    if (rows.length > 0) found.push(name);
  }
  const accounts = await api.database.query('SELECT FROM accounts WHERE id = $1', [id]);
  return accounts.length > 0 ? [...found, 'accounts'] : found;
}

const untilGone = (id: number) =>
  waitFor(async () => (await api.database.query('SELECT FROM accounts WHERE id = $1', [id])).length === 0 || undefined);

async function bet({ client }: TestSandbox, reference = 'match'): Promise<void> {
  const wager_reference = reference;
  const key = { headers: { 'Idempotency-Key': `offer ${reference}` } };
  ok(await client.post('/bets/make-offer', offer('ann', 10, 2, { wager_reference, meta: { a: 'b' } }), key));
  ok(await client.post('/bets/accept-offer', acceptance('bob', 4, { wager_reference })));
}

/** On a cluster PostgreSQL names the shard, where another trigger may come first. */
const rowsStay = (table: string) => new RegExp(`${table}(_\\d+)? (stay|is append-only)`);

describe('the deletion of a sandbox', () => {
  it('knows every table of the catalogue that names an account', async () => {
    expect([...LEDGER_TABLES, ...COORDINATOR_TABLES].sort()).toEqual(await tablesOfAccounts());
  });

  it('leaves no row in any table, and not one of another account less', async () => {
    const business = await registerAndLogIn(api.client);
    const kept = await openSandbox(business.client, 'kept');
    const sandbox = await openSandbox(business.client, 'deleted');
    for (const each of [kept, sandbox]) {
      await fundUsers(each.client);
      await bet(each);
      ok(await each.client.post('/transactions/fund-user', { user_reference: 'ann', amount: 1, reference: 'own' }));
      ok(await each.client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win' }));
      ok(
        await each.client.post('/previews', {
          operation: { type: 'update_wager_outcome', reference: 'match', outcome: 'loss' },
        }),
        200,
      );
      expect((await each.client.post('/bets/accept-offer', acceptance('bob', 4))).status).toBe(400);
    }
    const before = await tablesWith(kept.id);
    expect(before.length).toBeGreaterThan(15);
    ok(await business.client.delete(`/account/sandboxes/${sandbox.id}`), 200);
    expect((await sandbox.client.get('/account/user')).status).toBe(401);
    await untilGone(sandbox.id);
    expect(await tablesWith(sandbox.id)).toEqual([]);
    expect(await tablesWith(kept.id)).toEqual(expect.arrayContaining(before));
    expect(ok(await kept.client.get('/account/user'), 200).data.items).toHaveLength(2);
    expect((await business.client.delete(`/account/sandboxes/${sandbox.id}`)).status).toBe(404);
  });

  it('ends while requests come, and refuses them from its answer on', async () => {
    const business = await registerAndLogIn(api.client);
    const sandbox = await openSandbox(business.client);
    await fundUsers(sandbox.client);
    let isAnswered = false;
    const late: number[] = [];
    const caller = async (name: number) => {
      for (let index = 0; ; index += 1) {
        const wasAnswered = isAnswered;
        const wager_reference = `wager ${name} ${index}`;
        const { status } = await sandbox.client.post('/bets/make-offer', offer('ann', 0.1, 2, { wager_reference }));
        if (wasAnswered) late.push(status);
        if (status !== 201) return status;
      }
    };
    const callers = Promise.all(Array.from({ length: 8 }, (_, name) => caller(name)));
    await waitFor(async () => ok(await sandbox.client.get('/bets/open-bets'), 200).data.length > 10 || undefined);
    const deleted = await Promise.all([1, 2].map(() => business.client.delete(`/account/sandboxes/${sandbox.id}`)));
    isAnswered = true;
    expect(deleted.map(({ status }) => status)).toEqual([200, 200]);
    for (const status of await callers) expect([401, 410]).toContain(status);
    expect(late.filter((status) => status !== 401)).toEqual([]);
    await untilGone(sandbox.id);
    expect(await tablesWith(sandbox.id)).toEqual([]);
  });

  it('goes in bounded chunks, and what is half deleted is no difference in the books', async () => {
    const business = await registerAndLogIn(api.client);
    const sandbox = await openSandbox(business.client);
    await fundUsers(sandbox.client);
    for (let index = 0; index < 5; index += 1) await bet(sandbox, `wager ${index}`);
    const database = await connectDatabase({
      url: api.database.url,
      connections: 2,
      onConnectionError: () => undefined,
    });
    try {
      const id = BigInt(sandbox.id);
      await expect(deleteSandboxChunk(database, id, 20)).rejects.toThrow(rowsStay('wagers'));
      await api.database.query('UPDATE accounts SET removed_since = now() WHERE id = $1', [sandbox.id]);
      let chunks = 1;
      while ((await deleteSandboxChunk(database, id, 20)) === 'more') {
        chunks += 1;
        await expectBooksToBalance(api.database);
      }
      expect(chunks).toBeGreaterThan(4);
      expect(await tablesWith(sandbox.id)).toEqual([]);
    } finally {
      await database.disconnect();
    }
  });

  it('is done to no real account: the database refuses each step', async () => {
    const business = await registerAndLogIn(api.client);
    await fundUsers(business.client);
    const [row] = await api.database.query('SELECT id FROM accounts WHERE email = $1', [business.email]);
    const refused = (sql: string, text: string | RegExp) =>
      expect(api.database.query(sql.replace('$1', String(row?.id)))).rejects.toThrow(text);
    await refused('UPDATE accounts SET removed_since = now() WHERE id = $1', 'accounts_real_stay');
    await refused('UPDATE accounts SET clock_ahead = 1 WHERE id = $1', 'accounts_real_stay');
    await refused('UPDATE accounts SET sandbox_of = 1 WHERE id = $1', rowsStay('accounts'));
    for (const table of ['users', 'transactions', 'event_groups', 'event_heads']) {
      await refused(
        `DO $do$ BEGIN PERFORM set_config('ledger.removes_sandbox', 'on', true);
           DELETE FROM ${table} WHERE account_id = $1; END $do$`,
        rowsStay(table),
      );
    }
  });
});
