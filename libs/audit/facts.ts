/* The figures that follow from bets and transactions, as SQL fragments for the audit and the portfolio check. */

/** Everything here is numeric: corrupt amounts may sum to more than 64 bits, and the audit must report them. */
const stake = 'b.effective_amount::numeric';

/** The ledger's division: to the nearest integer, halves away from zero. For dividends from 0; exact at any size. */
const halfAwayFromZero = (dividend: string, divisor: string): string =>
  `div(2 * (${dividend}) + ${divisor}, 2 * ${divisor})`;

/** The smallest amount with so many decimals. */
export const smallestWith = (decimals: string): string =>
  `('{1000000,100000,10000,1000,100,10,1}'::numeric[])[${decimals} + 1]`;

/** By the decimals of account `a`, down to its smallest amount; without any, as above. */
const divided = (dividend: string, divisor: string): string => `
  CASE WHEN a.decimals IS NULL THEN ${halfAwayFromZero(dividend, divisor)}
       ELSE div(${dividend}, ${divisor} * ${smallestWith('a.decimals')}) * ${smallestWith('a.decimals')} END`;

/** Gives the decimals of its account to each bet `b`. */
export const withAccount = 'LEFT JOIN accounts a ON a.id = b.account_id';

const winnings = `${stake} * (b.effective_odds - 1000000)`;
const won = divided(winnings, '1000000::numeric');

/** The amount from the acceptor of bet `b` to its requester under an outcome, in micro-units, by the decimals of account `a`. */
export const movementSql = (outcome: string): string => `
  CASE ${outcome}
    WHEN 'win' THEN ${won}
    WHEN 'half-win' THEN ${divided(winnings, '2000000::numeric')}
    WHEN 'half-loss' THEN -(${divided(stake, '2::numeric')})
    WHEN 'loss' THEN -${stake}
    ELSE 0 END`;

/** The change of the user's balance by transaction `t`. */
export const receivedSql = `
  CASE t.transaction_type WHEN 'credit' THEN t.amount WHEN 'debit' THEN -t.amount ELSE 0 END`;

export const isOpenOffer = `b.offer_status = 'requesting' AND b.accepting_user_id IS NULL AND b.is_active`;
/** An accepted bet is no open offer (CHECK), so that condition only leads to an index. */
export const isUnsettled = `b.accepting_user_id IS NOT NULL AND b.is_active AND b.settled_outcome IS NULL
  AND NOT (b.offer_status = 'requesting' AND b.is_active)`;

/** The bets to sum, for each side of a user that adds to its positions. Each is an item of a FROM clause. */
export interface BetsToSum {
  readonly offered: string;
  readonly requested: string;
  readonly accepted: string;
}

/** The users' positions, from their bets alone: `account_id, user_id, wager_id, win, loss, offered, bets`. */
export const positionsFrom = ({ offered, requested, accepted }: BetsToSum): string => `
  SELECT account_id, user_id, wager_id, sum(win) AS win, sum(loss) AS loss, sum(offered) AS offered, count(*) AS bets
    FROM (SELECT b.account_id, b.requesting_user_id AS user_id, b.wager_id, 0::numeric AS win, 0::numeric AS loss,
                 b.requesting_amount AS offered
            FROM ${offered} b WHERE ${isOpenOffer}
          UNION ALL
          SELECT b.account_id, b.requesting_user_id, b.wager_id, ${won}, -${stake}, 0
            FROM ${requested} b ${withAccount} WHERE ${isUnsettled}
          UNION ALL
          SELECT b.account_id, b.accepting_user_id, b.wager_id, -(${won}), ${stake}, 0
            FROM ${accepted} b ${withAccount} WHERE ${isUnsettled}) AS sides
   GROUP BY account_id, user_id, wager_id`;

/** Of such a position: it is one open offer and nothing else, a lone offer if no row is stored. */
export const isLoneOffer = (position: string): string => `${position}.bets = 1 AND ${position}.offered > 0`;

/** Positions from all of some bets. */
export const positionsFromBets = (bets: string): string =>
  positionsFrom({ offered: bets, requested: bets, accepted: bets });

/** The exposure of each user by such positions: `account_id, user_id, exposure`. */
export const exposuresFrom = (positions: string): string => `
  SELECT account_id, user_id, sum(greatest(0, -win, -(loss - offered))) AS exposure
    FROM (${positions}) AS positions GROUP BY account_id, user_id`;

/** Micro-units as decimal units. */
export const shown = (micros: string): string => `trim_scale((${micros})::numeric / 1000000)`;
