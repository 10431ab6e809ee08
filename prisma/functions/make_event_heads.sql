-- Makes the heads that are missing, in the order of their accounts. One by one: a cluster's coordinator cannot plan them together.
CREATE OR REPLACE FUNCTION make_event_heads(p_log logged_group[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  head record;
BEGIN
  FOR head IN
    SELECT DISTINCT a.id, a.decimals FROM unnest(p_log) n JOIN accounts a ON a.id = n.account_id ORDER BY 1
  LOOP
    INSERT INTO event_heads (account_id, decimals) VALUES (head.id, head.decimals) ON CONFLICT DO NOTHING;
  END LOOP;
END $$;
