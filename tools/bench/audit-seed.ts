import type { BenchDatabase } from './database.js';
import { AMOUNT_MICROS, firstUserId, firstWagerId, USERS } from './seeded-data.js';
import { countFreshMatches } from './settlement-seed.js';

export interface SettledSeed {
  readonly account: number;
  readonly bets: number;
  /** The wagers of the account that are decided and take the bets in turn. */
  readonly wagers: { readonly from: number; readonly count: number };
  /** How long ago all this happened, as an interval of PostgreSQL. */
  readonly age: string;
  /** As many as the account has. */
  readonly users?: number;
}

/**
 * Seeds bets that were offered, accepted and settled as won, with all rows that the ledger writes for them. The account's
 * first user offered every one of them.
 */
export async function seedSettledBets(database: BenchDatabase, seed: SettledSeed): Promise<void> {
  const { account, bets, wagers, age, users = USERS } = seed;
  const [first, firstWager] = [firstUserId(account), firstWagerId(account) + wagers.from - 1];
  const at = `now() - interval '${age}'`;
  const facts = `odds, ${AMOUNT_MICROS}, odds, ${AMOUNT_MICROS}, odds, ${AMOUNT_MICROS}`;
  await database.query(`
    BEGIN;
    UPDATE wagers SET outcome = 'win', updated_at = ${at}, created_at = ${at}
     WHERE account_id = ${account} AND id BETWEEN ${firstWager} AND ${firstWager + wagers.count - 1};
    CREATE TEMPORARY TABLE fresh ON COMMIT DROP AS
      SELECT nextval('bets_id_seq') AS id, ${firstWager} + n % ${wagers.count} AS wager_id,
             (150 + n * 37 % 151) * 10000 AS odds, ${first + 1} + n % ${users - 1} AS acceptor
        FROM generate_series(0, ${bets - 1}) n;
    INSERT INTO bets (account_id, id, wager_id, requesting_user_id, accepting_user_id, requesting_odds, requesting_amount,
        effective_odds, effective_amount, queue_place, offer_status, settled_outcome, created_at, updated_at)
      SELECT ${account}, id, wager_id, ${first}, acceptor, odds, ${AMOUNT_MICROS}, odds, ${AMOUNT_MICROS}, id, 'accepted',
             'win', ${at}, ${at} FROM fresh ORDER BY id;
    INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
        requesting_amount, created_at)
      SELECT ${account}, id, wager_id, 'requesting', 'Offer made', 'undecided', odds, ${AMOUNT_MICROS}, ${at}
        FROM fresh ORDER BY id;
    INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
        requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount, created_at)
      SELECT ${account}, id, wager_id, 'accepted', 'Offer accepted', 'undecided', ${facts}, ${at} FROM fresh ORDER BY id;
    ${countFreshMatches(account)}
    CREATE TEMPORARY TABLE settled ON COMMIT DROP AS
      SELECT nextval('bet_trails_id_seq') AS trail_id, * FROM fresh ORDER BY id;
    INSERT INTO bet_trails (account_id, id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
        requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount, created_at)
      SELECT ${account}, trail_id, id, wager_id, 'accepted', 'Bet settled: win', 'win', ${facts}, ${at} FROM settled;
    INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type, transaction_source,
        bet_trail_id, balance_after, created_at)
      SELECT ${account}, side.user_id, 'TX_' || md5(side.type || ' ' || trail_id), amount, 'Bet settled: win', side.type,
             'bet', trail_id, b.balance + sum(side.sign * amount) OVER (PARTITION BY side.user_id ORDER BY trail_id), ${at}
        FROM (SELECT *, ${AMOUNT_MICROS}::bigint * (odds - 1000000) / 1000000 AS amount FROM settled) settled
       CROSS JOIN LATERAL (VALUES (${first}, 'credit', 1), (acceptor, 'debit', -1)) side (user_id, type, sign)
        JOIN balances b ON b.account_id = ${account} AND b.user_id = side.user_id ORDER BY trail_id;
    INSERT INTO positions (account_id, user_id, wager_id)
      SELECT DISTINCT ${account}, user_id, wager_id
        FROM (SELECT ${first} AS user_id, wager_id FROM fresh UNION ALL SELECT acceptor, wager_id FROM fresh) sides
      ON CONFLICT DO NOTHING;
    UPDATE balances b SET balance = b.balance + moved.total
      FROM (SELECT user_id, sum(CASE transaction_type WHEN 'credit' THEN amount ELSE -amount END) AS total
              FROM transactions WHERE account_id = ${account} AND bet_trail_id >= (SELECT min(trail_id) FROM settled)
             GROUP BY user_id) moved
     WHERE b.account_id = ${account} AND b.user_id = moved.user_id;
    COMMIT`);
}
