import { type AccountTables, Prisma, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { BetTrail, BetWithTrails, ShownBet, TrailsWanted } from './bet.js';
import { transactionColumns, transactionJoins } from './read-transaction.js';
import type { ShownTransaction } from './transaction.js';

type BetTrailRow = Omit<BetTrail, 'transactions'>;

/**
 * Of all bets of an answer together. A bet may have any number: each override adds one, with up to four transactions. The
 * memory of an API process holds so many for each of its connections at once.
 */
const MAX_TRAILS = 2_000;
/** A bet that was settled and is settled again gives back two transactions and gets two. With a bound PostgreSQL looks by key. */
export const MAX_TRANSACTIONS_OF_TRAIL = 4;

/** In the order in which they were written. Refuses before more rows than the bound come into memory. */
async function findTrails(tables: AccountTables | Tx, bets: readonly ShownBet[]): Promise<BetTrailRow[]> {
  const found = await queryRows<BetTrailRow>(
    tables,
    Prisma.sql`
    SELECT t.account_id AS "accountId", t.id, t.bet_id AS "betId", t.wager_id AS "wagerId",
           t.offer_status AS "offerStatus", t.description, t.outcome, t.override_outcome AS "overrideOutcome",
           t.requesting_odds AS "requestingOdds", t.requesting_amount AS "requestingAmount",
           t.accepting_odds AS "acceptingOdds", t.accepting_amount AS "acceptingAmount",
           t.effective_odds AS "effectiveOdds", t.effective_amount AS "effectiveAmount", t.created_at AS "createdAt"
      FROM (SELECT listed.*
              FROM unnest(${bets.map(({ accountId }) => accountId)}::bigint[], ${bets.map(({ id }) => id)}::bigint[])
                   AS wanted (account_id, bet_id)
              JOIN bet_trails listed ON listed.account_id = wanted.account_id AND listed.bet_id = wanted.bet_id
             LIMIT ${MAX_TRAILS + 1}) AS t
     ORDER BY t.id`,
  );
  if (found.length > MAX_TRAILS) throw new Refusal('too-many-trails');
  return found;
}

/** Of the trail entry `trail`. */
export const transactionsOfTrail = (
  column: Prisma.Sql,
): Prisma.Sql => Prisma.sql`SELECT moved.${column} FROM transactions moved
  WHERE moved.account_id = trail.account_id AND moved.bet_trail_id = trail.id
    AND moved.id BETWEEN trail.first_transaction_id AND trail.last_transaction_id
  LIMIT ${MAX_TRANSACTIONS_OF_TRAIL}`;

/** In the order in which they were written. */
async function findTransactions(
  tables: AccountTables | Tx,
  trails: readonly BetTrailRow[],
): Promise<ShownTransaction[]> {
  return queryRows<ShownTransaction>(
    tables,
    Prisma.sql`
    SELECT ${transactionColumns}
      FROM unnest(${trails.map(({ accountId }) => accountId)}::bigint[], ${trails.map(({ id }) => id)}::bigint[])
           AS wanted (account_id, bet_trail_id)
      JOIN bet_trails trail ON trail.account_id = wanted.account_id AND trail.id = wanted.bet_trail_id
     CROSS JOIN LATERAL (${transactionsOfTrail(Prisma.sql`*`)}) t
      ${transactionJoins} ORDER BY t.id`,
  );
}

/** By their keys, each group in the order of the items. */
export function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => bigint | null,
): Map<bigint | null, Item[]> {
  const groups = new Map<bigint | null, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Reads in the snapshot in which the bets were read, so that a bet and its trails never contradict each other. */
export async function withTrails(
  snapshot: AccountTables | Tx,
  bets: readonly ShownBet[],
  wanted: TrailsWanted,
): Promise<BetWithTrails[]> {
  if (wanted === 'none' || bets.length === 0) return bets.map((bet) => ({ bet, trails: undefined }));
  const trails = await findTrails(snapshot, bets);
  const transactions = wanted === 'trails' ? [] : await findTransactions(snapshot, trails);
  const transactionsOf = grouped(transactions, ({ betTrailId }) => betTrailId);
  const whole = trails.map((trail) => ({ transactions: transactionsOf.get(trail.id) ?? [], ...trail }));
  const trailsOf = grouped(whole, ({ betId }) => betId);
  return bets.map((bet) => ({ bet, trails: trailsOf.get(bet.id) ?? [] }));
}
