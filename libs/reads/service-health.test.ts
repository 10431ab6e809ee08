import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#platform/database/database.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import {
  listAllStuckSettlements,
  listUsersBelowZero,
  MOST_STUCK,
  readAccountHealth,
  readServiceHealth,
} from './service-health.js';

const environment = withTestEnvironment(async () => database?.disconnect());
let database: Database;

beforeAll(async () => {
  // No statement may take longer than 3.5 seconds.
  database = openDatabase({
    url: environment.database.url,
    connections: 2,
    deadlineMs: 5_000,
    onConnectionError: () => undefined,
  });
  await query(`INSERT INTO accounts (name, email) VALUES ('a', 'a@example.com'), ('b', 'b@example.com')`);
});

const query = (sql: string, values?: unknown[]) => environment.database.query(sql, values);

interface Settling {
  readonly account?: number;
  /** For how many seconds; undefined: it is settled, or has not happened. */
  readonly waits?: number;
  readonly moved?: number;
  readonly failed?: number;
  readonly done?: number;
}

/** Wagers that are being settled, with the work of each. */
async function seed(settlings: readonly Settling[]): Promise<void> {
  const ago = (seconds: number | undefined) => (seconds === undefined ? 'NULL' : `now() - interval '${seconds} s'`);
  await query('DELETE FROM outbox');
  // The triggers of wagers are about decisions.
  await query(`SET session_replication_role = replica; DELETE FROM wagers;
    INSERT INTO wagers (account_id, id, reference, outcome, settling_since) VALUES
    ${settlings.map(({ account = 1, waits }, index) => `(${account}, ${index}, 'w${index}', 'win', ${ago(waits)})`).join()};
    INSERT INTO outbox (account_id, topic, payload, moved_at, failed_at, done_at) VALUES
    ${settlings
      .map(
        ({ account = 1, moved, failed, done }, index) =>
          `(${account}, 'settle-wager', '{"wagerId": "${index}"}', ${ago(moved)}, ${ago(failed)}, ${ago(done)})`,
      )
      .join()}`);
}

const cases: readonly (readonly [string, Settling, Settling, boolean])[] = [
  ['that waits for less than a minute', { waits: 50 }, {}, false],
  ['while no settlement of its account moves', { waits: 70 }, { waits: 5 }, true],
  ['that moves', { waits: 7_000, moved: 50 }, {}, false],
  ['that moves no more, nor another one', { waits: 7_000, moved: 70 }, { waits: 7_000, moved: 70 }, true],
  ['while another one of its account moves', { waits: 70 }, { waits: 70, moved: 10 }, false],
  ['while another one of its account has just ended', { waits: 70 }, { done: 10 }, false],
  ['while one of another account moves', { waits: 70 }, { account: 2, waits: 70, moved: 10 }, true],
  ['that fails, while another one moves', { waits: 70, failed: 5 }, { waits: 70, moved: 10 }, true],
  ['that failed, and moved a moment before that', { waits: 7_000, moved: 50, failed: 40 }, {}, false],
  ['that has waited for its turn for 15 minutes', { waits: 910 }, { waits: 70, moved: 10 }, true],
  ['that moved in its last turn, 14 minutes ago', { waits: 7_000, moved: 850 }, { waits: 70, moved: 10 }, false],
];

describe('a settlement', () => {
  it.each(cases)('%s', async (_, settling, another, isStuck) => {
    await seed([settling, another]);
    const { stuckSettlements } = await readAccountHealth(database.of(1n), 1n);
    expect(stuckSettlements.some(({ id }) => id === 0n)).toBe(isStuck);
    const ofAll = await listAllStuckSettlements(database);
    expect(ofAll.some(({ id }) => id === 0n)).toBe(isStuck);
    expect((await readServiceHealth(database)).stuckSettlements).toBe(ofAll.length);
    expect((await readAccountHealth(database.of(1n), 2n)).stuckSettlements).toEqual([]);
  });
});

describe('many settlements at once', () => {
  it('are read in time', async () => {
    await seed(Array.from({ length: 3_000 }, () => ({ waits: 70 })));
    expect((await readServiceHealth(database)).stuckSettlements).toBe(1_000);
    expect(await listAllStuckSettlements(database)).toHaveLength(MOST_STUCK);
  });
});

describe('work that waits', () => {
  const minutesAgo = (minutes: number) => `now() - interval '${minutes} min'`;
  const work = (topic: string, columns: Readonly<Record<string, string>>) =>
    query(
      `INSERT INTO outbox (account_id, topic, ${Object.keys(columns)}) VALUES (1, '${topic}', ${Object.values(columns)})`,
    );

  it.each([
    ['a mail for six minutes', 'verification-mail', { created_at: minutesAgo(6) }, 1],
    ['a mail for four minutes', 'verification-mail', { created_at: minutesAgo(4) }, 0],
    ['a mail that has failed', 'verification-mail', { created_at: minutesAgo(6), failed_at: 'now()' }, 0],
    ['a settlement that fails', 'settle-wager', { created_at: minutesAgo(6), failed_at: 'now()' }, 1],
    ['a settlement that moves', 'settle-wager', { created_at: minutesAgo(60), moved_at: minutesAgo(4) }, 0],
    ['an export for six minutes', 'make-export', { created_at: minutesAgo(6) }, 0],
    ['an export for an hour', 'make-export', { created_at: minutesAgo(61) }, 1],
    ['what is done', 'cancel-offers', { created_at: minutesAgo(6), done_at: 'now()' }, 0],
  ])('is overdue or not: %s', async (_what, topic, columns, overdue) => {
    await query('DELETE FROM outbox');
    await work(topic, columns);
    expect((await readAccountHealth(database.of(1n), 1n)).overdueWork).toBe(overdue);
    expect((await readAccountHealth(database.of(2n), 2n)).overdueWork).toBe(0);
    expect((await readServiceHealth(database)).overdueWork).toBe(overdue);
  });

  it('is counted up to 1,000', async () => {
    await query(`INSERT INTO outbox (account_id, topic, created_at)
      SELECT 1, 'verification-mail', ${minutesAgo(6)} FROM generate_series(1, 1001)`);
    expect((await readServiceHealth(database)).overdueWork).toBe(1_000);
  });
});

describe('an audit', () => {
  it('is late when no night has confirmed an account for two days', async () => {
    await query(`INSERT INTO account_closings (account_id, day, closed_at, last_bet_id, last_trail_id, last_transaction_id, bets,
                                               transactions, audit_due_since)
      VALUES (1, '1970-01-01', now(), 0, 0, 0, 0, 0, now() - interval '2 days')`);
    expect((await readAccountHealth(database.of(1n), 1n)).lateAudits).toBe(1);
    expect((await readAccountHealth(database.of(2n), 2n)).lateAudits).toBe(0);
    expect((await readServiceHealth(database)).lateAudits).toBe(1);
  });

  it('is not late when none is due', async () => {
    await query('UPDATE account_closings SET audit_due_since = NULL');
    expect((await readAccountHealth(database.of(1n), 1n)).lateAudits).toBe(0);
  });
});

describe('users below zero', () => {
  const belowZero = async (account: bigint) =>
    (await listUsersBelowZero(database.of(account), account)).map(({ reference, available }) => [reference, available]);

  it('are those who may not be there, the lowest first', async () => {
    await query(`INSERT INTO users (account_id, reference, name, preferences) VALUES
      (1, 'low', 'x', NULL), (1, 'lower', 'x', '{}'), (1, 'fine', 'x', NULL), (2, 'other', 'x', NULL),
      (1, 'may', 'x', '{"allow_negative_balance": true}'), (1, 'never', 'x', '{"allow_negative_balance": false}')`);
    await query(`INSERT INTO balances (account_id, user_id, balance, exposure)
      SELECT account_id, id, 5, CASE reference WHEN 'fine' THEN 5 WHEN 'lower' THEN 9 ELSE 7 END FROM users`);
    const low = ['low', -2n];
    expect(await belowZero(1n)).toEqual([['lower', -4n], low, ['never', -2n]]);
    expect(await belowZero(2n)).toEqual([['other', -2n]]);
    await query(`UPDATE accounts SET preferences = '{"allow_negative_balance": true}' WHERE id = 1`);
    expect(await belowZero(1n)).toEqual([['never', -2n]]);
  });
});

describe('webhooks', () => {
  it('fail until their owner disables them', async () => {
    await query(`INSERT INTO webhook_endpoints (account_id, id, url, types, mode, cursor_seq, secret_now, state, failing_since, disabled_reason)
      SELECT 1, n, 'https://example.com/' || n, '{*}', 'ordered', 0, '0123abcd:' || repeat('A', 80), state, since, reason
        FROM (VALUES (1, 'active', NULL::timestamptz, NULL), (2, 'failing', now(), NULL), (3, 'disabled', NULL, 'gone'),
                     (4, 'disabled', NULL, 'requested')) AS given (n, state, since, reason)`);
    const { failingWebhooks } = await readAccountHealth(database.of(1n), 1n);
    expect(failingWebhooks).toMatchObject([
      { id: 2n, url: 'https://example.com/2', state: 'failing', failingSince: expect.any(Date) },
      { id: 3n, state: 'disabled' },
    ]);
    expect((await readServiceHealth(database)).failingWebhooks).toBe(2);
    expect((await readAccountHealth(database.of(2n), 2n)).failingWebhooks).toEqual([]);
  });
});
