import { type EventCause, UNKNOWN_CAUSE } from '#events/event-cause.js';
import { type LoggedEvent, logEvents } from '#events/log-events.js';
import { Prisma, type Queryable, type Tx } from '#platform/database/database.js';
import { exposuresFrom, isLoneOffer, isOpenOffer, isUnsettled, positionsFrom, receivedSql } from './facts.js';

export interface UsersOfAccount {
  readonly accountId: bigint;
  readonly userIds: readonly bigint[];
  /** A wager to compare even where its positions are empty and it is decided. */
  readonly wagerId?: bigint;
  /** Whether to compare every wager with a bet of the users, for which their whole history is read. */
  readonly isWhole?: boolean;
  /** What the events say of who asked. */
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
  tables: Queryable,
  { accountId, wagerId, afterUserId, limit }: TouchedUsersOptions,
): Promise<bigint[]> {
  const rows = await tables.$queryRaw<{ userId: bigint }[]>`
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
 * Compares the stored figures of some users with the facts, disputes the users of whom one differs, and returns the
 * differences. It changes no figure. A user that was disputed and agrees again is so no longer.
 *
 * Comparing takes no lock: one statement sees one moment, and every transaction writes all figures of a user at once. Only
 * the balances of users whose state would change are locked, and compared again.
 */
export async function checkPortfolios(tx: Tx, users: UsersOfAccount): Promise<PortfolioDifference[]> {
  const { accountId, userIds, cause = UNKNOWN_CAUSE } = users;
  const differences = await comparePortfolios(tx, users);
  const differing = usersOf(differences);
  const disputed = await disputedOf(tx, users);
  const changing = { ...users, userIds: userIds.filter((id) => differing.has(id) !== disputed.has(id)) };
  if (changing.userIds.length === 0) return differences;
  await lockBalances(tx, changing);
  // A correction may have come between: one that was seen to differ agrees now, or the reverse.
  const again = await comparePortfolios(tx, changing);
  const changed = await changeStates(tx, changing, [...usersOf(again)]);
  const events = changed.map(
    ({ userId: ref, isDisputed }): LoggedEvent =>
      isDisputed
        ? { kind: 'user.disputed', ref, extra: { balance_state: 'disputed', figures: figuresOf(ref, again) } }
        : { kind: 'user.undisputed', ref, extra: { balance_state: 'agreed' } },
  );
  logEvents(tx, { accountId, cause, events });
  return differences;
}

const usersOf = (differences: readonly PortfolioDifference[]): ReadonlySet<bigint> =>
  new Set(differences.map(({ userId }) => userId));

const arrayOf = (ids: readonly bigint[]): string => `{${ids.join()}}`;

const ownOffers = `
  SELECT * FROM bets b WHERE b.account_id = $1 AND b.requesting_user_id = ANY ($2::bigint[]) AND ${isOpenOffer}`;

/**
 * The wagers in which users may have unsettled bets, which no index tells from settled ones. A position that SQL deleted is
 * found where the user has an open offer that is no lone one; otherwise the exposure differs.
 */
const liveWagers = `
  SELECT p.user_id, p.wager_id
    FROM positions p LEFT JOIN wagers w ON w.account_id = p.account_id AND w.id = p.wager_id
   WHERE p.account_id = $1 AND p.user_id = ANY ($2::bigint[])
     AND ((p.win, p.loss, p.offered) <> (0, 0, 0) OR w.outcome = 'undecided' OR w.settling_since IS NOT NULL)
  UNION
  SELECT requesting_user_id, wager_id FROM (${ownOffers}) own
  UNION
  SELECT user_id, $3::bigint FROM unnest($2::bigint[]) AS given (user_id) WHERE $3::bigint IS NOT NULL`;

const allWagers = `${liveWagers}
  UNION
  SELECT b.requesting_user_id, b.wager_id FROM bets b
   WHERE b.account_id = $1 AND b.requesting_user_id = ANY ($2::bigint[])
     AND NOT (b.offer_status = 'requesting' AND b.is_active)
  UNION
  SELECT b.accepting_user_id, b.wager_id FROM bets b
   WHERE b.account_id = $1 AND b.accepting_user_id = ANY ($2::bigint[])`;

/** Because of OFFSET, PostgreSQL looks up each wager by the index, whatever its statistics say. */
const unsettledBy = (userColumn: string): string => `(
  SELECT b.* FROM compared_wagers c
   CROSS JOIN LATERAL (
     SELECT * FROM bets b
      WHERE b.account_id = $1 AND ${userColumn} = c.user_id AND b.wager_id = c.wager_id AND ${isUnsettled} OFFSET 0) b)`;

const facts = positionsFrom({
  offered: `(${ownOffers})`,
  requested: unsettledBy('b.requesting_user_id'),
  accepted: unsettledBy('b.accepting_user_id'),
});

/** Each user's last closing, which an audit confirmed, and the transactions after it; without one, all of them. */
const moved = `
  SELECT user_id, sum(total) AS total
    FROM (SELECT last.* FROM unnest($2::bigint[]) AS given (user_id)
           CROSS JOIN LATERAL (
              SELECT d.user_id, d.balance::numeric AS total FROM daily_closings d
               WHERE d.account_id = $1 AND d.user_id = given.user_id ORDER BY d.day DESC LIMIT 1) last
          UNION ALL
          SELECT t.user_id, sum(${receivedSql}) FROM transactions t
           WHERE t.account_id = $1 AND t.user_id = ANY ($2::bigint[])
             AND t.id > coalesce((SELECT last_transaction_id FROM account_closings WHERE account_id = $1), 0)
           GROUP BY t.user_id) parts
   GROUP BY user_id`;

const comparisonIn = (wagers: string): string => `
  WITH compared_wagers AS MATERIALIZED (${wagers}),
  facts AS MATERIALIZED (${facts}),
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
                                ('offered', stored.offered, facts.offered)) AS said (what, stored, recomputed)
     WHERE NOT (stored.user_id IS NULL AND ${isLoneOffer('facts')}))
  SELECT user_id AS "userId", wager_id AS "wagerId", what, stored, recomputed::bigint
    FROM compared
   WHERE stored <> recomputed ORDER BY user_id, wager_id NULLS FIRST, what`;

const comparisons = { ofLive: comparisonIn(liveWagers), ofAll: comparisonIn(allWagers) };

export function comparePortfolios(tx: Tx, users: UsersOfAccount): Promise<PortfolioDifference[]> {
  const { accountId, userIds, wagerId = null, isWhole = false } = users;
  return tx.prisma.$queryRawUnsafe(
    isWhole ? comparisons.ofAll : comparisons.ofLive,
    accountId,
    arrayOf(userIds),
    wagerId,
  );
}

async function disputedOf(tx: Tx, { accountId, userIds }: UsersOfAccount): Promise<ReadonlySet<bigint>> {
  const rows = await tx.$queryRaw<{ userId: bigint }[]>`
    SELECT user_id AS "userId" FROM disputes
     WHERE account_id = ${accountId} AND user_id = ANY (${arrayOf(userIds)}::bigint[])`;
  return new Set(rows.map(({ userId }) => userId));
}

/** In the order of all transactions. */
const lockBalances = (tx: Tx, { accountId, userIds }: UsersOfAccount) => tx.$queryRaw`
  SELECT 1 FROM balances WHERE account_id = ${accountId} AND user_id = ANY (${arrayOf(userIds)}::bigint[])
   ORDER BY account_id, user_id FOR NO KEY UPDATE`;

/** Disputes those that differ, and no longer the others. Returns the users whose state it changed. */
async function changeStates(tx: Tx, { accountId, userIds }: UsersOfAccount, differing: readonly bigint[]) {
  const differs = Prisma.sql`(b.user_id = ANY (${arrayOf(differing)}::bigint[]))`;
  const changed = await tx.$queryRaw<{ userId: bigint; isDisputed: boolean }[]>`
    UPDATE balances b SET disputed_since = CASE WHEN ${differs} THEN now() END
     WHERE b.account_id = ${accountId} AND b.user_id = ANY (${arrayOf(userIds)}::bigint[])
       AND (b.disputed_since IS NULL) = ${differs}
    RETURNING b.user_id AS "userId", b.disputed_since IS NOT NULL AS "isDisputed"`;
  const now = (isDisputed: boolean) => changed.filter((user) => user.isDisputed === isDisputed);
  await tx.prisma.dispute.createMany({ data: now(true).map(({ userId }) => ({ accountId, userId })) });
  await tx.prisma.dispute.deleteMany({ where: { accountId, userId: { in: now(false).map(({ userId }) => userId) } } });
  return changed;
}

const figuresOf = (id: bigint, differences: readonly PortfolioDifference[]) =>
  differences.filter(({ userId }) => userId === id).map(shownDifference);

/** For an event. The figures are texts: a wrong one may be any number of 64 bits. */
export const shownDifference = ({ what, wagerId, stored, recomputed }: PortfolioDifference) => ({
  figure: what,
  wager_id: wagerId === null ? null : Number(wagerId),
  stored: String(stored),
  recomputed: String(recomputed),
});
