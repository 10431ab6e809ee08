-- The least work that PostgreSQL has to do for an operation of the API: the same locks and the same row changes, in one
-- call. These functions exist only in the databases of the benchmark. They lock in the order of the API: the wager, then
-- the balances by user, then the bet. Odds and amounts are millionths.

-- The gain of the requester of an accepted bet that wins.
CREATE FUNCTION bench_winnings(p_amount bigint, p_odds bigint) RETURNS bigint IMMUTABLE LANGUAGE sql
  RETURN (p_amount::numeric * (p_odds - 1000000) / 1000000)::bigint;

-- Moves a position, and the exposure of its user by the difference.
CREATE FUNCTION bench_move(p_account bigint, p_user bigint, p_wager bigint, p_win bigint, p_loss bigint, p_offered bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  after positions%ROWTYPE;
BEGIN
  INSERT INTO positions AS held (account_id, user_id, wager_id, win, loss, offered)
    VALUES (p_account, p_user, p_wager, p_win, p_loss, p_offered)
    ON CONFLICT (account_id, user_id, wager_id) DO UPDATE
      SET win = held.win + excluded.win, loss = held.loss + excluded.loss, offered = held.offered + excluded.offered
    RETURNING * INTO after;
  UPDATE balances SET exposure = exposure + greatest(0, -after.win, after.offered - after.loss)
      - greatest(0, p_win - after.win, (after.offered - p_offered) - (after.loss - p_loss))
    WHERE account_id = p_account AND user_id = p_user;
END $$;

CREATE FUNCTION bench_trail(p_account bigint, p_bet bigint, p_description text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
      requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
    SELECT account_id, id, wager_id, offer_status, p_description, 'undecided', requesting_odds, requesting_amount,
        effective_odds, effective_amount, effective_odds, effective_amount
      FROM bets WHERE account_id = p_account AND id = p_bet;
$$;

CREATE FUNCTION bench_make(p_account bigint, p_user bigint, p_wager bigint, p_odds bigint, p_amount bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  new_id bigint := nextval('bets_id_seq');
BEGIN
  PERFORM FROM wagers WHERE account_id = p_account AND id = p_wager FOR NO KEY UPDATE;
  PERFORM FROM balances WHERE account_id = p_account AND user_id = p_user FOR NO KEY UPDATE;
  INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place)
    VALUES (p_account, new_id, p_wager, p_user, p_odds, p_amount, new_id);
  PERFORM bench_move(p_account, p_user, p_wager, 0, 0, p_amount);
  INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount)
    VALUES (p_account, new_id, p_wager, 'requesting', 'Offer made', 'undecided', p_odds, p_amount);
  RETURN new_id;
END $$;

CREATE FUNCTION bench_accept(p_account bigint, p_user bigint, p_wager bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  offer bets%ROWTYPE;
  profit bigint;
BEGIN
  PERFORM FROM wagers WHERE account_id = p_account AND id = p_wager FOR NO KEY UPDATE;
  SELECT * INTO offer FROM bets
    WHERE account_id = p_account AND wager_id = p_wager AND offer_status = 'requesting' AND is_active
      AND requesting_user_id <> p_user
    ORDER BY requesting_odds, queue_place, id LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM FROM balances WHERE account_id = p_account AND user_id IN (p_user, offer.requesting_user_id)
    ORDER BY user_id FOR NO KEY UPDATE;
  PERFORM FROM bets WHERE account_id = p_account AND id = offer.id FOR NO KEY UPDATE;
  UPDATE bets SET offer_status = 'accepted', accepting_user_id = p_user, effective_odds = requesting_odds,
      effective_amount = requesting_amount, updated_at = now()
    WHERE account_id = p_account AND id = offer.id;
  profit := bench_winnings(offer.requesting_amount, offer.requesting_odds);
  PERFORM bench_move(p_account, offer.requesting_user_id, p_wager, profit, -offer.requesting_amount, -offer.requesting_amount);
  PERFORM bench_move(p_account, p_user, p_wager, -profit, offer.requesting_amount, 0);
  PERFORM bench_trail(p_account, offer.id, 'Offer accepted');
  RETURN offer.id;
END $$;

CREATE FUNCTION bench_cancel(p_account bigint, p_wager bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  offer bets%ROWTYPE;
BEGIN
  PERFORM FROM wagers WHERE account_id = p_account AND id = p_wager FOR NO KEY UPDATE;
  SELECT * INTO offer FROM bets
    WHERE account_id = p_account AND wager_id = p_wager AND offer_status = 'requesting' AND is_active
    ORDER BY requesting_odds DESC, queue_place DESC, id DESC LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM FROM balances WHERE account_id = p_account AND user_id = offer.requesting_user_id FOR NO KEY UPDATE;
  UPDATE bets SET offer_status = 'canceled', updated_at = now() WHERE account_id = p_account AND id = offer.id;
  PERFORM bench_move(p_account, offer.requesting_user_id, p_wager, 0, 0, -offer.requesting_amount);
  PERFORM bench_trail(p_account, offer.id, 'Offer canceled');
  RETURN offer.id;
END $$;

-- Decides each small wager once. The sequence deals them out, account by account in turn.
CREATE SEQUENCE bench_turns;
CREATE FUNCTION bench_decide(p_accounts int, p_prefix text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  turn bigint := nextval('bench_turns') - 1;
  p_account bigint := turn % p_accounts + 1;
  p_wager bigint;
BEGIN
  SELECT id INTO p_wager FROM wagers
    WHERE account_id = p_account AND reference = p_prefix || (turn / p_accounts + 1) AND outcome = 'undecided'
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'no wager is left to decide'; END IF;
  PERFORM FROM balances b
    WHERE account_id = p_account AND user_id IN (
      SELECT requesting_user_id FROM bets WHERE account_id = p_account AND wager_id = p_wager AND offer_status = 'accepted'
      UNION
      SELECT accepting_user_id FROM bets WHERE account_id = p_account AND wager_id = p_wager AND offer_status = 'accepted')
    ORDER BY user_id FOR NO KEY UPDATE;
  WITH moving AS MATERIALIZED (
    SELECT id, requesting_user_id, accepting_user_id, requesting_odds, requesting_amount, effective_odds, effective_amount,
           bench_winnings(effective_amount, effective_odds) AS winnings, nextval('bet_trails_id_seq') AS trail_id
      FROM bets
     WHERE account_id = p_account AND wager_id = p_wager AND offer_status = 'accepted' AND settled_outcome IS NULL
  ), sides AS MATERIALIZED (
    SELECT side.* FROM moving, LATERAL (
      VALUES (requesting_user_id, winnings, 'credit', trail_id), (accepting_user_id, -winnings, 'debit', trail_id)
    ) AS side (user_id, amount, type, trail_id)
  ), freed AS MATERIALIZED (
    SELECT user_id, greatest(0, -win, offered - loss) AS exposure FROM positions
     WHERE account_id = p_account AND wager_id = p_wager
  ), decided AS (
    UPDATE wagers SET outcome = 'win', updated_at = now() WHERE account_id = p_account AND id = p_wager
  ), settled AS (
    UPDATE bets b SET settled_outcome = 'win', updated_at = now() FROM moving m
     WHERE b.account_id = p_account AND b.id = m.id
  ), trailed AS (
    INSERT INTO bet_trails (account_id, id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
        requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
      SELECT p_account, trail_id, id, p_wager, 'accepted', 'Bet settled: win', 'win', requesting_odds, requesting_amount,
             effective_odds, effective_amount, effective_odds, effective_amount FROM moving
  ), moved AS (
    INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type, transaction_source,
        bet_trail_id, balance_after)
      SELECT p_account, s.user_id, 'TX_' || encode(uuid_send(gen_random_uuid()), 'hex'), abs(s.amount),
             'Bet settled: win', s.type, 'bet', s.trail_id, b.balance + s.running
        FROM (SELECT *, sum(amount) OVER (PARTITION BY user_id ORDER BY trail_id) AS running FROM sides) s
        JOIN balances b ON b.account_id = p_account AND b.user_id = s.user_id ORDER BY s.trail_id
  ), cleared AS (
    UPDATE positions SET win = 0, loss = 0 WHERE account_id = p_account AND wager_id = p_wager
  )
  UPDATE balances b SET balance = b.balance + sums.amount, exposure = b.exposure - freed.exposure
    FROM (SELECT user_id, sum(amount) AS amount FROM sides GROUP BY user_id) sums JOIN freed USING (user_id)
   WHERE b.account_id = p_account AND b.user_id = sums.user_id;
  RETURN p_wager;
END $$;

-- Settles a wager by statements over all its bets, in one transaction. It decides nothing, splits nothing into chunks,
-- and holds its locks to the end. The account has no other open bets, so its exposures end at 0.
CREATE FUNCTION bench_settle(p_account bigint, p_reference text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMPORARY TABLE moving ON COMMIT DROP AS
    SELECT b.id, b.wager_id, b.requesting_user_id, b.accepting_user_id, b.requesting_odds, b.requesting_amount,
           b.effective_odds, b.effective_amount, bench_winnings(b.effective_amount, b.effective_odds) AS winnings,
           nextval('bet_trails_id_seq') AS trail_id
      FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
     WHERE b.account_id = p_account AND w.reference = p_reference AND b.offer_status = 'accepted'
       AND b.settled_outcome IS NULL;
  UPDATE wagers SET outcome = 'win', updated_at = now() WHERE account_id = p_account AND reference = p_reference;
  UPDATE bets b SET settled_outcome = 'win', updated_at = now() FROM moving m
   WHERE b.account_id = p_account AND b.id = m.id;
  INSERT INTO bet_trails (account_id, id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
      requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
    SELECT p_account, trail_id, id, wager_id, 'accepted', 'Bet settled: win', 'win', requesting_odds, requesting_amount,
           effective_odds, effective_amount, effective_odds, effective_amount FROM moving;
  INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type, transaction_source,
      bet_trail_id, balance_after)
    SELECT p_account, side.user_id, 'TX_' || encode(uuid_send(gen_random_uuid()), 'hex'), winnings, 'Bet settled: win',
           side.type, 'bet', trail_id,
           b.balance + sum(side.sign * winnings) OVER (PARTITION BY side.user_id ORDER BY trail_id)
      FROM moving
     CROSS JOIN LATERAL (VALUES (requesting_user_id, 'credit', 1), (accepting_user_id, 'debit', -1))
           AS side (user_id, type, sign)
      JOIN balances b ON b.account_id = p_account AND b.user_id = side.user_id ORDER BY trail_id;
  UPDATE positions p SET win = 0, loss = 0 FROM (SELECT DISTINCT wager_id FROM moving) w
   WHERE p.account_id = p_account AND p.wager_id = w.wager_id;
  UPDATE balances b SET balance = b.balance + moved.amount, exposure = 0
    FROM (SELECT user_id, sum(amount) AS amount
            FROM (SELECT requesting_user_id AS user_id, winnings AS amount FROM moving
                  UNION ALL SELECT accepting_user_id, -winnings FROM moving) sides
           GROUP BY user_id) moved
   WHERE b.account_id = p_account AND b.user_id = moved.user_id;
END $$;
