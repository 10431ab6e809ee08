import { Prisma, type Queryable } from '#platform/database/database.js';
import type { Bet, BetTrail, BetWithTrails, TrailsWanted } from './bet.js';
import { findTransactionsOfTrails } from './transaction-repository.js';

export const betColumns = Prisma.sql`b.account_id AS "accountId", b.id, b.offer_status AS "offerStatus",
  b.requesting_user_id AS "requestingUserId", requesting.reference AS "requestingUserReference",
  b.accepting_user_id AS "acceptingUserId", accepting.reference AS "acceptingUserReference",
  b.requesting_odds AS "requestingOdds", b.requesting_amount AS "requestingAmount",
  b.effective_odds AS "effectiveOdds", b.effective_amount AS "effectiveAmount",
  b.allowed_acceptor_ids AS "allowedAcceptorIds", b.override_outcome AS "overrideOutcome", b.is_active AS "isActive",
  b.created_at AS "createdAt", b.wager_id AS "wagerId", w.reference AS "wagerReference", w.outcome AS "wagerOutcome",
  w.created_at AS "wagerCreatedAt", w.updated_at AS "wagerUpdatedAt"`;

/** What is joined to a bet `b`. */
export const betSurroundings = Prisma.sql`JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
  JOIN users requesting ON requesting.account_id = b.account_id AND requesting.id = b.requesting_user_id
  LEFT JOIN users accepting ON accepting.account_id = b.account_id AND accepting.id = b.accepting_user_id`;

export async function findBet(database: Queryable, accountId: bigint, id: bigint): Promise<Bet | undefined> {
  const rows = await database.$queryRaw<Bet[]>`
    SELECT ${betColumns} FROM bets b ${betSurroundings} WHERE b.account_id = ${accountId} AND b.id = ${id}`;
  return rows[0];
}

/**
 * Which account a bet belongs to. No index knows bets by their id alone, so every account is asked by its own key:
 * LIMIT keeps the planner from reading all bets instead.
 */
export async function findAccountOfBet(database: Queryable, id: bigint): Promise<bigint | undefined> {
  const rows = await database.$queryRaw<{ accountId: bigint }[]>`
    SELECT found.account_id AS "accountId" FROM accounts a
     CROSS JOIN LATERAL (SELECT b.account_id FROM bets b WHERE b.account_id = a.id AND b.id = ${id} LIMIT 1) AS found
     LIMIT 1`;
  return rows[0]?.accountId;
}

type TrailRow = Omit<BetTrail, 'transactions'>;

/** In the order in which they were written. */
async function findTrails(database: Queryable, bets: readonly Bet[]): Promise<TrailRow[]> {
  return database.$queryRaw<TrailRow[]>`
    SELECT t.account_id AS "accountId", t.id, t.bet_id AS "betId", t.wager_id AS "wagerId",
           t.offer_status AS "offerStatus", t.description, t.outcome, t.override_outcome AS "overrideOutcome",
           t.requesting_odds AS "requestingOdds", t.requesting_amount AS "requestingAmount",
           t.accepting_odds AS "acceptingOdds", t.accepting_amount AS "acceptingAmount",
           t.effective_odds AS "effectiveOdds", t.effective_amount AS "effectiveAmount", t.created_at AS "createdAt"
      FROM unnest(${bets.map(({ accountId }) => accountId)}::bigint[], ${bets.map(({ id }) => id)}::bigint[])
           AS wanted (account_id, bet_id)
      JOIN bet_trails t ON t.account_id = wanted.account_id AND t.bet_id = wanted.bet_id
     ORDER BY t.id`;
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => bigint | null): Map<bigint | null, Row[]> {
  const groups = new Map<bigint | null, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** In the snapshot in which the bets were read, so that a bet and its trails never tell different stories. */
export async function withTrails(
  snapshot: Queryable,
  bets: readonly Bet[],
  wanted: TrailsWanted,
): Promise<BetWithTrails[]> {
  if (wanted === 'none' || bets.length === 0) return bets.map((bet) => ({ bet, trails: undefined }));
  const trails = await findTrails(snapshot, bets);
  const transactions = wanted === 'trails' ? [] : await findTransactionsOfTrails(snapshot, trails);
  const transactionsOf = grouped(transactions, ({ betTrailId }) => betTrailId);
  const whole = trails.map((trail) => ({ ...trail, transactions: transactionsOf.get(trail.id) ?? [] }));
  const trailsOf = grouped(whole, ({ betId }) => betId);
  return bets.map((bet) => ({ bet, trails: trailsOf.get(bet.id) ?? [] }));
}
