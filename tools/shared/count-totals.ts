const IS_OPEN = `offer_status = 'requesting' AND is_active`;

/** Counts the totals of all accounts anew, and opens their logs: for rows that SQL has inserted in place of the ledger. */
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
  SELECT open_log(id) FROM accounts ORDER BY id;`;
