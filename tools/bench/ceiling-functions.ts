import { WINNINGS } from './settlement-ceiling.js';
import { ACCOUNTS, AMOUNT_MICROS, DECIDED, USERS, WAGERS } from './world.js';

/**
 * The least that the database has to do for an operation of the API: the same locks, the same row changes, in one
 * call. They exist in the benchmark's databases alone. Wager first, then balances by user, then the bet, as in the API.
 */
export const CEILING_FUNCTIONS = `
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

CREATE FUNCTION bench_make(p_account bigint, p_user bigint, p_wager bigint, p_odds bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  new_id bigint := nextval('bets_id_seq');
BEGIN
  PERFORM FROM wagers WHERE account_id = p_account AND id = p_wager FOR NO KEY UPDATE;
  PERFORM FROM balances WHERE account_id = p_account AND user_id = p_user FOR NO KEY UPDATE;
  INSERT INTO bets (account_id, id, wager_id, requesting_user_id, requesting_odds, requesting_amount, queue_place)
    VALUES (p_account, new_id, p_wager, p_user, p_odds, ${AMOUNT_MICROS}, new_id);
  PERFORM bench_move(p_account, p_user, p_wager, 0, 0, ${AMOUNT_MICROS});
  INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds, requesting_amount)
    VALUES (p_account, new_id, p_wager, 'requesting', 'Offer made', 'undecided', p_odds, ${AMOUNT_MICROS});
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
  profit := offer.requesting_amount * (offer.requesting_odds - 1000000) / 1000000;
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

-- Each wager once: whoever comes draws the next number, and with it one account after the other.
CREATE SEQUENCE bench_turns;
CREATE FUNCTION bench_decide() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  turn bigint := nextval('bench_turns') - 1;
  p_account bigint := turn % ${ACCOUNTS} + 1;
  p_wager bigint;
BEGIN
  SELECT id INTO p_wager FROM wagers
    WHERE account_id = p_account AND reference = '${DECIDED}' || (turn / ${ACCOUNTS} + 1) AND outcome = 'undecided'
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
           ${WINNINGS} AS winnings, nextval('bet_trails_id_seq') AS trail_id
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
  ), told AS (
    INSERT INTO bet_trails (account_id, id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
        requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
      SELECT p_account, trail_id, id, p_wager, 'accepted', 'Bet settled: win', 'win', requesting_odds, requesting_amount,
             effective_odds, effective_amount, effective_odds, effective_amount FROM moving
  ), moved AS (
    INSERT INTO transactions (account_id, user_id, reference, amount, description, transaction_type, transaction_source,
        bet_trail_id)
      SELECT p_account, user_id, 'TX_' || encode(uuid_send(gen_random_uuid()), 'hex'), abs(amount), 'Bet settled: win',
             type, 'bet', trail_id FROM sides
  ), cleared AS (
    UPDATE positions SET win = 0, loss = 0 WHERE account_id = p_account AND wager_id = p_wager
  )
  UPDATE balances b SET balance = b.balance + sums.amount, exposure = b.exposure - freed.exposure
    FROM (SELECT user_id, sum(amount) AS amount FROM sides GROUP BY user_id) sums JOIN freed USING (user_id)
   WHERE b.account_id = p_account AND b.user_id = sums.user_id;
  RETURN p_wager;
END $$`;

/** A statement with `:name` for its variables, and how often it comes among its like. */
export interface CeilingStatement {
  readonly name: string;
  readonly weight: number;
  readonly sql: string;
}

const user = `(:account - 1) * ${USERS} + :user`;
const wager = `(:account - 1) * ${WAGERS} + :wager`;
const make = { name: 'make', sql: `SELECT bench_make(:account, ${user}, ${wager}, :odds * 10000);` };
const accept = { name: 'accept', sql: `SELECT bench_accept(:account, ${user}, ${wager});` };
const cancel = { name: 'cancel', sql: `SELECT bench_cancel(:account, ${wager});` };
const read = {
  name: 'read',
  sql: `SELECT * FROM users u JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id WHERE u.account_id = :account AND u.id = ${user};`,
};

export const CEILINGS = {
  make: [{ ...make, weight: 1 }],
  accept: [{ ...accept, weight: 1 }],
  mixed: [
    { ...make, weight: 5 },
    { ...accept, weight: 3 },
    { ...cancel, weight: 1 },
    { ...read, weight: 1 },
  ],
  decide: [{ name: 'decide', sql: 'SELECT bench_decide();', weight: 1 }],
} as const satisfies Record<string, readonly CeilingStatement[]>;

export type CeilingName = keyof typeof CEILINGS;

/** From 1 to each of these. */
export const variablesFor = (accounts = ACCOUNTS) => ({ account: accounts, user: USERS, wager: WAGERS });
