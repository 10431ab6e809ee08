-- Claims what new movements of money are to be called, until the end of the transaction. Returns those that it got (`reference`), and
-- whether a movement of the account has the name already. It comes after all locks of `load_group`.
CREATE OR REPLACE FUNCTION claim_own_references(p_waits boolean, p_names wanted_name[]) RETURNS SETOF result_row
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  claimed wanted_name[];
BEGIN
  claimed := claim_names(p_waits, 7266005, p_names);
  -- A newer snapshot: another transaction may have stored a name just before it was claimed.
  RETURN QUERY
    SELECT 'reference', NULL::int,
           ROW(n.account_id, n.name, EXISTS (SELECT FROM movement_labels l
                                              WHERE l.account_id = n.account_id AND l.own_reference = n.name))::claimed_reference::text
      FROM unnest(claimed) n;
END $$;
