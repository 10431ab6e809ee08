import type { BenchDatabase } from './database.js';
import { AMOUNT_MICROS, firstUserId, USERS } from './seed.js';

type Queryable = Pick<BenchDatabase, 'query'>;

export interface WagerSeed {
  readonly account: number;
  readonly wagers: number;
  /** The accepted bets on each wager. */
  readonly bets: number;
  /** References `<name>1`, `<name>2`, … */
  readonly name: string;
  /** Default: all of the account's. */
  readonly users?: { readonly firstId: number; readonly count: number };
}

/** Some odds, so that winnings differ from stakes. */
const ODDS = '(150 + bet.n * 37 % 151) * 10000';

/** Seeds undecided wagers with accepted bets between users of an account, and all rows that the API would have written. */
export async function seedWagers(database: Queryable, seed: WagerSeed): Promise<void> {
  const { account, wagers, bets, name } = seed;
  const { firstId: first, count: users } = seed.users ?? { firstId: firstUserId(account), count: USERS };
  await database.query(`
    BEGIN;
    CREATE TEMPORARY TABLE fresh_wagers ON COMMIT DROP AS
      SELECT nextval('wagers_id_seq') AS id, n FROM generate_series(1, ${wagers}) n;
    INSERT INTO wagers (account_id, id, reference) SELECT ${account}, id, '${name}' || n FROM fresh_wagers ORDER BY id;
    CREATE TEMPORARY TABLE fresh ON COMMIT DROP AS
      SELECT nextval('bets_id_seq') AS id, w.id AS wager_id, ${ODDS} AS odds, ${first} + (bet.n + w.n) % ${users} AS requester,
             ${first} + (bet.n + w.n + 1 + bet.n * 7 % ${users - 1}) % ${users} AS acceptor
        FROM fresh_wagers w, generate_series(1, ${bets}) AS bet (n);
    INSERT INTO bets (account_id, id, wager_id, requesting_user_id, accepting_user_id, requesting_odds, requesting_amount,
        effective_odds, effective_amount, queue_place, offer_status)
      SELECT ${account}, id, wager_id, requester, acceptor, odds, ${AMOUNT_MICROS}, odds, ${AMOUNT_MICROS}, id, 'accepted'
        FROM fresh ORDER BY id;
    INSERT INTO bet_trails (account_id, bet_id, wager_id, offer_status, description, outcome, requesting_odds,
        requesting_amount, accepting_odds, accepting_amount, effective_odds, effective_amount)
      SELECT ${account}, id, wager_id, 'requesting', 'Offer made', 'undecided', odds, ${AMOUNT_MICROS}, NULL::bigint,
             NULL::bigint, NULL::bigint, NULL::bigint FROM fresh
      UNION ALL
      SELECT ${account}, id, wager_id, 'accepted', 'Offer accepted', 'undecided', odds, ${AMOUNT_MICROS}, odds,
             ${AMOUNT_MICROS}, odds, ${AMOUNT_MICROS} FROM fresh;
    UPDATE wagers w
       SET matched_bets = w.matched_bets + m.bets, matched_amount = w.matched_amount + m.bets * ${AMOUNT_MICROS},
           last_matched_bet_id = m.last_id
      FROM (SELECT wager_id, count(*) AS bets, max(id) AS last_id FROM fresh GROUP BY wager_id) m
     WHERE w.account_id = ${account} AND w.id = m.wager_id;
    CREATE TEMPORARY TABLE sides ON COMMIT DROP AS
      SELECT user_id, wager_id, sum(win) AS win, sum(loss) AS loss
        FROM (SELECT requester AS user_id, wager_id, ${AMOUNT_MICROS}::bigint * (odds - 1000000) / 1000000 AS win,
                     -${AMOUNT_MICROS}::bigint AS loss FROM fresh
              UNION ALL
              SELECT acceptor, wager_id, -(${AMOUNT_MICROS}::bigint * (odds - 1000000) / 1000000), ${AMOUNT_MICROS}
                FROM fresh) parts
       GROUP BY user_id, wager_id;
    INSERT INTO positions (account_id, user_id, wager_id, win, loss) SELECT ${account}, user_id, wager_id, win, loss FROM sides;
    UPDATE balances b SET exposure = b.exposure + worst.exposure
      FROM (SELECT user_id, sum(greatest(0, -win, -loss)) AS exposure FROM sides GROUP BY user_id) worst
     WHERE b.account_id = ${account} AND b.user_id = worst.user_id;
    SELECT write_group(p_totals => ARRAY[ROW(${account}, count(*), 0, 0, 0)::moved_total]) FROM fresh;
    SELECT open_log(${account});
    COMMIT`);
}
