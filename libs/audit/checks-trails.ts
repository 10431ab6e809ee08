import type { Pass } from './check.js';
import { shown } from './facts.js';
import type { Scope } from './scope.js';

/** Whether the entry's wager or override is decided: only that, or its time, expires an offer without an acceptor. */
const isDecided = `(r.outcome <> 'undecided' OR coalesce(r.override_outcome, 'undecided') <> 'undecided')`;

const KNOWN_OUTCOMES = `('undecided', 'win', 'loss', 'push', 'half-win', 'half-loss', 'void')`;

/** The fields of an entry agree with each other. Only an override expires an accepted bet. */
const isPlausible = `
  CASE WHEN r.effective_amount IS NOT NULL THEN
         r.offer_status = 'accepted'
           OR r.offer_status = 'expired' AND coalesce(r.override_outcome, 'undecided') <> 'undecided'
       WHEN r.offer_status = 'requesting' THEN NOT ${isDecided}
       ELSE r.offer_status IN ('expired', 'canceled') END
  AND (r.accepting_odds, r.accepting_amount) IS NOT DISTINCT FROM (r.effective_odds, r.effective_amount)
  AND r.outcome IN ${KNOWN_OUTCOMES} AND coalesce(r.override_outcome, 'undecided') IN ${KNOWN_OUTCOMES}`;

const trailsPerBet = ({ trails }: Scope): string => `
  SELECT r.account_id, r.bet_id, min(r.id) AS first_id, max(r.id) AS last_id,
         min(r.id) FILTER (WHERE r.offer_status = 'requesting' AND r.effective_amount IS NULL) AS offered_id,
         min(r.wager_id) AS wager_id, max(r.wager_id) AS other_wager_id,
         min(r.requesting_odds) AS odds, max(r.requesting_odds) AS other_odds,
         min(r.requesting_amount) AS amount, max(r.requesting_amount) AS other_amount,
         min(r.id) FILTER (WHERE r.effective_amount IS NOT NULL) AS matched_id,
         min(r.id) FILTER (WHERE r.effective_amount IS NOT NULL AND r.offer_status = 'accepted' AND NOT ${isDecided})
           AS accepted_id,
         bool_or(r.offer_status = 'canceled') AS was_canceled,
         min(r.id) FILTER (WHERE r.offer_status = 'expired' AND r.effective_amount IS NULL AND NOT ${isDecided}) AS timed_out_id,
         min(r.id) FILTER (WHERE NOT (${isPlausible})) AS implausible
    FROM ${trails} r GROUP BY r.account_id, r.bet_id`;

const factsOf = (row: string): string =>
  ['offer_status', 'override_outcome', 'effective_odds', 'effective_amount'].map((column) => `${row}.${column}`).join();

const shownFactsOf = (row: string): string =>
  `concat_ws(' ', ${row}.offer_status, 'override ' || ${row}.override_outcome,
             'odds ' || ${shown(`${row}.effective_odds`)}, 'amount ' || ${shown(`${row}.effective_amount`)})`;

/** The latest step of such a bet settled or un-settled it, and its trail entry has the wager's outcome. */
const isSettledOtherwise = `
  b.is_active AND b.accepting_user_id IS NOT NULL AND b.override_outcome IS NULL
  AND latest.outcome <> coalesce(b.settled_outcome, 'undecided')`;

export const trailsOfBets: Pass = {
  things: 'bets',
  checks: [
    { name: 'the trail begins with the offer, and has the acceptance', column: 'whole' },
    { name: 'the latest trail entry = the bet', column: 'latest' },
    { name: 'all trail entries have the wager and terms of their bet, and agree with themselves', column: 'entries' },
  ],
  rows: (scope) => `
    SELECT coalesce(b.account_id, t.account_id) AS account_id, coalesce(b.id, t.bet_id) AS id,
           'bet ' || coalesce(b.id, t.bet_id) AS subject,
           CASE WHEN b.id IS NULL THEN 'has trail entries, but does not exist'
                WHEN t.bet_id IS NULL THEN 'has no trail entries'
                WHEN t.offered_id IS DISTINCT FROM t.first_id THEN 'has a trail that does not begin with the offer'
                WHEN b.accepting_user_id IS NOT NULL AND (t.accepted_id = t.matched_id) IS NOT TRUE THEN
                  'is accepted, and has no trail entry of it' END AS whole,
           CASE WHEN b.id IS NULL OR latest.id IS NULL THEN NULL
                WHEN (${factsOf('latest')}) IS DISTINCT FROM (${factsOf('b')}) THEN
                  format('is %s; its latest trail entry says %s', ${shownFactsOf('b')}, ${shownFactsOf('latest')})
                WHEN ${isSettledOtherwise} THEN
                  format('is %s; its latest trail entry says %s', coalesce('settled as ' || b.settled_outcome,
                         'not settled'), latest.outcome) END AS latest,
           CASE WHEN t.wager_id <> b.wager_id OR t.other_wager_id <> b.wager_id THEN 'has trail entries of another wager'
                WHEN (t.odds, t.other_odds, t.amount, t.other_amount) IS DISTINCT FROM
                     (b.requesting_odds, b.requesting_odds, b.requesting_amount, b.requesting_amount)
                 AND t.bet_id IS NOT NULL AND b.id IS NOT NULL THEN 'has trail entries of other terms'
                WHEN t.was_canceled AND b.offer_status <> 'canceled' THEN
                  format('is %s, and has a trail entry that it was canceled', b.offer_status)
                WHEN t.timed_out_id IS NOT NULL AND NOT b.timed_out THEN
                  format('has trail entry %s, by which its time has ended it', t.timed_out_id)
                WHEN t.implausible IS NOT NULL THEN
                  format('has trail entry %s, which does not agree with itself', t.implausible) END AS entries
      FROM ${scope.bets} b
      FULL JOIN (${trailsPerBet(scope)}) t ON t.account_id = b.account_id AND t.bet_id = b.id
      LEFT JOIN ${scope.trails} latest ON latest.account_id = t.account_id AND latest.id = t.last_id`,
};
