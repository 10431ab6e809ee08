-- Says what an account has whose rows are not in its log: they are older than the log, or SQL has written them.
CREATE OR REPLACE FUNCTION open_log(p_account_id bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  facts jsonb;
BEGIN
  SELECT jsonb_build_object(
      'users', (SELECT coalesce(sum(rows), 0) FROM row_counts WHERE account_id = p_account_id AND kind = 'users'),
      'wagers', (SELECT count(*) FROM wagers WHERE account_id = p_account_id),
      'bets', (SELECT coalesce(sum(bets), 0) FROM ledger_totals WHERE account_id = p_account_id),
      'transactions', (SELECT coalesce(sum(transactions), 0) FROM ledger_totals WHERE account_id = p_account_id),
      'last_trail_id', (SELECT coalesce(max(id), 0) FROM bet_trails WHERE account_id = p_account_id),
      'last_transaction_id', (SELECT coalesce(max(id), 0) FROM transactions WHERE account_id = p_account_id))
    INTO facts;
  PERFORM append_group(p_account_id, '{0}', ARRAY[p_account_id], '1 command:migrate -', jsonb_build_object('0', facts));
END $$;
