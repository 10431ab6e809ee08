/** Of an accepted bet that wins, from its columns. */
export const WINNINGS = `(effective_amount::numeric * (effective_odds - 1000000) / 1000000)::bigint`;

/**
 * The least that settling a wager can cost: one statement of sets that writes the rows which the ledger writes, in one
 * transaction. It decides nothing, splits nothing, and holds everything until it is done.
 */
export const settleAllSql = (account: number, reference: string): string => `
  BEGIN;
  CREATE TEMPORARY TABLE moving ON COMMIT DROP AS
    SELECT b.id, b.wager_id, b.requesting_user_id, b.accepting_user_id, b.requesting_odds, b.requesting_amount,
           b.effective_odds, b.effective_amount, ${WINNINGS} AS winnings, nextval('bet_trails_id_seq') AS trail_id
      FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
     WHERE b.account_id = ${account} AND w.reference = '${reference}' AND b.offer_status = 'accepted'
       AND b.settled_outcome IS NULL;
  UPDATE wagers SET outcome = 'win', updated_at = now() WHERE account_id = ${account} AND reference = '${reference}';
  UPDATE bets b SET settled_outcome = 'win', updated_at = now() FROM moving m
   WHERE b.account_id = ${account} AND b.id = m.id;
  INSERT INTO bet_trails (account_id, id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
      requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
    SELECT ${account}, trail_id, id, wager_id, 'accepted', 'Bet settled: win', 'win', requesting_odds, requesting_amount,
           effective_odds, effective_amount, effective_odds, effective_amount FROM moving;
  INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type, transaction_source,
      bet_trail_id)
    SELECT ${account}, side.user_id, 'TX_' || encode(uuid_send(gen_random_uuid()), 'hex'), winnings, 'Bet settled: win',
           side.type, 'bet', trail_id
      FROM moving, LATERAL (VALUES (requesting_user_id, 'credit'), (accepting_user_id, 'debit')) AS side (user_id, type);
  UPDATE positions p SET win = 0, loss = 0 FROM (SELECT DISTINCT wager_id FROM moving) w
   WHERE p.account_id = ${account} AND p.wager_id = w.wager_id;
  UPDATE balances b SET balance = b.balance + moved.amount, exposure = 0
    FROM (SELECT user_id, sum(amount) AS amount
            FROM (SELECT requesting_user_id AS user_id, winnings AS amount FROM moving
                  UNION ALL SELECT accepting_user_id, -winnings FROM moving) sides
           GROUP BY user_id) moved
   WHERE b.account_id = ${account} AND b.user_id = moved.user_id;
  COMMIT`;
