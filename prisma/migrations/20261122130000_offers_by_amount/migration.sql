-- An acceptance takes few of the offers that a slice has room for. PostgreSQL loads and locks only as many as the acceptances
-- of a group are likely to take: their amounts, and one offer more, because an acceptor's own offer may be among them.
ALTER TYPE wanted_offers ADD ATTRIBUTE amount bigint;

-- Bets by id, the first open offers of wagers, and pending bets. `place`: the item of `p_offers` or `p_pending` that the
-- row belongs to, from 1. Offers that a pending cancel names are not told apart here: such a wager's offers are loaded when
-- they are asked for. An offer of a slice is loaded when those before it, but for the last one, do not make up the amount.
CREATE OR REPLACE FUNCTION load_bets(p_bets wanted_bet[], p_offers wanted_offers[], p_pending wanted_pending[])
RETURNS SETOF loaded_row LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT n.kind, (n.bet).account_id, (n.bet).id, (n.bet).wager_id, (n.bet).requesting_user_id,
         (n.bet).accepting_user_id, n.place, (n.bet).requesting_odds, (n.bet).requesting_amount,
         (n.bet).effective_odds, (n.bet).effective_amount, (n.bet).is_active, (n.bet).offer_status,
         (n.bet).override_outcome, (n.bet).settled_outcome,
         concat_ws(' ', (n.bet).queue_place, nullif(array_to_string((n.bet).allowed_acceptor_ids, ' '), ''))
    FROM (
      SELECT 'bet' AS kind, NULL::bigint AS place, b AS bet
        FROM unnest(p_bets) g JOIN bets b ON b.account_id = g.account_id AND b.id = g.id
      UNION ALL
      SELECT 'offer', g.place, o.bet
        FROM unnest(p_offers) WITH ORDINALITY
             AS g (account_id, wager_reference, is_own, user_id, user_reference, minimum_odds, maximum_odds, bound, amount, place)
        JOIN wagers w ON w.account_id = g.account_id AND w.reference = g.wager_reference AND w.pending_cancels IS NULL
       CROSS JOIN LATERAL (
         SELECT front.bet FROM (
           SELECT b AS bet, sum(b.requesting_amount) OVER (
                    ORDER BY b.requesting_odds, b.queue_place, b.id ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS before
             FROM bets b
            WHERE b.account_id = w.account_id AND b.wager_id = w.id AND b.requesting_odds <= g.maximum_odds
              AND b.offer_status = 'requesting' AND b.is_active
            ORDER BY b.requesting_odds, b.queue_place, b.id LIMIT g.bound) front
          WHERE front.before IS NULL OR front.before < g.amount) o
       WHERE NOT g.is_own
      UNION ALL
      SELECT 'offer', g.place, o.bet
        FROM unnest(p_offers) WITH ORDINALITY
             AS g (account_id, wager_reference, is_own, user_id, user_reference, minimum_odds, maximum_odds, bound, amount, place)
        JOIN wagers w ON w.account_id = g.account_id AND w.reference = g.wager_reference AND w.pending_cancels IS NULL
       CROSS JOIN LATERAL (
         SELECT b AS bet FROM bets b
          WHERE b.account_id = w.account_id AND b.wager_id = w.id
            AND b.requesting_user_id = coalesce(g.user_id,
                  (SELECT u.id FROM users u WHERE u.account_id = g.account_id AND u.reference = g.user_reference))
            AND b.offer_status = 'requesting' AND b.is_active
            AND (g.minimum_odds IS NULL OR b.requesting_odds >= g.minimum_odds)
            AND (g.maximum_odds IS NULL OR b.requesting_odds <= g.maximum_odds)
          ORDER BY b.queue_place, b.id LIMIT g.bound) o
       WHERE g.is_own
      UNION ALL
      -- The core's `isPending`, part by part, so that an index leads past the bets that are settled already: offers, then
      -- bets never settled, then bets settled by another outcome. A bet with an override is never pending.
      SELECT 'pending', g.place, o.bet
        FROM (SELECT n.place, n.bound, w.account_id, w.id, coalesce(n.outcome, w.outcome) AS outcome
                FROM unnest(p_pending) WITH ORDINALITY
                     AS n (account_id, wager_id, wager_reference, outcome, bound, place)
                JOIN wagers w ON w.account_id = n.account_id AND w.id = coalesce(n.wager_id, (
                       SELECT r.id FROM wagers r WHERE r.account_id = n.account_id AND r.reference = n.wager_reference))) g
       CROSS JOIN LATERAL (
         SELECT pending.bet FROM (
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id AND b.offer_status = 'requesting' AND b.is_active
               AND g.outcome <> 'undecided' LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active)
               AND b.offer_status = CASE WHEN g.outcome = 'undecided' THEN 'expired' ELSE 'requesting' END
               AND b.settled_outcome IS NULL AND b.effective_amount IS NULL
               AND (g.outcome <> 'undecided' OR coalesce(b.override_outcome, 'undecided') = 'undecided')
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'accepted'
               AND b.settled_outcome IS NULL AND b.override_outcome IS NULL AND b.is_active
               AND g.outcome <> 'undecided'
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'accepted'
               AND b.settled_outcome < g.outcome AND b.override_outcome IS NULL
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
           UNION ALL
           (SELECT b AS bet FROM bets b
             WHERE b.account_id = g.account_id AND b.wager_id = g.id
               AND NOT (b.offer_status = 'requesting' AND b.is_active) AND b.offer_status = 'accepted'
               AND b.settled_outcome > g.outcome AND b.override_outcome IS NULL
             ORDER BY b.settled_outcome, b.id LIMIT g.bound)
         ) AS pending LIMIT g.bound) o) AS n;
END $$;
