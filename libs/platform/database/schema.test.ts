import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '#testing/databases.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`INSERT INTO accounts (name, email) VALUES ('One', 'One@example.com')`);
  await database.query(`INSERT INTO users (account_id, reference, name) VALUES (1, 'u1', 'U1'), (1, 'u2', 'U2')`);
  await database.query(`INSERT INTO balances (account_id, user_id) VALUES (1, 1), (1, 2)`);
  await database.query(`INSERT INTO wagers (account_id, reference) VALUES (1, 'w1')`);
  await database.query(bet());
  await database.query(
    `INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount)
     VALUES (1, 1, 1, 'requesting', 'made', 'undecided', 2000000, 1)`,
  );
  await database.query(transaction());
});

afterAll(async () => {
  await database?.drop();
});

describe('the migrations', () => {
  it('leave no row behind, so no account exists until one registers', async () => {
    const migrated = await createTestDatabase();
    try {
      const tables = await migrated.query(
        `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
      );
      expect(tables.length).toBeGreaterThan(25);
      for (const { name } of tables) expect([name, await migrated.query(`SELECT FROM ${name}`)]).toEqual([name, []]);
    } finally {
      await migrated.drop();
    }
  });
});

function bet(change: Record<string, string> = {}): string {
  const columns = {
    account_id: '1',
    wager_id: '1',
    requesting_user_id: '1',
    requesting_odds: '2000000',
    requesting_amount: '5',
    queue_place: '1',
    ...change,
  };
  return `INSERT INTO bets (${Object.keys(columns).join()}) VALUES (${Object.values(columns).join()})`;
}

const accepted = {
  accepting_user_id: '2',
  effective_odds: '2000000',
  effective_amount: '5',
  offer_status: `'accepted'`,
};

function transaction(change: Record<string, string> = {}): string {
  const columns = {
    account_id: '1',
    user_id: '1',
    amount: '5',
    description: `''`,
    transaction_type: `'credit'`,
    transaction_source: `'funding'`,
    balance_after: '5',
    ...change,
  };
  return `INSERT INTO transactions (${Object.keys(columns).join()}) VALUES (${Object.values(columns).join()})`;
}

describe('the database itself', () => {
  it.each(['bet_trails', 'transactions'])('refuses to change or delete %s', async (table) => {
    for (const sql of [
      `UPDATE ${table} SET description = 'other'`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
      `UPDATE ${table} SET description = '' WHERE false`,
      `UPDATE ${table} SET created_at = created_at WHERE false`,
    ]) {
      await expect(database.query(sql)).rejects.toThrow(`${table} is append-only`);
    }
  });

  it('inserts a position that is not stored, and updates one that is: nothing is overwritten or lost', async () => {
    const write = (parameter: string, userId: number, offered: number) =>
      database.query(`SELECT write_group(${parameter} => ARRAY[ROW(1, ${userId}, 1, 0, 0, ${offered})::position_row])`);
    await write('p_new_positions', 1, 5);
    await write('p_positions', 1, 6);
    await expect(write('p_new_positions', 1, 7)).rejects.toThrow('positions_pkey');
    await expect(write('p_positions', 2, 8)).rejects.toThrow('a position is not stored');
    const positions = await database.query('SELECT user_id::int, offered::int FROM positions');
    expect(positions).toEqual([{ user_id: 1, offered: 6 }]);
  });

  it('refuses to change account events, and to delete them before 400 days', async () => {
    const event = (age: string) =>
      database.query(
        `INSERT INTO account_events (account_id, type, actor, created_at)
         VALUES (1, 'login', '{"type": "account"}', now() - $1::interval) RETURNING id::int`,
        [age],
      );
    const [young] = await event('399 days');
    const [old] = await event('401 days');
    for (const sql of [`UPDATE account_events SET address = 'x' WHERE false`, 'TRUNCATE account_events']) {
      await expect(database.query(sql)).rejects.toThrow('account_events is append-only');
    }
    await expect(database.query('DELETE FROM account_events')).rejects.toThrow('append-only for 400 days');
    await database.query('DELETE FROM account_events WHERE id = $1', [old?.id]);
    expect(await database.query('SELECT id::int FROM account_events')).toEqual([{ id: young?.id }]);
  });

  it.each(['users', 'wagers', 'bets'])('refuses to delete %s or to change their keys', async (table) => {
    for (const sql of [
      `DELETE FROM ${table} WHERE false`,
      `TRUNCATE ${table} CASCADE`,
      `UPDATE ${table} SET id = id + 1 WHERE false`,
      `UPDATE ${table} SET account_id = 2 WHERE false`,
    ]) {
      await expect(database.query(sql)).rejects.toThrow(`rows of ${table} stay`);
    }
  });

  it.each([
    ['an amount of nothing', bet({ requesting_amount: '0' }), 'bets_amount_positive'],
    ['odds below one', bet({ requesting_odds: '999999' }), 'bets_odds_minimum'],
    ['an unknown status', bet({ offer_status: `'sold'` }), 'bets_status_known'],
    ['an unknown override', bet({ override_outcome: `'draw'` }), 'bets_override_known'],
    ['a settled offer', bet({ settled_outcome: `'win'` }), 'bets_settled_was_accepted'],
    ['an unknown settled outcome', bet({ ...accepted, settled_outcome: `'draw'` }), 'bets_settled_known'],
    ['an acceptance without terms', bet({ accepting_user_id: '2' }), 'bets_acceptance_whole'],
    ['an acceptance without acceptor', bet({ offer_status: `'accepted'` }), 'bets_accepted_has_acceptor'],
    ['an open offer with acceptor', bet({ ...accepted, offer_status: `'requesting'` }), 'bets_open_has_none'],
    ['a canceled offer with acceptor', bet({ ...accepted, offer_status: `'canceled'` }), 'bets_open_has_none'],
    ['an acceptance of nothing', bet({ ...accepted, effective_amount: '0' }), 'bets_effective_within_offer'],
    ['accepted odds below one', bet({ ...accepted, effective_odds: '999999' }), 'bets_effective_within_offer'],
    ['a bet with oneself', bet({ ...accepted, accepting_user_id: '1' }), 'bets_never_with_oneself'],
    ['an open offer whose time is over', bet({ expires_at: 'now()', timed_out: 'true' }), 'bets_timed_out_is_expired'],
    ['an unknown status of a wager', `UPDATE wagers SET status = 'paused'`, 'wagers_status_known'],
    ['a reason why a wager is open', `UPDATE wagers SET status_reason = 'Goal'`, 'wagers_open_for_no_reason'],
    ['an empty reason', `UPDATE wagers SET status = 'closed', status_reason = ''`, 'wagers_status_reason_length'],
    ['an empty label of an event', `UPDATE wagers SET event = ''`, 'wagers_event_length'],
    ['more accepted than offered', bet({ ...accepted, effective_amount: '6' }), 'bets_effective_within_offer'],
    [
      'an unknown transaction type',
      transaction({ transaction_type: `'gift'`, transaction_source: `'withdrawal'` }),
      'transactions_type_known',
    ],
    ['an unknown transaction source', transaction({ transaction_source: `'luck'` }), 'transactions_source_known'],
    ['a negative amount', transaction({ amount: '-5' }), 'transactions_sign_in_type'],
    [
      'a no-action that moves',
      transaction({ transaction_type: `'no-action'`, transaction_source: `'withdrawal'` }),
      'transactions_sign_in_type',
    ],
    ['a funding as a debit', transaction({ transaction_type: `'debit'` }), 'transactions_funding_is_credit'],
    [
      'a withdrawal as a credit',
      transaction({ transaction_source: `'withdrawal'` }),
      'transactions_withdrawal_is_debit',
    ],
    ['a funding with a trail', transaction({ bet_trail_id: '1' }), 'transactions_bet_has_trail'],
    ['a bet transaction without trail', transaction({ transaction_source: `'bet'` }), 'transactions_bet_has_trail'],
    ['a negative exposure', 'UPDATE balances SET exposure = -1', 'balances_exposure_not_negative'],
    ['an unknown outcome', `UPDATE wagers SET outcome = 'draw'`, 'wagers_outcome_known'],
    ['an unknown status of an account', `UPDATE accounts SET status = 'gone'`, 'accounts_status_known'],
    [
      'an event of an unknown kind of actor',
      `INSERT INTO account_events (account_id, type, actor) VALUES (1, 'login', '{}')`,
      'account_events_actor_known',
    ],
    ['an unknown role', `UPDATE accounts SET role = 'root'`, 'accounts_role_known'],
    [
      'a key with the role of people',
      `INSERT INTO api_keys (account_id, name, role, api_key, secret_hash) VALUES (1, 'k', 'approver', 'k', 'x')`,
      'api_keys_role_known',
    ],
    [
      'an operator of an unknown state',
      `INSERT INTO operators (account_id, name, email, role, state) VALUES (1, 'o', 'o@example.com', 'owner', 'gone')`,
      'operators_state_known',
    ],
    [
      'an invited operator with a password',
      `INSERT INTO operators (account_id, name, email, role, state, password_hash)
         VALUES (1, 'o', 'o@example.com', 'owner', 'invited', 'x')`,
      'operators_invited_have_no_password',
    ],
    [
      'an invitation without an end',
      `INSERT INTO operators (account_id, name, email, role, state, invitation_hash)
       VALUES (1, 'o', 'o@example.com', 'owner', 'invited', '\\x00')`,
      'operators_invitation_ends',
    ],
    [
      'a second factor that is not encrypted',
      `INSERT INTO operators (account_id, name, email, role, second_factor_secret)
         VALUES (1, 'o', 'o@example.com', 'owner', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')`,
      'operators_second_factor_encrypted',
    ],
    [
      'a confirmed second factor without a secret',
      `INSERT INTO operators (account_id, name, email, role, second_factor_at, second_factor_step)
         VALUES (1, 'o', 'o@example.com', 'owner', now(), 1)`,
      'operators_second_factor_whole',
    ],
    [
      'eleven recovery codes',
      `INSERT INTO operators (account_id, name, email, role, recovery_hashes)
         VALUES (1, 'o', 'o@example.com', 'owner', array_fill('\\x00'::bytea, ARRAY[11]))`,
      'operators_recovery_codes_few',
    ],
    [
      'an e-mail of two operators',
      `INSERT INTO operators (account_id, name, email, role)
         VALUES (1, 'o', 'o@example.com', 'owner'), (1, 'p', 'O@Example.com', 'owner')`,
      'operators_email_key',
    ],
    [
      'an e-mail in another case',
      `INSERT INTO accounts (name, email) VALUES ('', 'ONE@EXAMPLE.COM')`,
      'accounts_email_key',
    ],
    [
      'a reference twice',
      `INSERT INTO users (account_id, reference, name) VALUES (1, 'u1', '')`,
      'users_account_id_reference_key',
    ],
  ])('refuses %s', async (_case, sql, constraint) => {
    await expect(database.query(sql)).rejects.toThrow(constraint);
  });

  it('begins every key of a tenant table with the account, so that it can be distributed by it', async () => {
    const keys = await database.query(`
      SELECT c.conrelid::regclass::text AS "table", c.conname AS key, c.contype AS kind,
             (SELECT attname FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = c.conkey[1]) AS first,
             (SELECT attname FROM pg_attribute WHERE attrelid = c.confrelid AND attnum = c.confkey[1]) AS target
        FROM pg_constraint c
       WHERE c.contype IN ('p', 'u', 'f') AND c.connamespace = 'public'::regnamespace
         AND c.conrelid::regclass::text NOT IN ('accounts', 'worker_heartbeats', '_prisma_migrations')
      UNION ALL
      SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, 'i',
             (SELECT attname FROM pg_attribute WHERE attrelid = i.indrelid AND attnum = i.indkey[0]), NULL
        FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
       WHERE i.indisunique AND t.relnamespace = 'public'::regnamespace AND t.relname NOT IN ('accounts', 'worker_heartbeats', '_prisma_migrations')
         -- An e-mail is one operator of one account: on the coordinator, which has all of them.
         AND i.indexrelid <> 'operators_email_key'::regclass`);
    expect(keys.length).toBeGreaterThan(40);
    expect(keys.filter(({ first }) => first !== 'account_id')).toEqual([]);
    expect(keys.filter(({ kind, target }) => kind === 'f' && target !== 'account_id' && target !== 'id')).toEqual([]);
  });

  it('counts rows exactly for every inserting statement', async () => {
    const count = async () =>
      (await database.query(`SELECT sum(rows)::int AS rows FROM row_counts WHERE account_id = 1 AND kind = 'users'`))[0]
        ?.rows;
    expect(await count()).toBe(2);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        database.query(
          `INSERT INTO users (account_id, reference, name) VALUES (1, 'p${index}', ''), (1, 'q${index}', '')`,
        ),
      ),
    );
    expect(await count()).toBe(42);
    await expect(
      database.query(`INSERT INTO users (account_id, reference, name) VALUES (1, 'r', ''), (1, 'u1', '')`),
    ).rejects.toThrow();
    expect(await count()).toBe(42);
  });
});
