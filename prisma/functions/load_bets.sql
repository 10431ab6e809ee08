-- Bets by id, the first open offers of wagers, and pending bets. `number`: the item of `p_offers` or `p_pending` that the
-- row belongs to, from 1. This function knows no pending cancels: the offers of a wager that has one are loaded
-- when they are asked for. An offer of a slice is loaded when those before it, but for the last one, do not make up the amount.
-- A slice in matching order has no offer whose time has come.
-- LATERAL with LIMIT looks a bet up by its key for each item, whatever the statistics say: PostgreSQL would plan a join on a
-- table that was analyzed while it was empty to read all bets, and the connection would keep that plan.
CREATE OR REPLACE FUNCTION load_bets(p_bets row_key[], p_offers wanted_offers[], p_pending wanted_pending[])
RETURNS SETOF loaded_bet LANGUAGE plpgsql AS $$
BEGIN
  IF p_bets IS NOT NULL THEN
    RETURN QUERY
      SELECT 'bet', 1,
             ROW(b.account_id, b.id, b.wager_id, b.requesting_user_id, b.requesting_odds, b.requesting_amount, b.queue_place,
                 b.allowed_acceptor_ids, b.expires_at, b.cancel_on_suspend,
                 b.offer_status, b.accepting_user_id, b.effective_odds, b.effective_amount, b.override_outcome, b.settled_outcome,
                 b.is_active, b.spared_up_to, b.accepted_at, b.timed_out)::bet_row
        FROM unnest(p_bets) g
       CROSS JOIN LATERAL (SELECT * FROM bets WHERE account_id = g.account_id AND id = g.id LIMIT 1) b;
  END IF;
  IF p_offers IS NOT NULL THEN
    RETURN QUERY
      SELECT 'offer', g.number::int,
             ROW(b.account_id, b.id, b.wager_id, b.requesting_user_id, b.requesting_odds, b.requesting_amount, b.queue_place,
                 b.allowed_acceptor_ids, b.expires_at, b.cancel_on_suspend,
                 b.offer_status, b.accepting_user_id, b.effective_odds, b.effective_amount, b.override_outcome, b.settled_outcome,
                 b.is_active, b.spared_up_to, b.accepted_at, b.timed_out)::bet_row
        FROM unnest(p_offers) WITH ORDINALITY
             AS g (account_id, wager_reference, is_own, user_id, user_reference, minimum_odds, maximum_odds, bound, amount, number)
        JOIN wagers w ON w.account_id = g.account_id AND w.reference = g.wager_reference AND w.pending_cancels IS NULL
       CROSS JOIN LATERAL (
         SELECT front.* FROM (
           SELECT sum(b.requesting_amount) OVER (
                    ORDER BY b.requesting_odds, b.queue_place, b.id ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before,
                  b.*
             FROM bets b
            WHERE b.account_id = w.account_id AND b.wager_id = w.id AND b.requesting_odds <= g.maximum_odds
              AND b.offer_status = 'requesting' AND b.is_active AND (b.expires_at IS NULL OR b.expires_at > clock_timestamp())
            ORDER BY b.requesting_odds, b.queue_place, b.id LIMIT g.bound) front
          WHERE front.before IS NULL OR front.before < g.amount) b
       WHERE NOT g.is_own;
    RETURN QUERY
      SELECT 'offer', g.number::int,
             ROW(b.account_id, b.id, b.wager_id, b.requesting_user_id, b.requesting_odds, b.requesting_amount, b.queue_place,
                 b.allowed_acceptor_ids, b.expires_at, b.cancel_on_suspend,
                 b.offer_status, b.accepting_user_id, b.effective_odds, b.effective_amount, b.override_outcome, b.settled_outcome,
                 b.is_active, b.spared_up_to, b.accepted_at, b.timed_out)::bet_row
        FROM unnest(p_offers) WITH ORDINALITY
             AS g (account_id, wager_reference, is_own, user_id, user_reference, minimum_odds, maximum_odds, bound, amount, number)
        JOIN wagers w ON w.account_id = g.account_id AND w.reference = g.wager_reference AND w.pending_cancels IS NULL
       CROSS JOIN LATERAL (
         SELECT b.* FROM bets b
          WHERE b.account_id = w.account_id AND b.wager_id = w.id
            AND b.requesting_user_id = coalesce(g.user_id,
                  (SELECT u.id FROM users u WHERE u.account_id = g.account_id AND u.reference = g.user_reference))
            AND b.offer_status = 'requesting' AND b.is_active
            AND (g.minimum_odds IS NULL OR b.requesting_odds >= g.minimum_odds)
            AND (g.maximum_odds IS NULL OR b.requesting_odds <= g.maximum_odds)
          ORDER BY b.queue_place, b.id LIMIT g.bound) b
       WHERE g.is_own;
  END IF;
  IF p_pending IS NOT NULL THEN
    -- The core's `isPending`, part by part: offers, then accepted bets behind those that the worker has settled, then expired ones that
    -- are to be voided. A bet with an override is pending only to be voided. Each part names one status and has the order of its index, so that no other index looks as good.
    -- Most accepted bets may be where the outcome says, so only the first ones are examined. The row `unexamined` is the first
    -- accepted bet behind them; it is cut off like any other when the bound of pending bets is reached before.
    RETURN QUERY
      SELECT CASE WHEN b.is_examined THEN 'pending' ELSE 'unexamined' END, g.number::int,
             ROW(b.account_id, b.id, b.wager_id, b.requesting_user_id, b.requesting_odds, b.requesting_amount, b.queue_place,
                 b.allowed_acceptor_ids, b.expires_at, b.cancel_on_suspend,
                 b.offer_status, b.accepting_user_id, b.effective_odds, b.effective_amount, b.override_outcome, b.settled_outcome,
                 b.is_active, b.spared_up_to, b.accepted_at, b.timed_out)::bet_row
        FROM (SELECT n.number, n.bound, greatest(20 * n.bound, 1000) AS most_examined, w.account_id, w.id, coalesce(n.outcome, w.outcome) AS outcome,
                     CASE WHEN n.void_from IS NULL AND (n.outcome IS NULL OR n.outcome = w.outcome) THEN w.settled_up_to ELSE 0 END
                       AS settled_up_to,
                     least(w.void_from, n.void_from) AS void_from
                FROM unnest(p_pending) WITH ORDINALITY
                     AS n (account_id, wager_id, wager_reference, outcome, void_from, bound, number)
                JOIN wagers w ON w.account_id = n.account_id AND w.id = coalesce(n.wager_id, (
                       SELECT r.id FROM wagers r WHERE r.account_id = n.account_id AND r.reference = n.wager_reference))) g
       CROSS JOIN LATERAL (
         SELECT pending.* FROM (
           (SELECT b.*, true AS is_examined FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id AND b.offer_status = 'requesting' AND b.is_active
               AND g.outcome <> 'undecided'
             ORDER BY b.requesting_odds, b.queue_place, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b.*, true FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'requesting'
               AND b.settled_outcome IS NULL AND b.effective_amount IS NULL AND g.outcome <> 'undecided'
             ORDER BY b.offer_status, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b.*, true FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'expired'
               AND b.settled_outcome IS NULL AND b.effective_amount IS NULL AND NOT b.timed_out AND g.outcome = 'undecided'
               AND coalesce(b.override_outcome, 'undecided') = 'undecided'
             ORDER BY b.offer_status, b.id LIMIT g.bound)
           UNION ALL
           (SELECT examined.* FROM (
              SELECT b.*, row_number() OVER (ORDER BY b.offer_status, b.id) <= g.most_examined AS is_examined
                FROM bets b
               WHERE b.account_id = g.account_id AND b.wager_id = g.id
                 AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'accepted'
                 AND b.id > g.settled_up_to
               ORDER BY b.offer_status, b.id LIMIT g.most_examined + 1) examined
             WHERE NOT is_examined OR (override_outcome IS NULL
               AND settled_outcome IS DISTINCT FROM CASE WHEN is_active THEN nullif(g.outcome, 'undecided') END)
                OR (accepted_at >= g.void_from AND override_outcome IS DISTINCT FROM 'void')
             LIMIT g.bound)
           UNION ALL
           (SELECT b.*, true FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'expired'
               AND g.void_from IS NOT NULL AND b.accepted_at >= g.void_from AND b.override_outcome IS DISTINCT FROM 'void'
             ORDER BY b.offer_status, b.id LIMIT g.bound)
         ) AS pending LIMIT g.bound) b;
  END IF;
END $$;
