import { createHash } from 'node:crypto';
import { asMicros, type Micros } from '#core/money.js';
import { needsOf } from '#core/operation.js';
import { timeOfAccount } from '#ledger/clock.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { queryRows, scalars } from '#platform/database/statements.js';
import { computePreview } from '#previews/compute-preview.js';
import { LARGEST_USERS, type PreviewFigures, wholeOperation } from '#previews/preview.js';
import { withReferences } from '#previews/user-pages.js';
import type { SummedUser } from '#previews/user-sums.js';
import type { Digests, OperationMovement, RequestedOperation } from './change-request.js';
import type { Effect } from './request-plan.js';

/** The wager is locked while they are read: five seconds. */
const MOST_BETS = 100_000;

export interface LockedWager {
  readonly id: bigint;
  readonly reference: string;
  /** Whether a suspension stops anything. */
  readonly isOpen: boolean;
  /** Of its suspension. */
  readonly suspendedFor: string | null;
}

interface LockedUser {
  readonly userId: bigint;
  readonly balance: Micros;
  readonly exposure: Micros;
}

/** What an operation is about, locked until the transaction ends. */
export type Target =
  | { readonly name: string; readonly wager: LockedWager; readonly user?: undefined }
  | { readonly name: string; readonly user: LockedUser; readonly wager?: undefined };

const lockedWager = async (tx: Tx, accountId: bigint, named: Prisma.Sql): Promise<LockedWager | undefined> => {
  const [wager] = await queryRows<LockedWager>(
    tx,
    Prisma.sql`
    SELECT w.id, w.reference, w.status = 'open' AND w.outcome = 'undecided'
             AND coalesce(w.closes_at > ${timeOfAccount(Prisma.sql`w.account_id`)}, true) AS "isOpen",
           CASE WHEN w.status = 'suspended' THEN w.status_reason END AS "suspendedFor"
      FROM wagers w WHERE w.account_id = ${accountId} AND ${named} FOR NO KEY UPDATE`,
  );
  return wager;
};

/** All wagers that an effect names, in the order in which the ledger locks them. */
export async function lockWagersOf(tx: Tx, accountId: bigint, { needs }: Effect): Promise<void> {
  const named = needs.flatMap(({ wagers }) => wagers);
  const references = named.flatMap((wager) => ('reference' in wager ? [wager.reference] : []));
  const ids = named.flatMap((wager) => ('id' in wager ? [wager.id] : []));
  const betIds = needs.flatMap((need) => need.betIds);
  await queryRows(
    tx,
    Prisma.sql`
    SELECT FROM wagers w WHERE w.account_id = ${accountId} AND w.id IN (
           SELECT unnest(${scalars(ids)}::bigint[])
            UNION SELECT s.id FROM wagers s WHERE s.account_id = ${accountId} AND s.reference = ANY (${references}::text[])
            UNION SELECT b.wager_id FROM bets b
                   WHERE b.account_id = ${accountId} AND b.id = ANY (${scalars(betIds)}::bigint[]))
     ORDER BY w.id FOR NO KEY UPDATE`,
  );
}

export const lockWager = (tx: Tx, accountId: bigint, id: bigint): Promise<LockedWager | undefined> =>
  lockedWager(tx, accountId, Prisma.sql`w.id = ${id}`);

async function lockUser(
  tx: Tx,
  accountId: bigint,
  { id, reference }: { readonly id?: bigint | undefined; readonly reference?: string | undefined },
): Promise<LockedUser | undefined> {
  const [user] = await queryRows<LockedUser>(
    tx,
    Prisma.sql`
    SELECT b.user_id AS "userId", b.balance, b.exposure FROM users u
      JOIN balances b ON b.account_id = u.account_id AND b.user_id = u.id
     WHERE u.account_id = ${accountId} AND u.id = coalesce(${id ?? null}::bigint, u.id)
       AND u.reference = coalesce(${reference ?? null}::text, u.reference) LIMIT 1 FOR NO KEY UPDATE OF b`,
  );
  return user;
}

/**
 * Locks what the operation is about. While the wager is locked its offers, bets and positions cannot change. Undefined: there
 * is no such thing, and the ledger refuses the operation.
 */
export async function lockTarget(
  tx: Tx,
  accountId: bigint,
  operation: RequestedOperation,
): Promise<Target | undefined> {
  if (operation.type === 'withdraw') {
    if (operation.user.id === undefined && operation.user.reference === undefined) return undefined;
    const user = await lockUser(tx, accountId, operation.user);
    return user && { name: `user:${user.userId}`, user };
  }
  const { wagers, betIds } = needsOf(wholeOperation(operation));
  const [named] = wagers;
  const wager = await lockedWager(
    tx,
    accountId,
    named !== undefined && 'reference' in named
      ? Prisma.sql`w.reference = ${named.reference}`
      : Prisma.sql`w.id = (SELECT b.wager_id FROM bets b WHERE b.account_id = ${accountId} AND b.id = ${betIds[0] ?? 0n})`,
  );
  return wager && { name: `wager:${wager.id}`, wager };
}

function digestsOf(users: readonly SummedUser[]): Digests {
  const [whole, money] = [createHash('sha256'), createHash('sha256')];
  const inOrder = users.toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
  for (const { userId, balance, balanceAfter, exposure, exposureAfter } of inOrder) {
    const moved = balanceAfter - balance;
    whole.update(`${userId} ${moved} ${exposureAfter - exposure}\n`);
    if (moved !== 0n) money.update(`${userId} ${moved}\n`);
  }
  return { whole: whole.digest('base64'), money: money.digest('base64') };
}

export interface MovementOptions {
  /** Throws to stop. */
  readonly goOn: () => void;
  readonly mostBets?: number;
}

const NO_BETS = { settled: 0, unsettled: 0, expiredOffers: 0, reopenedOffers: 0, canceledOffers: 0 };

async function movementOfWithdrawal(tx: Tx, amount: Micros, { balance, ...user }: LockedUser): Promise<Computed> {
  const [{ asOf }] = await tx.$queryRaw<[{ asOf: Date }]>`SELECT statement_timestamp() AS "asOf"`;
  const balanceAfter = asMicros(balance - amount);
  const affected = { usersAffected: 1, usersBelowZero: balanceAfter < 0n ? 1 : 0 };
  const figures = { asOf, revision: 0, isExact: true, refusal: null, bets: NO_BETS, moved: amount, ...affected };
  return { figures, users: [{ ...user, balance, balanceAfter, exposureAfter: user.exposure }], moving: 0 };
}

interface Computed {
  readonly figures: PreviewFigures;
  readonly users: readonly SummedUser[];
  readonly moving: number;
}

interface MovedTarget {
  readonly operation: RequestedOperation;
  readonly user: LockedUser | undefined;
}

/** A movement whose users have no references yet. */
export type UnnamedMovement = Omit<OperationMovement, 'largest'> & { readonly largest: readonly SummedUser[] };

/** What the operation would move now. It is exact for as long as the target is locked. Undefined: there are too many bets. */
export async function findUnnamedMovement(
  tx: Tx,
  accountId: bigint,
  { operation, user }: MovedTarget,
  { goOn, mostBets = MOST_BETS }: MovementOptions,
): Promise<UnnamedMovement | undefined> {
  let computed: Computed;
  if (operation.type === 'withdraw') {
    if (user === undefined) throw new Error('a withdrawal is looked at without its user');
    computed = await movementOfWithdrawal(tx, operation.amount, user);
  } else {
    const preview = await computePreview(tx, { ledgerAccountId: accountId, operation }, { mostBets, goOn });
    if (preview === 'too-large') return undefined;
    computed = { ...preview, users: [...preview.users] };
  }
  const { figures, users, moving } = computed;
  return { figures, largest: users.slice(0, LARGEST_USERS), digests: digestsOf(users), moving };
}

export async function nameUsersOf(tx: Tx, accountId: bigint, movement: UnnamedMovement): Promise<OperationMovement> {
  return { ...movement, largest: await withReferences(tx, accountId, movement.largest) };
}

export async function findMovement(
  tx: Tx,
  accountId: bigint,
  target: MovedTarget,
  options: MovementOptions,
): Promise<OperationMovement | undefined> {
  const movement = await findUnnamedMovement(tx, accountId, target, options);
  return movement && nameUsersOf(tx, accountId, movement);
}
