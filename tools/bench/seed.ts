import { createApiKeyPair } from '#accounts/access/secrets.js';
import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import type { BenchDatabase } from './database.js';
import type { LoadAccount } from './load/plan.js';

/**
 * The data of the benchmark's databases. Ids follow from the numbers, so that the load generator, pgbench and SQL need no
 * lists: account a has the users (a − 1) × 1,000 + 1 … and the wagers (a − 1) × 100 + 1 …, called w1 … w100.
 */
export const USERS = 1_000;
export const WAGERS = 100;
export const ACCOUNTS = 10;

/** All offers are for this amount, so that an acceptance takes exactly one of them. */
export const AMOUNT_MICROS = 10_000_000;
/** The first balance of each user: enough for any number of offers. */
const START_BALANCE_MICROS = 1_000_000_000_000_000;

export const firstUserId = (account: number): number => (account - 1) * USERS + 1;

// Seeds by SQL, which is faster than the API, rows as the API would write them: positions, exposures and trails agree with
// the bets, balances with the transactions.

/** Rows of one statement share one now(): seeded rows follow each other from this time on. */
const SOME_TIME_AGO = "now() - interval '1 day'";

/** Seeds accounts with API keys, users with balances, and wagers. */
export async function seedAccounts(database: BenchDatabase, accounts = ACCOUNTS): Promise<LoadAccount[]> {
  const keys = Array.from({ length: accounts }, (_, index) => createApiKeyPair(BigInt(index + 1)));
  await database.query(
    `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (key, hash, n)),
          opened AS (
       INSERT INTO accounts (id, name, email, email_verified_at, api_key_generated_at)
       SELECT n, 'Bench ' || n, 'bench' || n || '@example.com', now(), now() FROM given),
     people AS (
       INSERT INTO operators (account_id, id, name, email, role)
       SELECT n, n, 'Bench ' || n, 'bench' || n || '@example.com', 'owner' FROM given)
     INSERT INTO api_keys (account_id, operator_id, name, api_key, secret_hash)
     SELECT n, n, 'default', key, decode(hash, 'hex') FROM given`,
    [keys.map((pair) => pair.apiKey), keys.map((pair) => pair.secretHash.toString('hex'))],
  );
  await database.query(`
    INSERT INTO users (account_id, id, reference, name)
      SELECT a, (a - 1) * ${USERS} + n, 'u' || n, 'User ' || n
        FROM generate_series(1, ${accounts}) a, generate_series(1, ${USERS}) n;
    INSERT INTO balances (account_id, user_id, balance) SELECT account_id, id, ${START_BALANCE_MICROS} FROM users;
    INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
        balance_after)
      SELECT account_id, id, ${START_BALANCE_MICROS}, 'Balance funded', 'credit', 'funding',
          ${START_BALANCE_MICROS}
        FROM users;
    INSERT INTO wagers (account_id, id, reference)
      SELECT a, (a - 1) * ${WAGERS} + n, 'w' || n
        FROM generate_series(1, ${accounts}) a, generate_series(1, ${WAGERS}) n;
    SELECT setval('accounts_id_seq', ${accounts}), setval('users_id_seq', ${accounts * USERS}),
      setval('wagers_id_seq', ${accounts * WAGERS})`);
  await finishSeeding(database);
  return keys.map(({ apiKey, apiSecret }, index) => ({
    authorization: `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`,
    firstUserId: firstUserId(index + 1),
    users: USERS,
    wagers: WAGERS,
  }));
}

/** More than any measurement takes: without offers left it would measure refusals. */
const ACCEPTS_A_SECOND = 14_000;

/** How many offers each wager needs, so that some are left after this many seconds. */
export const offersFor = (seconds: number): number =>
  Math.ceil((ACCEPTS_A_SECOND * (seconds + 1)) / (ACCOUNTS * WAGERS));

/** Seeds open offers at odds 1.50 to 3.00, by the first half of the users, until each wager of the accounts has enough. */
export async function topUpOffers(database: BenchDatabase, accounts: number, perWager: number): Promise<void> {
  await database.query(`
    BEGIN;
    CREATE TEMPORARY TABLE fresh ON COMMIT DROP AS
      SELECT nextval('bets_id_seq') AS id, offers.* FROM (
        SELECT w.account_id, w.id AS wager_id, (150 + n * 37 % 151) * 10000 AS odds,
            (w.account_id - 1) * ${USERS} + 1 + (n * 7 + w.id) % ${USERS / 2} AS user_id,
            ${SOME_TIME_AGO} + (n * ${WAGERS} + w.id % ${WAGERS}) * interval '1 millisecond' AS created_at
          FROM wagers w
          LEFT JOIN (SELECT account_id, wager_id, count(*) AS there FROM bets
                      WHERE offer_status = 'requesting' AND is_active GROUP BY account_id, wager_id) open
            ON open.account_id = w.account_id AND open.wager_id = w.id,
          generate_series(coalesce(there, 0) + 1, ${perWager}) n
         WHERE w.account_id <= ${accounts} AND w.reference LIKE 'w%' ORDER BY created_at) offers;
    -- Lone offers of an earlier load get their rows: more offers of their users follow.
    INSERT INTO positions (account_id, user_id, wager_id, offered)
      SELECT account_id, requesting_user_id, wager_id, requesting_amount FROM bets
       WHERE account_id <= ${accounts} AND offer_status = 'requesting' AND is_active
      ON CONFLICT DO NOTHING;
    INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place, created_at)
      SELECT account_id, id, wager_id, user_id, odds, ${AMOUNT_MICROS}, id, created_at FROM fresh ORDER BY id;
    INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
        requesting_amount, created_at)
      SELECT account_id, id, wager_id, 'requesting', 'Offer made', 'undecided', odds, ${AMOUNT_MICROS}, created_at
        FROM fresh ORDER BY id;
    INSERT INTO positions AS held (account_id, user_id, wager_id, offered)
      SELECT account_id, user_id, wager_id, count(*) * ${AMOUNT_MICROS} FROM fresh GROUP BY account_id, user_id, wager_id
      ON CONFLICT (account_id, user_id, wager_id) DO UPDATE SET offered = held.offered + excluded.offered;
    UPDATE balances b SET exposure = worst.exposure
      FROM (SELECT account_id, user_id, sum(greatest(0, -win, offered - loss)) AS exposure FROM positions
             WHERE account_id <= ${accounts} GROUP BY account_id, user_id) worst
     WHERE b.account_id = worst.account_id AND b.user_id = worst.user_id;
    COMMIT`);
}

/** Seeds funding transactions. */
export async function seedTransactions(database: BenchDatabase, account: number, count: number): Promise<void> {
  const first = firstUserId(account);
  await database.query(`
    BEGIN;
    INSERT INTO transactions (account_id, user_id, amount, description, transaction_type, transaction_source,
        balance_after, created_at)
      SELECT ${account}, b.user_id, ${AMOUNT_MICROS}, 'Balance funded',
          'credit', 'funding', b.balance + (n / ${USERS} + 1) * ${AMOUNT_MICROS}::bigint,
          ${SOME_TIME_AGO} + n * interval '1 millisecond'
        FROM generate_series(0, ${count - 1}) n
        JOIN balances b ON b.account_id = ${account} AND b.user_id = ${first} + n % ${USERS} ORDER BY n;
    UPDATE balances b SET balance = total.balance
      FROM (SELECT user_id, sum(amount) AS balance FROM transactions WHERE account_id = ${account} GROUP BY user_id) total
     WHERE b.account_id = ${account} AND b.user_id = total.user_id;
    COMMIT`);
}

/**
 * Brings the tables into the state that autovacuum reaches after a while, and writes seeded pages back before the next
 * measurement. It skips empty tables, as autovacuum does: PostgreSQL would plan sequential scans of tables known as empty,
 * also for foreign keys, until they are analysed again.
 */
export async function vacuumAndCheckpoint(database: BenchDatabase): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0`,
  );
  await database.query(`VACUUM ANALYZE ${tables.map(({ name }) => name).join(', ')}`);
  await database.query('CHECKPOINT');
}

/**
 * After rows were inserted by SQL: counts the totals, which the ledger would have added up. The lock waits for operations of
 * the load before, whose answers nobody awaits: they lock rows of the same tables in another order.
 */
export async function finishSeeding(database: BenchDatabase): Promise<void> {
  await database.query(`BEGIN; LOCK TABLE wagers IN EXCLUSIVE MODE; ${COUNT_TOTALS}; COMMIT`);
  await vacuumAndCheckpoint(database);
}
