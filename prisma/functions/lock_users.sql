-- The second locks: the balances of users, each with the positions that are wanted. Positions need no lock of their own,
-- because every transaction that moves one holds its wager. When another transaction holds a balance, `known user` names all
-- that were wanted.
CREATE OR REPLACE FUNCTION lock_users(p_waits boolean, p_positions wanted_position[]) RETURNS SETOF loaded_row LANGUAGE plpgsql AS $$
DECLARE
  wanted wanted_bet[];
  locked bigint;
BEGIN
  SELECT array_agg(ROW(n.account_id, n.user_id)::wanted_bet) INTO wanted
    FROM (SELECT DISTINCT account_id, user_id FROM unnest(p_positions) ORDER BY account_id, user_id) n;
  IF p_waits THEN
    PERFORM FROM balances b
      WHERE (b.account_id, b.user_id) IN (SELECT n.account_id, n.id FROM unnest(wanted) n)
      ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE;
  END IF;
  RETURN QUERY
    SELECT 'user', b.account_id, b.user_id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, b.balance, b.exposure,
           CASE WHEN b.disputed_since IS NOT NULL THEN 1::bigint END, NULL::bigint,
           u.preferences ->> 'allow_negative_balance' = 'true', u.reference, NULL::text,
           NULL::text, NULL::text
      FROM unnest(wanted) n
      JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
      JOIN users u ON u.account_id = n.account_id AND u.id = n.id
       FOR NO KEY UPDATE OF b SKIP LOCKED;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF locked < cardinality(wanted) THEN
    RETURN QUERY
      SELECT 'known user', u.account_id, u.id, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint, NULL::boolean, u.reference, NULL, NULL, NULL
        FROM unnest(wanted) n
        JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
        JOIN users u ON u.account_id = n.account_id AND u.id = n.id;
  END IF;
  RETURN QUERY
    SELECT 'position', p.account_id, NULL::bigint, p.wager_id, p.user_id, NULL::bigint, NULL::bigint, p.win, p.loss, p.offered,
           NULL::bigint, NULL::boolean, NULL, NULL, NULL, NULL
      FROM unnest(p_positions) n
      JOIN positions p ON p.account_id = n.account_id AND p.user_id = n.user_id AND p.wager_id = n.wager_id;
END $$;
