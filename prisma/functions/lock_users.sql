-- The second locks: the balances of users, each with the positions that are wanted. Positions need no lock of their own,
-- because every transaction that moves one holds its wager. When another transaction holds a balance, `known user` names all
-- that were wanted.
CREATE OR REPLACE FUNCTION lock_users(p_waits boolean, p_positions wanted_position[]) RETURNS SETOF result_row LANGUAGE plpgsql AS $$
DECLARE
  wanted row_key[];
  locked bigint;
BEGIN
  SELECT array_agg(ROW(n.account_id, n.user_id)::row_key) INTO wanted
    FROM (SELECT DISTINCT account_id, user_id FROM unnest(p_positions) ORDER BY account_id, user_id) n;
  IF p_waits THEN
    PERFORM FROM balances b
      WHERE (b.account_id, b.user_id) IN (SELECT n.account_id, n.id FROM unnest(wanted) n)
      ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE;
  END IF;
  RETURN QUERY
    SELECT 'user', NULL::int, ROW(b.account_id, b.user_id, u.reference, b.balance, b.exposure, b.disputed_since IS NOT NULL,
                                  u.preferences ->> 'allow_negative_balance' = 'true')::loaded_user::text
      FROM unnest(wanted) n
      JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
      JOIN users u ON u.account_id = n.account_id AND u.id = n.id
       FOR NO KEY UPDATE OF b SKIP LOCKED;
  GET DIAGNOSTICS locked = ROW_COUNT;
  IF locked < cardinality(wanted) THEN
    RETURN QUERY
      SELECT 'known user', NULL::int, ROW(u.account_id, u.id, u.reference)::user_name::text
        FROM unnest(wanted) n
        JOIN balances b ON b.account_id = n.account_id AND b.user_id = n.id
        JOIN users u ON u.account_id = n.account_id AND u.id = n.id;
  END IF;
  RETURN QUERY
    SELECT 'position', NULL::int, ROW(p.account_id, p.user_id, p.wager_id, p.win, p.loss, p.offered)::position_row::text
      FROM unnest(p_positions) n
      JOIN positions p ON p.account_id = n.account_id AND p.user_id = n.user_id AND p.wager_id = n.wager_id;
END $$;
