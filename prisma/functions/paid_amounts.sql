-- What the transactions of bets have moved from their acceptors to their requesters; NULL where those of the two users differ,
-- or another user has one. The settings make plans of key look-ups, as in load_group.
CREATE OR REPLACE FUNCTION paid_amounts(p_bets row_key[]) RETURNS TABLE (account_id bigint, id bigint, paid numeric) LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off AS $$
  SELECT b.account_id, b.id, CASE WHEN moved.requester = -moved.acceptor AND moved.sum = 0 THEN moved.requester END
    FROM unnest(p_bets) n
    JOIN bets b ON b.account_id = n.account_id AND b.id = n.id
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(each.amount) FILTER (WHERE each.user_id = b.requesting_user_id), 0) AS requester,
            coalesce(sum(each.amount) FILTER (WHERE each.user_id = b.accepting_user_id), 0) AS acceptor,
            coalesce(sum(each.amount), 0) AS sum
       FROM (SELECT x.user_id, CASE x.transaction_type WHEN 'credit' THEN x.amount WHEN 'debit' THEN -x.amount ELSE 0 END AS amount
               FROM bet_trails t
               JOIN transactions x ON x.account_id = t.account_id
                AND x.id BETWEEN t.first_transaction_id AND t.last_transaction_id AND x.bet_trail_id = t.id
              WHERE t.account_id = b.account_id AND t.bet_id = b.id) each) moved
$$;
