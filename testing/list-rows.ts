import { COUNT_TOTALS } from '#tools/shared/count-totals.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { TestDatabase } from './databases.js';

// Rows for the tests of lists, inserted by SQL because requests would take long to reach these states and numbers.

const OUTCOMES = `'{undecided,win,half-loss,push,void}'::text[]`;

/** `count` bets of 6 users on 5 wagers, two a day: every status, and few different values, so that lists have ties. */
export async function insertBets(database: TestDatabase, accountId: number, count: number): Promise<void> {
  await database.query(
    `INSERT INTO users (account_id, reference, name) SELECT $1, 'u' || i, 'U' FROM generate_series(0, 5) i`,
    [accountId],
  );
  await database.query(
    `INSERT INTO wagers (account_id, reference, outcome)
     SELECT $1, 'w' || i, (${OUTCOMES})[i + 1] FROM generate_series(0, 4) i`,
    [accountId],
  );
  await database.query(
    `INSERT INTO bets (account_id, id, queue_place, wager_id, requesting_user_id, accepting_user_id, offer_status,
                       is_active, requesting_odds, requesting_amount, effective_odds, effective_amount,
                       override_outcome, allowed_acceptor_ids, created_at)
     SELECT $1, v.id, v.id, w.id, r.id, a.id, v.status, i % 7 <> 0, odds, amount,
            CASE WHEN a.id IS NOT NULL THEN odds END, CASE WHEN a.id IS NOT NULL THEN amount - i % 2 END,
            CASE WHEN i % 11 = 0 THEN (${OUTCOMES})[i % 5 + 1] END,
            CASE WHEN i % 5 = 0 THEN ARRAY[r.id + 1, r.id] ELSE '{}' END,
            timestamptz '2026-03-01 06:00Z' + (i * 37 % 20) * interval '12 hours'
       FROM generate_series(1, $2::int) i
       CROSS JOIN LATERAL (SELECT nextval('bets_id_seq') AS id, 1000000 + i * 13 % 9 * 250000 AS odds,
              500001 + i * 29 % 17 * 500000 AS amount,
              (ARRAY['requesting', 'accepted', 'requesting', 'canceled', 'expired', 'requesting'])[i * 5 % 13 % 6 + 1]
                AS status) v
       JOIN users r ON r.account_id = $1 AND r.reference = 'u' || i % 6
       JOIN wagers w ON w.account_id = $1 AND w.reference = 'w' || i / 3 % 5
       LEFT JOIN users a ON a.account_id = $1 AND a.reference = 'u' || (i + 1 + i % 4) % 6
        AND (v.status = 'accepted' OR (v.status = 'expired' AND i % 2 = 0))`,
    [accountId, count],
  );
  await database.query(COUNT_TOTALS);
}

export async function insertTransactions(database: TestDatabase, accountId: number, count: number): Promise<void> {
  await database.query(
    `WITH wager AS (
       INSERT INTO wagers (account_id, reference) VALUES ($1, 'of transactions') RETURNING id
     ), bet AS (
       INSERT INTO bets (account_id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place, offer_status)
       SELECT $1, wager.id, u.id, 2000000, 1000000, 1, 'requesting'
         FROM wager JOIN users u ON u.account_id = $1 AND u.reference = 'u0' RETURNING id, wager_id
     ), trail AS (
       INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount)
       SELECT $1, id, wager_id, 'requesting', 'Offer made', 'undecided', 2000000, 1000000 FROM bet RETURNING id
     )
     INSERT INTO transactions (account_id, user_id, amount, description, transaction_type,
                               transaction_source, bet_trail_id, balance_after, created_at)
     SELECT $1, u.id, CASE WHEN i % 3 = 2 THEN 0 ELSE i * 1000001::bigint END, 'D' || i,
            (ARRAY['credit', 'debit', 'no-action'])[i % 3 + 1],
            (ARRAY['funding', 'withdrawal', 'bet'])[i % 3 + 1], CASE WHEN i % 3 = 2 THEN trail.id END, i,
            timestamptz '2026-03-01 06:00Z' + (i * 37 % 20) * interval '12 hours'
       FROM trail, generate_series(1, $2::int) i
       JOIN users u ON u.account_id = $1 AND u.reference = 'u' || i % 6`,
    [accountId, count],
  );
  await database.query(COUNT_TOTALS);
}

/** The same sequence of choices in every run. */
export function chooser(seed: number) {
  const { below } = createSeededRandom(seed);
  return <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
}
