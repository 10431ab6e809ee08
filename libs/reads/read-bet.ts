import { logHeadOf, noteAsOf } from '#events/event-position.js';
import { type AccountTables, type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { BetWithTrails, ShownBet, TrailsWanted } from './bet.js';
import { withTrails } from './bet-trails.js';

export const shownBetColumns = Prisma.sql`b.account_id AS "accountId", b.id, b.offer_status AS "offerStatus",
  b.requesting_user_id AS "requestingUserId", requesting.reference AS "requestingUserReference",
  b.accepting_user_id AS "acceptingUserId", accepting.reference AS "acceptingUserReference",
  b.requesting_odds AS "requestingOdds", b.requesting_amount AS "requestingAmount",
  b.effective_odds AS "effectiveOdds", b.effective_amount AS "effectiveAmount",
  b.allowed_acceptor_ids AS "allowedAcceptorIds", b.override_outcome AS "overrideOutcome", b.is_active AS "isActive", b.meta,
  b.created_at AS "createdAt", b.expires_at AS "expiresAt", b.accepted_at AS "acceptedAt", b.wager_id AS "wagerId", w.reference AS "wagerReference", w.outcome AS "wagerOutcome",
  w.created_at AS "wagerCreatedAt", w.updated_at AS "wagerUpdatedAt"`;

/** The tables that `betColumns` needs beside bets `b`. */
export const betJoins = Prisma.sql`JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
  JOIN users requesting ON requesting.account_id = b.account_id AND requesting.id = b.requesting_user_id
  LEFT JOIN users accepting ON accepting.account_id = b.account_id AND accepting.id = b.accepting_user_id`;

async function findBet(tables: AccountTables | Tx, accountId: bigint, id: bigint): Promise<ShownBet> {
  const [row] = await queryRows<ShownBet & { readonly logHead: string | null }>(
    tables,
    Prisma.sql`${preparedAs('bet')}
    SELECT ${shownBetColumns}, ${logHeadOf(accountId)} AS "logHead"
      FROM bets b ${betJoins} WHERE b.account_id = ${accountId} AND b.id = ${id}`,
  );
  if (row === undefined) throw new Refusal('bet-not-found');
  const { logHead: head, ...bet } = row;
  noteAsOf(tables, { accountId, head });
  return bet;
}

export async function readBet(
  database: Database,
  accountId: bigint,
  { id, trails }: { readonly id: bigint; readonly trails: TrailsWanted },
): Promise<BetWithTrails> {
  if (trails === 'none') return { bet: await findBet(database.of(accountId), accountId, id), trails: undefined };
  return withTx(
    database.of(accountId),
    async (snapshot) => {
      const bet = await findBet(snapshot, accountId, id);
      const [whole] = await withTrails(snapshot, [bet], trails);
      return whole as BetWithTrails;
    },
    'RepeatableRead',
  );
}

/**
 * The account that a bet belongs to, for admins, who may name a bet of any account. No index knows bets by their id
 * alone, so the query asks every account by its own key: LIMIT keeps the planner from reading all bets instead.
 */
export async function accountOfBet(database: Database, id: bigint): Promise<bigint> {
  const found = await Promise.allSettled(database.all().map((tables) => findAccountOfBet(tables, id)));
  for (const each of found) if (each.status === 'fulfilled' && each.value !== undefined) return each.value;
  // A node that did not answer may have the bet.
  for (const each of found) if (each.status === 'rejected') throw each.reason;
  throw new Refusal('bet-not-found');
}

async function findAccountOfBet(tables: AccountTables | Tx, id: bigint): Promise<bigint | undefined> {
  const [found] = await queryRows<{ accountId: bigint }>(
    tables,
    Prisma.sql`
    SELECT found.account_id AS "accountId" FROM accounts a
     CROSS JOIN LATERAL (SELECT b.account_id FROM bets b WHERE b.account_id = a.id AND b.id = ${id} LIMIT 1) AS found
     LIMIT 1`,
  );
  return found?.accountId;
}
