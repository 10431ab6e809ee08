import type { Pass } from './check.js';
import { isOpenOffer } from './facts.js';
import type { Scope } from './scope.js';

/**
 * The wagers, each with `is_awaited`: its bets may wait for the worker. That needs both the mark `settling_since` and an
 * undone outbox entry; with only one of them the worker would never settle the bets. `is_forgotten`: cancels have left
 * offers, and no entry asks the worker to cancel them.
 */
const wagersOf = (scope: Scope): string => `
  SELECT w.account_id, w.id, w.outcome, w.status, w.closes_at, w.settling_since, w.settled_up_to, w.void_from,
         w.settling_since IS NOT NULL AND work.is_settled IS TRUE AS is_awaited,
         w.pending_cancels IS NOT NULL AND work.is_canceled IS NOT TRUE AS is_forgotten
    FROM ${scope.table('wagers')} w
    LEFT JOIN (SELECT account_id, payload ->> 'wagerId' AS wager_id, bool_or(topic = 'settle-wager') AS is_settled,
                      bool_or(topic = 'cancel-offers') AS is_canceled
                 FROM ${scope.table('outbox')} o
                WHERE topic IN ('settle-wager', 'cancel-offers') AND done_at IS NULL AND failed_at IS NULL
                GROUP BY account_id, payload ->> 'wagerId') work
      ON work.account_id = w.account_id AND work.wager_id = w.id::text`;

const isMatched = 'b.accepting_user_id IS NOT NULL';
const isOverridden = `coalesce(b.override_outcome, 'undecided') <> 'undecided'`;

/** The status by the facts. Only an admin's override expires a matched bet; other overrides leave it accepted. */
const dueStatus = `
  CASE WHEN ${isMatched} THEN
         CASE WHEN ${isOverridden} AND b.offer_status = 'expired' THEN 'expired' ELSE 'accepted' END
       WHEN b.offer_status = 'canceled' AND NOT ${isOverridden} THEN 'canceled'
       WHEN b.timed_out OR w.outcome <> 'undecided' OR ${isOverridden} THEN 'expired'
       ELSE 'requesting' END`;

const dueOutcome = `
  CASE WHEN ${isMatched} AND b.is_active THEN nullif(coalesce(b.override_outcome, w.outcome), 'undecided') END`;

/**
 * An override settles a bet at once, so only bets and offers without one may wait for their wager's outcome; and of the bets
 * only those behind the wager's mark, because the worker does not look at the others again.
 */
const offerWaits = `w.is_awaited AND NOT ${isMatched} AND NOT ${isOverridden}`;
const settlementWaits = 'w.is_awaited AND b.id > w.settled_up_to AND b.is_active AND b.override_outcome IS NULL';

export const stateOfBets: Pass = {
  things: 'bets',
  checks: [
    { name: 'offer status = what the facts say', column: 'status' },
    { name: 'settled outcome = effective outcome', column: 'settled' },
    { name: 'agreed with an allowed acceptor, at the odds offered', column: 'agreed' },
    { name: 'the users of a bet exist', column: 'users' },
    { name: 'nothing is matched after its time', column: 'late' },
  ],
  rows: (scope) => `
    SELECT b.account_id, b.id, 'bet ' || b.id AS subject,
           CASE WHEN w.id IS NULL THEN format('is on wager %s, which does not exist', b.wager_id)
                WHEN b.offer_status <> ${dueStatus} AND NOT (${offerWaits}) THEN
                  format('is %s, should be %s (wager %s: %s)', b.offer_status, ${dueStatus}, w.id, w.outcome)
           END AS status,
           CASE WHEN b.settled_outcome IS DISTINCT FROM ${dueOutcome} AND NOT (${settlementWaits}) THEN
             format('is %s, should be %s (wager %s: %s)', coalesce('settled as ' || b.settled_outcome, 'not settled'),
                    coalesce('settled as ' || ${dueOutcome}, 'not settled'), w.id, w.outcome) END AS settled,
           CASE WHEN b.effective_odds <> b.requesting_odds THEN 'is accepted at other odds than offered'
                WHEN cardinality(b.allowed_acceptor_ids) > 0 AND b.accepting_user_id <> ALL (b.allowed_acceptor_ids)
                THEN format('is accepted by user %s, who is not among those allowed', b.accepting_user_id)
           END AS agreed,
           CASE WHEN requester.id IS NULL THEN format('is of user %s, who does not exist', b.requesting_user_id)
                WHEN ${isMatched} AND acceptor.id IS NULL THEN
                  format('is accepted by user %s, who does not exist', b.accepting_user_id) END AS users,
           CASE WHEN b.accepted_at >= least(b.expires_at, w.closes_at) THEN
             format('is accepted at %s, after its time or that of its wager', b.accepted_at) END AS late
      FROM ${scope.bets} b
      LEFT JOIN (${wagersOf(scope)}) w ON w.account_id = b.account_id AND w.id = b.wager_id
      LEFT JOIN ${scope.table('users')} requester
        ON requester.account_id = b.account_id AND requester.id = b.requesting_user_id
      LEFT JOIN ${scope.table('users')} acceptor
        ON acceptor.account_id = b.account_id AND acceptor.id = b.accepting_user_id`,
};

/** Longer than the settlement of the largest wager. */
export const PATIENCE = `interval '15 minutes'`;

export const settlingWagers: Pass = {
  things: 'wagers',
  checks: [
    { name: 'a settling wager has work waiting', column: 'work' },
    { name: 'a settling wager ends within 15 minutes', column: 'age' },
    { name: 'a wager with canceling offers has work waiting', column: 'canceling' },
    { name: 'a wager closes when its time has come', column: 'overdue' },
    { name: 'only a settling wager voids bets', column: 'voiding' },
  ],
  rows: (scope) => `
    SELECT w.account_id, w.id, 'wager ' || w.id AS subject,
           CASE WHEN w.settling_since IS NOT NULL AND NOT w.is_awaited THEN
             'is settling, and no undone settle-wager entry of the outbox asks for it' END AS work,
           CASE WHEN w.settling_since < now() - ${PATIENCE} THEN
             format('is settling since %s', date_trunc('second', w.settling_since)) END AS age,
           CASE WHEN w.is_forgotten THEN
             'has canceling offers, and no undone cancel-offers entry of the outbox asks for it' END AS canceling,
           CASE WHEN w.status <> 'closed' AND w.outcome = 'undecided' AND w.closes_at < now() - ${PATIENCE} THEN
             format('is %s, and should have closed at %s', w.status, w.closes_at) END AS overdue,
           CASE WHEN w.void_from IS NOT NULL AND w.settling_since IS NULL THEN
             format('is settled, and has still to void what was matched from %s', w.void_from) END AS voiding
      FROM (${wagersOf(scope)}) w`,
};

/** By the worker's clock, or by the settlement of a decided wager. */
export const dueOffers: Pass = {
  things: 'live bets',
  checks: [{ name: 'an offer expires when its time has come', column: 'overdue' }],
  rows: (scope) => `
    SELECT b.account_id, b.id, 'bet ' || b.id AS subject,
           CASE WHEN ${isOpenOffer} AND b.expires_at < now() - ${PATIENCE} THEN
             format('is open, and should have expired at %s', b.expires_at) END AS overdue
      FROM ${scope.liveBets} b`,
};
