-- Cancelling: one user's open offers in a wager, oldest first.
CREATE INDEX bets_own_open_idx ON bets (account_id, requesting_user_id, wager_id, queue_place, id)
  WHERE offer_status = 'requesting' AND is_active;
