const IS_OPEN = `offer_status = 'requesting' AND is_active`;

/** Counts the totals of all accounts and wagers again, and opens their logs, after SQL has inserted rows instead of the ledger. */
export const COUNT_TOTALS = `
  DELETE FROM ledger_totals;
  INSERT INTO ledger_totals (account_id, shard, bets, open_bets, open_amount, transactions)
    SELECT account_id, 0, sum(bets), sum(open_bets), sum(open_amount), sum(transactions)
      FROM (SELECT account_id, count(*) AS bets, count(*) FILTER (WHERE ${IS_OPEN}) AS open_bets,
                   coalesce(sum(requesting_amount) FILTER (WHERE ${IS_OPEN}), 0) AS open_amount, 0 AS transactions
              FROM bets GROUP BY account_id
            UNION ALL
            SELECT account_id, 0, 0, 0, count(*) FROM transactions GROUP BY account_id) AS counted
     GROUP BY account_id;
  UPDATE wagers w
     SET matched_bets = m.bets, matched_amount = m.amount, last_matched_bet_id = m.last_bet_id
    FROM (SELECT b.account_id, b.wager_id, count(*) AS bets, sum(b.effective_amount) AS amount,
                 (array_agg(b.id ORDER BY first.accepted_by DESC NULLS LAST, b.id DESC))[1] AS last_bet_id
            FROM bets b
            LEFT JOIN (SELECT account_id, bet_id, min(id) AS accepted_by
                         FROM bet_trails WHERE accepting_amount IS NOT NULL GROUP BY account_id, bet_id) first
              ON first.account_id = b.account_id AND first.bet_id = b.id
           WHERE b.accepting_user_id IS NOT NULL GROUP BY b.account_id, b.wager_id) m
   WHERE w.account_id = m.account_id AND w.id = m.wager_id;
  SELECT open_log(id) FROM accounts ORDER BY id;`;
