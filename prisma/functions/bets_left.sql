-- How many bets a sandbox has still room for. A function, so that the call for a real account prepares no scan of the totals.
CREATE OR REPLACE FUNCTION bets_left(p_account_id bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN greatest(0, 100000 - (SELECT coalesce(sum(t.bets), 0)::bigint FROM ledger_totals t WHERE t.account_id = p_account_id));
END $$;
