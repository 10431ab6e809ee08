-- Does what append_events does, for one account and without ids that the call draws, by statements that Citus can plan on its
-- coordinator: no INSERT of it has a subquery. Its variables are scalars: Citus 13.2 crashed with a composite one.
CREATE OR REPLACE FUNCTION append_group(p_account_id bigint, p_kinds smallint[], p_refs bigint[], p_operations text, p_extras jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event_count int := cardinality(p_kinds);
  last_kind_of smallint := p_kinds[event_count];
  last_ref_of bigint := p_refs[event_count];
  number bigint;
  moment timestamptz;
  decimals_of smallint;
BEGIN
  LOOP
    SELECT h.last_seq, greatest(h.last_at, clock_timestamp()) INTO number, moment
      FROM event_heads h WHERE h.account_id = p_account_id FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    SELECT a.decimals INTO decimals_of FROM accounts a WHERE a.id = p_account_id;
    INSERT INTO event_heads (account_id, decimals) VALUES (p_account_id, decimals_of) ON CONFLICT DO NOTHING;
  END LOOP;
  UPDATE event_heads SET last_seq = number + event_count, last_at = moment, last_kind = last_kind_of, last_ref = last_ref_of
   WHERE account_id = p_account_id;
  INSERT INTO event_groups (account_id, first_seq, last_seq, at, kinds, refs, operations, extras)
  VALUES (p_account_id, number + 1, number + event_count, moment, p_kinds, p_refs, p_operations, p_extras);
END $$;
