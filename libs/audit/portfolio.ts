import { type EventCause, UNKNOWN_CAUSE } from '#events/event-cause.js';
import { logEvents } from '#events/log-events.js';
import type { LoggedEvent } from '#events/logged-events.js';
import type { Queryable, Tx } from '#platform/database/database.js';
import { exposuresFrom, positionsFromBets, received } from './facts.js';

export interface UsersOfAccount {
  readonly accountId: bigint;
  readonly userIds: readonly bigint[];
  /** What the events of a repair say of who asked. */
  readonly cause?: EventCause;
}

/** A stored figure of a user that differs from the facts, in micro-units. */
export interface PortfolioDifference {
  readonly userId: bigint;
  /** The wager, when the figure belongs to a position. */
  readonly wagerId: bigint | null;
  readonly what: 'balance' | 'exposure' | 'win' | 'loss' | 'offered';
  readonly stored: bigint;
  readonly recomputed: bigint;
  /** The user's last transaction at that moment; 0 when there is none. */
  readonly lastTransactionId: bigint;
}

export interface TouchedUsersOptions {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  /** 0 for the first users. */
  readonly afterUserId: bigint;
  readonly limit: number;
}

/** The next users with a bet on the wager, by id. */
export async function touchedUsers(
  database: Queryable,
  { accountId, wagerId, afterUserId, limit }: TouchedUsersOptions,
): Promise<bigint[]> {
  const rows = await database.$queryRaw<{ userId: bigint }[]>`
    WITH wagered AS (
      SELECT requesting_user_id, accepting_user_id FROM bets
       WHERE account_id = ${accountId} AND wager_id = ${wagerId} AND offer_status = 'requesting' AND is_active
      UNION ALL
      SELECT requesting_user_id, accepting_user_id FROM bets
       WHERE account_id = ${accountId} AND wager_id = ${wagerId} AND NOT (offer_status = 'requesting' AND is_active))
    SELECT user_id AS "userId"
      FROM (SELECT requesting_user_id AS user_id FROM wagered UNION SELECT accepting_user_id FROM wagered) AS touched
     WHERE user_id > ${afterUserId} ORDER BY user_id LIMIT ${limit}`;
  return rows.map(({ userId }) => userId);
}

/**
 * Compares the stored figures of some users with the facts, repairs the differences and returns them.
 *
 * Comparing takes no lock: one statement sees one moment, and every transaction writes all figures of a user at once. Only
 * a difference is locked, in the one order of all transactions (wagers, then balances): without the wager's lock, a
 * transaction that has read the position would overwrite the repair. The second comparison sees commits that the locks
 * waited for.
 *
 * A repair is never silent: it is written into `portfolio_repairs`, which nothing changes later, with both figures.
 */
export async function checkPortfolios(tx: Tx, users: UsersOfAccount): Promise<PortfolioDifference[]> {
  const { accountId, userIds, cause = UNKNOWN_CAUSE } = users;
  const suspects = await compare(tx, { accountId, userIds });
  if (suspects.length === 0) return [];
  const differing = { accountId, userIds: unique(suspects.map(({ userId }) => userId)) };
  const wagerIds = unique(suspects.flatMap(({ wagerId }) => (wagerId === null ? [] : [wagerId])));
  await lock(tx, differing, wagerIds);
  const differences = await compare(tx, differing);
  if (differences.some(({ wagerId }) => wagerId !== null && !wagerIds.includes(wagerId))) {
    throw new Error('positions changed while they were about to be repaired');
  }
  if (differences.length > 0) {
    await recordRepairs(tx, accountId, differences);
    await repair(tx, accountId, differences);
    logEvents(tx, { accountId, cause, events: repairEvents(differences) });
  }
  return differences;
}

const unique = (ids: readonly bigint[]): bigint[] => [...new Set(ids)];

const arrayOf = (values: readonly (bigint | null)[]): string => `{${values.map((value) => value ?? 'NULL').join()}}`;

const facts = positionsFromBets({
  bets: 'bets',
  ofUsers: (userColumn) => `AND b.account_id = $1 AND ${userColumn} = ANY ($2::bigint[])`,
});

/** Each user's last closing, which an audit confirmed, and the transactions after it; without one, all of them. */
const moved = `
  SELECT user_id, sum(total) AS total, max(last_id) AS last_id
    FROM (SELECT last.* FROM unnest($2::bigint[]) AS given (user_id)
           CROSS JOIN LATERAL (
              SELECT d.user_id, d.balance::numeric AS total, d.last_transaction_id AS last_id FROM daily_closings d
               WHERE d.account_id = $1 AND d.user_id = given.user_id ORDER BY d.day DESC LIMIT 1) last
          UNION ALL
          SELECT t.user_id, sum(${received}), max(t.id) FROM transactions t
           WHERE t.account_id = $1 AND t.user_id = ANY ($2::bigint[])
             AND t.id > coalesce((SELECT last_transaction_id FROM account_closings WHERE account_id = $1), 0)
           GROUP BY t.user_id) parts
   GROUP BY user_id`;

const comparison = `
  WITH facts AS MATERIALIZED (${facts}),
  risked AS (${exposuresFrom('SELECT * FROM facts')}),
  moved AS MATERIALIZED (${moved}),
  compared AS (
    SELECT stored.user_id, NULL::bigint AS wager_id, said.what, said.stored, said.recomputed
      FROM balances stored
      LEFT JOIN moved ON moved.user_id = stored.user_id
      LEFT JOIN risked ON risked.user_id = stored.user_id
     CROSS JOIN LATERAL (VALUES ('balance', stored.balance, coalesce(moved.total, 0)),
                                ('exposure', stored.exposure, coalesce(risked.exposure, 0)))
                        AS said (what, stored, recomputed)
     WHERE stored.account_id = $1 AND stored.user_id = ANY ($2::bigint[])
    UNION ALL
    SELECT user_id, wager_id, said.what, coalesce(said.stored, 0), coalesce(said.recomputed, 0)
      FROM (SELECT * FROM positions WHERE account_id = $1 AND user_id = ANY ($2::bigint[])) stored
      FULL JOIN facts USING (user_id, wager_id)
     CROSS JOIN LATERAL (VALUES ('win', stored.win, facts.win), ('loss', stored.loss, facts.loss),
                                ('offered', stored.offered, facts.offered)) AS said (what, stored, recomputed))
  SELECT user_id AS "userId", wager_id AS "wagerId", what, stored, recomputed::bigint,
         coalesce((SELECT last_id FROM moved WHERE moved.user_id = compared.user_id), 0) AS "lastTransactionId"
    FROM compared
   WHERE stored <> recomputed ORDER BY user_id, wager_id NULLS FIRST, what`;

const compare = (tx: Tx, { accountId, userIds }: UsersOfAccount): Promise<PortfolioDifference[]> =>
  tx.$queryRawUnsafe(comparison, accountId, arrayOf(userIds));

async function lock(tx: Tx, { accountId, userIds }: UsersOfAccount, wagerIds: readonly bigint[]) {
  await tx.$queryRaw`
    SELECT 1 FROM wagers WHERE account_id = ${accountId} AND id = ANY (${arrayOf(wagerIds)}::bigint[])
     ORDER BY account_id, id FOR NO KEY UPDATE`;
  await tx.$queryRaw`
    SELECT 1 FROM balances WHERE account_id = ${accountId} AND user_id = ANY (${arrayOf(userIds)}::bigint[])
     ORDER BY account_id, user_id FOR NO KEY UPDATE`;
}

async function recordRepairs(tx: Tx, accountId: bigint, differences: readonly PortfolioDifference[]) {
  await tx.portfolioRepair.createMany({
    data: differences.map(({ what, ...difference }) => ({ accountId, figure: what, ...difference })),
  });
}

/** One for each user. The figures are texts: a wrong one may be any number of 64 bits. */
function repairEvents(differences: readonly PortfolioDifference[]): LoggedEvent[] {
  return unique(differences.map(({ userId }) => userId)).map((ref) => {
    const own = differences.filter(({ userId }) => userId === ref);
    const figures = own.map(({ what, wagerId, stored, recomputed }) => ({
      ...{ figure: what, wager_id: wagerId === null ? null : Number(wagerId) },
      ...{ stored: String(stored), recomputed: String(recomputed) },
    }));
    return { kind: 'operator.repaired', ref, extra: { figures } };
  });
}

async function repair(tx: Tx, accountId: bigint, differences: readonly PortfolioDifference[]) {
  const ofUsers = differences.filter(({ wagerId }) => wagerId === null);
  const ofPositions = differences.filter(({ wagerId }) => wagerId !== null);
  const recomputed = (rows: readonly PortfolioDifference[], what: PortfolioDifference['what']) =>
    arrayOf(rows.map((row) => (row.what === what ? row.recomputed : null)));
  const users = arrayOf(ofUsers.map(({ userId }) => userId));
  await tx.$executeRaw`
    UPDATE balances stored
       SET balance = coalesce(due.balance, stored.balance), exposure = coalesce(due.exposure, stored.exposure)
      FROM (SELECT user_id, max(balance) AS balance, max(exposure) AS exposure
              FROM unnest(${users}::bigint[], ${recomputed(ofUsers, 'balance')}::bigint[],
                          ${recomputed(ofUsers, 'exposure')}::bigint[]) AS n (user_id, balance, exposure)
             GROUP BY user_id) due
     WHERE stored.account_id = ${accountId} AND stored.user_id = due.user_id`;
  const holders = arrayOf(ofPositions.map(({ userId }) => userId));
  const wagers = arrayOf(ofPositions.map(({ wagerId }) => wagerId));
  // Figures that do not differ do not change; in a missing row they are zero.
  await tx.$executeRaw`
    INSERT INTO positions AS stored (account_id, user_id, wager_id, win, loss, offered)
    SELECT ${accountId}, due.user_id, due.wager_id, coalesce(due.win, p.win, 0), coalesce(due.loss, p.loss, 0),
           coalesce(due.offered, p.offered, 0)
      FROM (SELECT user_id, wager_id, max(win) AS win, max(loss) AS loss, max(offered) AS offered
              FROM unnest(${holders}::bigint[], ${wagers}::bigint[], ${recomputed(ofPositions, 'win')}::bigint[],
                          ${recomputed(ofPositions, 'loss')}::bigint[], ${recomputed(ofPositions, 'offered')}::bigint[])
                   AS n (user_id, wager_id, win, loss, offered)
             GROUP BY user_id, wager_id) due
      LEFT JOIN positions p ON p.account_id = ${accountId} AND p.user_id = due.user_id AND p.wager_id = due.wager_id
    ON CONFLICT (account_id, user_id, wager_id)
      DO UPDATE SET win = excluded.win, loss = excluded.loss, offered = excluded.offered`;
}
