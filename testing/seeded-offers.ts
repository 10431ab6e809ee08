import type { TestDatabase } from './databases.js';

export interface SeededOffers {
  readonly accountId: number;
  readonly wagerReference: string;
  readonly userReference: string;
  readonly count: number;
  /** In millionths, of each offer. */
  readonly amount: number;
}

/** Inserts offers at odds 2 to 4 by SQL, with all rows that the API would have written: the API would take long. */
export async function seedOffers(database: Pick<TestDatabase, 'queryOf'>, seed: SeededOffers): Promise<void> {
  const { accountId, wagerReference, userReference, count, amount } = seed;
  const wager = `(SELECT id FROM wagers WHERE account_id = ${accountId} AND reference = '${wagerReference}')`;
  const user = `(SELECT id FROM users WHERE account_id = ${accountId} AND reference = '${userReference}')`;
  await database.queryOf(
    accountId,
    `
    INSERT INTO wagers (account_id, reference) VALUES (${accountId}, '${wagerReference}') ON CONFLICT DO NOTHING;
    CREATE TEMPORARY TABLE fresh ON COMMIT DROP AS
      SELECT nextval('bets_id_seq') AS id, 2000000 + n % 3 * 1000000 AS odds FROM generate_series(1, ${count}) n;
    INSERT INTO positions (account_id, user_id, wager_id, offered)
      SELECT account_id, requesting_user_id, wager_id, requesting_amount FROM bets
       WHERE account_id = ${accountId} AND offer_status = 'requesting' AND is_active ON CONFLICT DO NOTHING;
    INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place)
      SELECT ${accountId}, fresh.id, ${wager}, ${user}, odds, ${amount}, fresh.id FROM fresh ORDER BY fresh.id;
    INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount)
      SELECT ${accountId}, fresh.id, ${wager}, 'requesting', 'Offer made', 'undecided', odds, ${amount} FROM fresh ORDER BY fresh.id;
    INSERT INTO positions AS p (account_id, user_id, wager_id, offered)
      VALUES (${accountId}, ${user}, ${wager}, ${count}::bigint * ${amount})
      ON CONFLICT (account_id, user_id, wager_id) DO UPDATE SET offered = p.offered + excluded.offered;
    UPDATE balances SET exposure = exposure + ${count}::bigint * ${amount}
     WHERE account_id = ${accountId} AND user_id = ${user};
    SELECT write_group(p_totals => ARRAY[ROW(${accountId}, ${count}, ${count}, ${count}::bigint * ${amount}, 0)::moved_total]);
    SELECT open_log(${accountId})`,
  );
}
