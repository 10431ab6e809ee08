import type { Pass } from './check.js';
import { shown } from './facts.js';
import type { Scope } from './scope.js';

/** The wagers of the bets to check: without a bet that changed, the figures of a wager have not changed either. */
const touched = (scope: Scope): string => `SELECT DISTINCT account_id, wager_id FROM ${scope.bets} b`;

/** All matched bets of those wagers, which are never open. */
const counted = (scope: Scope): string => `
  SELECT b.account_id, b.wager_id, count(*) AS bets, sum(b.effective_amount) AS amount
    FROM (${touched(scope)}) w
    JOIN ${scope.allBets} b ON b.account_id = w.account_id AND b.wager_id = w.wager_id
   WHERE b.accepting_user_id IS NOT NULL AND NOT (b.offer_status = 'requesting' AND b.is_active)
   GROUP BY b.account_id, b.wager_id`;

/** The last acceptance among the bets to check. The first entry that has an acceptance is the acceptance itself. */
const lastAcceptances = (scope: Scope): string => `
  SELECT account_id, wager_id, max(accepted_by) AS accepted_by
    FROM (SELECT account_id, wager_id, bet_id, min(id) AS accepted_by
            FROM ${scope.trails} t WHERE accepting_amount IS NOT NULL GROUP BY account_id, wager_id, bet_id) first
   GROUP BY account_id, wager_id`;

/**
 * The acceptance of the bet that a wager names as matched last. Not `min(t.id)`: PostgreSQL might look for it in the order of
 * the key, past all entries of the account.
 */
const namedAcceptance = `
  SELECT min(t.id + 0) AS accepted_by FROM bet_trails t
   WHERE t.account_id = w.account_id AND t.bet_id = w.last_matched_bet_id AND t.wager_id = w.id
     AND t.accepting_amount IS NOT NULL`;

const isMiscounted = `
  w.matched_bets <> coalesce(c.bets, 0) OR w.matched_amount <> coalesce(c.amount, 0)`;

/** What an order book shows without counting. */
export const matchesOfWagers: Pass = {
  things: 'wagers',
  readsByKey: true,
  checks: [
    { name: 'matched bets of a wager and their amount = counted', column: 'matched' },
    { name: 'the last matched bet of a wager has its last acceptance', column: 'latest' },
  ],
  rows: (scope) => `
    SELECT w.account_id, w.id, 'wager ' || w.id AS subject,
           CASE WHEN ${isMiscounted} THEN
             format('says %s matched bets of %s; counted: %s of %s', w.matched_bets, ${shown('w.matched_amount')},
                    coalesce(c.bets, 0), ${shown('coalesce(c.amount, 0)')}) END AS matched,
           CASE WHEN l.accepted_by > coalesce(named.accepted_by, 0) THEN
                  format('says that bet %s was matched last; trail entry %s is a later acceptance',
                         coalesce(w.last_matched_bet_id::text, 'none'), l.accepted_by)
                WHEN w.last_matched_bet_id IS NOT NULL AND named.accepted_by IS NULL THEN
                  format('says that bet %s was matched last, which has no acceptance', w.last_matched_bet_id)
           END AS latest
      FROM (${touched(scope)}) b
      JOIN ${scope.table('wagers')} w ON w.account_id = b.account_id AND w.id = b.wager_id
      LEFT JOIN (${counted(scope)}) c ON c.account_id = w.account_id AND c.wager_id = w.id
      LEFT JOIN (${lastAcceptances(scope)}) l ON l.account_id = w.account_id AND l.wager_id = w.id
     CROSS JOIN LATERAL (${namedAcceptance}) named`,
};
