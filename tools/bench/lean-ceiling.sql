-- What one PostgreSQL can do at least: the same facts as the product's tables, in the leanest schema, in a database of its
-- own. No foreign key, check, trigger, total or list index; each operation is one call in one transaction. (The product
-- writes no position of a user's only offer; this does.)

CREATE TABLE users (
  account_id bigint, id bigint, reference text NOT NULL,
  balance numeric(24, 6) NOT NULL DEFAULT 0, exposure numeric(24, 6) NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, id), UNIQUE (account_id, reference)
);
CREATE TABLE wagers (
  account_id bigint, id bigserial, reference text NOT NULL,
  outcome text NOT NULL DEFAULT 'undecided', created_at timestamptz DEFAULT now(),
  PRIMARY KEY (account_id, id), UNIQUE (account_id, reference)
);
CREATE TABLE bets (
  account_id bigint, id bigserial, wager_id bigint NOT NULL, offer_status text NOT NULL,
  requesting_user_id bigint NOT NULL, accepting_user_id bigint,
  requesting_odds numeric(12, 6) NOT NULL, requesting_amount numeric(24, 6) NOT NULL,
  effective_odds numeric(12, 6), effective_amount numeric(24, 6),
  is_active boolean DEFAULT true, created_at timestamptz DEFAULT now(),
  PRIMARY KEY (account_id, id)
);
CREATE INDEX bets_book ON bets (account_id, wager_id, requesting_odds, id)
  WHERE offer_status = 'requesting' AND is_active;
CREATE INDEX bets_of_user ON bets (account_id, requesting_user_id);
CREATE TABLE bet_trails (
  account_id bigint, id bigserial, bet_id bigint NOT NULL, offer_status text, description text,
  odds numeric(12, 6), amount numeric(24, 6), created_at timestamptz DEFAULT now(),
  PRIMARY KEY (account_id, id)
);
CREATE INDEX bet_trails_of_bet ON bet_trails (account_id, bet_id);
CREATE TABLE positions (
  account_id bigint, user_id bigint, wager_id bigint,
  win numeric(24, 6) NOT NULL DEFAULT 0, loss numeric(24, 6) NOT NULL DEFAULT 0,
  offered numeric(24, 6) NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, user_id, wager_id)
);
CREATE TABLE transactions (
  account_id bigint, id bigserial, user_id bigint NOT NULL,
  reference text NOT NULL DEFAULT 'TX_' || substr(md5(random()::text), 1, 16),
  amount numeric(24, 6), transaction_type text, transaction_source text, bet_trail_id bigint,
  created_at timestamptz DEFAULT now(),
  PRIMARY KEY (account_id, id), UNIQUE (account_id, reference)
);
CREATE INDEX transactions_of_user ON transactions (account_id, user_id, id);

CREATE FUNCTION lean_make(p_account bigint, p_user bigint, p_wager text, p_odds numeric, p_amount numeric)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  wager wagers%ROWTYPE;
  bet bigint;
  change numeric;
BEGIN
  PERFORM FROM users WHERE account_id = p_account AND id = p_user FOR UPDATE;
  INSERT INTO wagers (account_id, reference) VALUES (p_account, p_wager) ON CONFLICT (account_id, reference) DO NOTHING;
  SELECT * INTO wager FROM wagers WHERE account_id = p_account AND reference = p_wager;
  INSERT INTO bets (account_id, wager_id, offer_status, requesting_user_id, requesting_odds, requesting_amount)
    VALUES (p_account, wager.id, 'requesting', p_user, p_odds, p_amount) RETURNING id INTO bet;
  INSERT INTO bet_trails (account_id, bet_id, offer_status, description, odds, amount)
    VALUES (p_account, bet, 'requesting', 'Offer made', p_odds, p_amount);
  INSERT INTO positions AS held (account_id, user_id, wager_id, offered) VALUES (p_account, p_user, wager.id, p_amount)
    ON CONFLICT (account_id, user_id, wager_id) DO UPDATE SET offered = held.offered + excluded.offered
    RETURNING greatest(0, -win, offered - loss) - greatest(0, -win, offered - p_amount - loss) INTO change;
  UPDATE users SET exposure = exposure + change WHERE account_id = p_account AND id = p_user;
  RETURN bet;
END $$;

-- Moves a position, and the exposure of its user by the difference.
CREATE FUNCTION lean_move(p_account bigint, p_user bigint, p_wager bigint, p_win numeric, p_loss numeric, p_offered numeric)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  change numeric;
BEGIN
  INSERT INTO positions AS held (account_id, user_id, wager_id, win, loss, offered)
    VALUES (p_account, p_user, p_wager, p_win, p_loss, p_offered)
    ON CONFLICT (account_id, user_id, wager_id) DO UPDATE
      SET win = held.win + excluded.win, loss = held.loss + excluded.loss, offered = held.offered + excluded.offered
    RETURNING greatest(0, -win, offered - loss)
      - greatest(0, p_win - win, (offered - p_offered) - (loss - p_loss)) INTO change;
  UPDATE users SET exposure = exposure + change WHERE account_id = p_account AND id = p_user;
END $$;

-- Takes the whole cheapest offer of another user. It skips offers that another transaction has locked, so that
-- acceptances of one wager do not wait for each other; it locks the users in the order of their ids.
CREATE FUNCTION lean_accept(p_account bigint, p_user bigint, p_wager text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  wager wagers%ROWTYPE;
  offer bets%ROWTYPE;
  profit numeric;
BEGIN
  SELECT * INTO wager FROM wagers WHERE account_id = p_account AND reference = p_wager;
  SELECT * INTO offer FROM bets
    WHERE account_id = p_account AND wager_id = wager.id AND offer_status = 'requesting' AND is_active
      AND requesting_user_id <> p_user
    ORDER BY requesting_odds, id LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM FROM users WHERE account_id = p_account AND id IN (p_user, offer.requesting_user_id) ORDER BY id FOR UPDATE;
  UPDATE bets SET offer_status = 'accepted', accepting_user_id = p_user, effective_odds = requesting_odds,
      effective_amount = requesting_amount
    WHERE account_id = p_account AND id = offer.id;
  INSERT INTO bet_trails (account_id, bet_id, offer_status, description, odds, amount)
    VALUES (p_account, offer.id, 'accepted', 'Offer accepted', offer.requesting_odds, offer.requesting_amount);
  profit := offer.requesting_amount * (offer.requesting_odds - 1);
  PERFORM lean_move(p_account, offer.requesting_user_id, wager.id, profit, -offer.requesting_amount,
    -offer.requesting_amount);
  PERFORM lean_move(p_account, p_user, wager.id, -profit, offer.requesting_amount, 0);
  RETURN offer.id;
END $$;

-- Settles a wager in one transaction. It decides nothing, and leaves positions and exposures as they are.
CREATE FUNCTION lean_settle(p_account bigint, p_wager text) RETURNS void LANGUAGE sql SET enable_nestloop = off AS $$
  WITH settled AS (
    UPDATE bets SET offer_status = 'settled'
      WHERE account_id = p_account AND offer_status = 'accepted'
        AND wager_id = (SELECT id FROM wagers WHERE account_id = p_account AND reference = p_wager)
      RETURNING id, requesting_user_id, accepting_user_id, effective_odds, effective_amount,
        effective_amount * (effective_odds - 1) AS profit
  ), trailed AS (
    INSERT INTO bet_trails (account_id, bet_id, offer_status, description, odds, amount)
      SELECT p_account, id, 'accepted', 'Bet settled: win', effective_odds, effective_amount FROM settled
      RETURNING id, bet_id
  ), moved AS (
    INSERT INTO transactions (account_id, user_id, amount, transaction_type, transaction_source, bet_trail_id)
      SELECT p_account, side.user_id, profit, side.type, 'bet', trailed.id
        FROM settled JOIN trailed ON trailed.bet_id = settled.id,
          LATERAL (VALUES (requesting_user_id, 'credit'), (accepting_user_id, 'debit')) AS side (user_id, type)
  ), sums AS (
    SELECT side.user_id, sum(side.amount) AS amount
      FROM settled, LATERAL (VALUES (requesting_user_id, profit), (accepting_user_id, -profit)) AS side (user_id, amount)
      GROUP BY side.user_id
  )
  UPDATE users u SET balance = balance + sums.amount FROM sums WHERE u.account_id = p_account AND u.id = sums.user_id;
$$;

-- Seeds users and wagers as the product's database has them.
CREATE FUNCTION lean_seed(p_accounts int, p_users int, p_wagers int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO users (account_id, id, reference, balance)
    SELECT a, (a - 1) * p_users + n, 'u' || n, 1000000000 FROM generate_series(1, p_accounts) a, generate_series(1, p_users) n;
  INSERT INTO wagers (account_id, reference)
    SELECT a, 'w' || n FROM generate_series(1, p_accounts) a, generate_series(1, p_wagers) n;
$$;

-- Makes offers of 10 until each wager has that many open ones.
CREATE FUNCTION lean_top_up(p_users int, p_per_wager int) RETURNS void LANGUAGE sql AS $$
  SELECT lean_make(w.account_id, (w.account_id - 1) * p_users + 1 + (n * 7 + w.id) % p_users, w.reference,
      1.5 + n * 37 % 151 * 0.01, 10)
    FROM wagers w
    LEFT JOIN (SELECT account_id, wager_id, count(*) AS count FROM bets
                WHERE offer_status = 'requesting' AND is_active GROUP BY account_id, wager_id) open
      ON open.account_id = w.account_id AND open.wager_id = w.id,
    generate_series(coalesce(open.count, 0) + 1, p_per_wager) n
   WHERE w.reference LIKE 'w%';
$$;

-- Seeds a wager with that many accepted bets between the users of an account.
CREATE FUNCTION lean_seed_large(p_account bigint, p_wager text, p_users int, p_bets int) RETURNS void LANGUAGE sql AS $$
  WITH wager AS (INSERT INTO wagers (account_id, reference) VALUES (p_account, p_wager) RETURNING id)
  INSERT INTO bets (account_id, wager_id, offer_status, requesting_user_id, accepting_user_id, requesting_odds,
      requesting_amount, effective_odds, effective_amount)
    SELECT p_account, wager.id, 'accepted', (p_account - 1) * p_users + 1 + n % p_users,
           (p_account - 1) * p_users + 1 + (n + 1 + n * 7 % (p_users - 1)) % p_users, odds, 10, odds, 10
      FROM wager, generate_series(1, p_bets) n, LATERAL (VALUES (1.5 + n * 37 % 151 * 0.01)) AS drawn (odds);
$$;
