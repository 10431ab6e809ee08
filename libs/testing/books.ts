import { expect } from '@jest/globals';
import type { TestDatabase } from './databases.js';

// Everything that is kept is recomputed from the facts, in SQL that shares nothing with the code under test.

const winnings = 'round(effective_amount::numeric * (effective_odds - 1000000) / 1000000)';
const isMatched = `offer_status = 'accepted' AND is_active AND settled_outcome IS NULL`;
const isOpen = `offer_status = 'requesting' AND is_active`;

const positions = `
  SELECT account_id, user_id, wager_id, sum(win) AS win, sum(loss) AS loss, sum(offered) AS offered FROM (
    SELECT account_id, requesting_user_id AS user_id, wager_id, 0 AS win, 0 AS loss, requesting_amount AS offered
      FROM bets WHERE ${isOpen}
    UNION ALL
    SELECT account_id, requesting_user_id, wager_id, ${winnings}, -effective_amount, 0 FROM bets WHERE ${isMatched}
    UNION ALL
    SELECT account_id, accepting_user_id, wager_id, -${winnings}, effective_amount, 0 FROM bets WHERE ${isMatched}
  ) parts GROUP BY account_id, user_id, wager_id`;

const differences = {
  positions: `
    SELECT * FROM (${positions}) facts
      FULL JOIN positions kept USING (account_id, user_id, wager_id)
     WHERE (coalesce(facts.win, 0), coalesce(facts.loss, 0), coalesce(facts.offered, 0))
        IS DISTINCT FROM (coalesce(kept.win, 0), coalesce(kept.loss, 0), coalesce(kept.offered, 0))`,
  exposures: `
    SELECT b.account_id, b.user_id, b.exposure, coalesce(facts.exposure, 0) AS recomputed FROM balances b
      LEFT JOIN (SELECT account_id, user_id, sum(greatest(0, -win, -(loss - offered))) AS exposure
                   FROM (${positions}) p GROUP BY account_id, user_id) facts USING (account_id, user_id)
     WHERE b.exposure IS DISTINCT FROM coalesce(facts.exposure, 0)`,
  balances: `
    SELECT b.account_id, b.user_id, b.balance, t.total FROM balances b
      LEFT JOIN (SELECT account_id, user_id,
                        sum(CASE transaction_type WHEN 'credit' THEN amount WHEN 'debit' THEN -amount ELSE 0 END) AS total
                   FROM transactions GROUP BY account_id, user_id) t USING (account_id, user_id)
     WHERE b.balance IS DISTINCT FROM coalesce(t.total, 0)`,
  'bets without a trail of their present state': `
    SELECT b.account_id, b.id FROM bets b
      LEFT JOIN LATERAL (SELECT offer_status, effective_amount FROM bet_trails t
                          WHERE t.account_id = b.account_id AND t.bet_id = b.id ORDER BY t.id DESC LIMIT 1) last ON true
     WHERE (b.offer_status, b.effective_amount) IS DISTINCT FROM (last.offer_status, last.effective_amount)`,
  'bet transactions that do not sum to zero': `
    SELECT account_id, bet_trail_id FROM transactions WHERE transaction_source = 'bet' GROUP BY account_id, bet_trail_id
    HAVING sum(CASE transaction_type WHEN 'credit' THEN amount WHEN 'debit' THEN -amount ELSE 0 END) <> 0`,
} as const;

/** Every money test ends with this: what is kept equals what the facts say. */
export async function expectBooksToBalance(database: TestDatabase): Promise<void> {
  for (const [name, sql] of Object.entries(differences)) {
    expect({ [name]: await database.query(sql) }).toEqual({ [name]: [] });
  }
}
