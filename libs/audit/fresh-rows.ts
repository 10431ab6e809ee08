import { eventKinds } from '#core/records.js';
import type { Tx } from '#platform/database/database.js';
import { isUnsettled } from './facts.js';
import type { AccountRange } from './scope.js';

/** Every row here is found by a key; statistics may suggest reading whole tables. */
const byKey = ['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'] as const;

const WAGER_KINDS = Object.entries(eventKinds).flatMap(([kind, number]) => (kind.startsWith('wager.') ? [number] : []));

const temporary = (name: string, query: string): string => `CREATE TEMPORARY TABLE ${name} ON COMMIT DROP AS ${query}`;

/** The transactions after the closings. */
const freshTransactions = (closings: string): string => `
  SELECT t.account_id, t.id, t.user_id, t.amount, t.transaction_type, t.transaction_source, t.bet_trail_id,
         t.balance_after
    FROM ${closings} c JOIN transactions t ON t.account_id = c.account_id AND t.id > c.last_transaction_id`;

/** Wagers that settle, and those with an event after the closing. */
const touchedWagers = (closings: string): string => `
  SELECT w.account_id, w.id FROM ${closings} c JOIN wagers w ON w.account_id = c.account_id AND w.settling_since IS NOT NULL
  UNION
  SELECT g.account_id, e.ref
    FROM ${closings} c JOIN event_groups g ON g.account_id = c.account_id AND g.last_seq > c.last_event_seq
   CROSS JOIN LATERAL unnest(g.kinds, g.refs) AS e (kind, ref) WHERE e.kind = ANY ('{${WAGER_KINDS.join()}}'::int[])`;

/** Wagers whose bets may be unsettled. */
const liveWagers = (closings: string): string => `
  SELECT w.account_id, w.id FROM ${closings} c JOIN wagers w ON w.account_id = c.account_id
   WHERE w.outcome = 'undecided' OR w.settling_since IS NOT NULL
  UNION
  SELECT p.account_id, p.wager_id FROM ${closings} c JOIN positions p ON p.account_id = c.account_id
   WHERE (p.win, p.loss, p.offered) <> (0, 0, 0)`;

const liveColumns = `b.account_id, b.id, b.wager_id, b.offer_status, b.requesting_user_id, b.accepting_user_id,
         b.requesting_amount, b.effective_odds, b.effective_amount, b.settled_outcome, b.is_active, b.expires_at`;

/**
 * Open offers and unsettled bets. No index tells unsettled bets from settled ones, so that settlement rewrites a bet in place:
 * the wagers lead to them. Only the full audit finds a bet that SQL un-settled in a decided wager whose positions are empty.
 */
const liveBets = (closings: string): string => `
  SELECT ${liveColumns}
    FROM ${closings} c
    JOIN bets b ON b.account_id = c.account_id AND b.offer_status = 'requesting' AND b.is_active
  UNION ALL
  SELECT ${liveColumns}
    FROM (${liveWagers(closings)}) w
   CROSS JOIN LATERAL (
     SELECT * FROM bets b
      WHERE b.account_id = w.account_id AND b.wager_id = w.id AND b.offer_status = 'accepted' AND ${isUnsettled}
     OFFSET 0) b`;

/** The live bets of decided wagers: whenever their wager was decided, no audit has confirmed them. */
const leftBets = `
  SELECT b.account_id, b.id
    FROM live_bets b
    JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id AND w.outcome <> 'undecided'`;

/**
 * The bets to check: those with a trail entry or a transaction after the closing, which every change of a bet writes, new
 * ones, those whose wager changed, and those that a decision left out.
 */
const touchedBets = (closings: string): string => `
  SELECT r.account_id, r.bet_id AS id
    FROM ${closings} c JOIN bet_trails r ON r.account_id = c.account_id AND r.id > c.last_trail_id
  UNION
  SELECT b.account_id, b.id FROM ${closings} c JOIN bets b ON b.account_id = c.account_id AND b.id > c.last_bet_id
  UNION
  SELECT r.account_id, r.bet_id
    FROM fresh_transactions t JOIN bet_trails r ON r.account_id = t.account_id AND r.id = t.bet_trail_id
  UNION
  SELECT b.account_id, b.id
    FROM (${touchedWagers(closings)}) w
   CROSS JOIN LATERAL (
     SELECT b.account_id, b.id FROM bets b
      WHERE b.account_id = w.account_id AND b.wager_id = w.id AND b.offer_status = 'requesting' AND b.is_active
     UNION ALL
     SELECT b.account_id, b.id FROM bets b
      WHERE b.account_id = w.account_id AND b.wager_id = w.id
        AND NOT (b.offer_status = 'requesting' AND b.is_active)) b
  UNION
  ${leftBets}`;

/** Also all parts of the same offers. */
const wholeOffers = `
  WITH places AS (SELECT DISTINCT b.account_id, b.queue_place
                    FROM touched_bets x JOIN bets b ON b.account_id = x.account_id AND b.id = x.id)
  SELECT account_id, id FROM touched_bets
  UNION
  SELECT account_id, queue_place FROM places
  UNION
  SELECT b.account_id, b.id FROM places p
    JOIN bets b ON b.account_id = p.account_id AND b.queue_place = p.queue_place AND b.queue_place <> b.id`;

/** Of `meta`, which may be large, a digest: it is only compared. */
const bets = `
  SELECT b.account_id, b.id, b.wager_id, b.offer_status, b.requesting_user_id, b.accepting_user_id, b.requesting_odds,
         b.requesting_amount, b.effective_odds, b.effective_amount, b.allowed_acceptor_ids, b.queue_place,
         md5(b.meta::text) AS meta,
         b.override_outcome, b.settled_outcome, b.is_active, b.expires_at, b.accepted_at, b.timed_out
    FROM whole_offers x JOIN bets b ON b.account_id = x.account_id AND b.id = x.id`;

const trails = `SELECT r.* FROM whole_offers x JOIN bet_trails r ON r.account_id = x.account_id AND r.bet_id = x.id`;

const transactions = `
  SELECT t.account_id, t.id, t.user_id, t.amount, t.transaction_type, t.transaction_source, t.bet_trail_id,
         t.balance_after
    FROM audited_trails r JOIN transactions t ON t.account_id = r.account_id
     AND t.id BETWEEN r.first_transaction_id AND r.last_transaction_id AND t.bet_trail_id = r.id
  UNION
  SELECT * FROM fresh_transactions`;

/** Makes the tables of `freshScope`, in the snapshot of an open transaction, at whose end they are dropped. */
export async function prepareFreshRows(snapshot: Tx, { from, to }: AccountRange): Promise<void> {
  const closings = `(SELECT * FROM account_closings WHERE account_id BETWEEN ${from} AND ${to} OFFSET 0)`;
  const toggle = (value: string) =>
    snapshot.prisma.$queryRawUnsafe(`SELECT ${byKey.map((name) => `set_config('${name}', '${value}', true)`).join(', ')},
      set_config('enable_nestloop', '${value === 'off' ? 'on' : 'off'}', true)`);
  const tables: readonly (readonly [string, string])[] = [
    ['fresh_transactions', freshTransactions(closings)],
    ['live_bets', liveBets(closings)],
    ['touched_bets', touchedBets(closings)],
    ['whole_offers', wholeOffers],
    ['audited_bets', bets],
    ['audited_trails', trails],
    ['audited_transactions', transactions],
  ];
  await toggle('off');
  for (const [name, query] of tables) {
    await snapshot.prisma.$executeRawUnsafe(temporary(name, query));
    await snapshot.prisma.$executeRawUnsafe(`ANALYZE ${name}`);
  }
  await toggle('on');
}
