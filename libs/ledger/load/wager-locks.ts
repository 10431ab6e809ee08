import type { AdminAction } from '#core/admin-action.js';
import type { Outcome } from '#core/outcome.js';
import type { Wager } from '#core/records.js';
import type { KeyedRequest } from '#idempotency/stored-answers.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { pendingCancelOf, type StoredPendingCancel } from '../pending-cancels.js';

/** `skip`: rows that another transaction holds are reported as busy. `wait`: the statement waits for them. */
export type LockMode = 'skip' | 'wait';

export interface WagerName {
  readonly accountId: bigint;
  readonly reference: string;
}

export interface WagerRequest {
  readonly accountIds: readonly bigint[];
  readonly byId: readonly { readonly accountId: bigint; readonly id: bigint }[];
  readonly byReference: readonly WagerName[];
  readonly byBet: readonly { readonly accountId: bigint; readonly betId: bigint }[];
  /** Wagers that a task may create. */
  readonly toCreate: readonly WagerName[];
  readonly keyedRequests: readonly KeyedRequest[];
}

export interface LockedWagers {
  readonly wagers: readonly (Wager & { readonly accountId: bigint })[];
  readonly accounts: readonly { readonly accountId: bigint; readonly allowNegativeBalance: boolean }[];
  /** Wagers that another transaction holds, by every name that a task gave them; `id` null: it is creating the wager. */
  readonly busyWagers: readonly BusyWager[];
  /** Keys of requests that another process is answering right now. */
  readonly busyKeys: readonly { readonly accountId: bigint; readonly key: string }[];
}

export interface BusyWager {
  readonly accountId: bigint;
  readonly id: bigint | null;
  readonly reference: string;
  readonly betId: bigint | null;
}

interface WagerRow {
  readonly kind: 'wager';
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly outcome: string;
  readonly forcedBy: StoredAdminAction | null;
  readonly isSettling: boolean;
  readonly pendingCancels: readonly StoredPendingCancel[] | null;
}

interface BusyWagerRow extends BusyWager {
  readonly kind: 'busy wager';
}

interface AccountRow {
  readonly kind: 'account';
  readonly accountId: bigint;
  readonly allowNegativeBalance: boolean | null;
}

interface BusyKeyRow {
  readonly kind: 'busy key';
  readonly accountId: bigint;
  /** The key. */
  readonly reference: string;
}

type LockRow = WagerRow | BusyWagerRow | AccountRow | BusyKeyRow;

/** `wagers.forced_by` as JSON. */
export interface StoredAdminAction {
  readonly admin_id: number;
  readonly admin_email: string;
  readonly description: string | null;
}

export const storedAdminAction = ({ adminId, adminEmail, description }: AdminAction): StoredAdminAction => ({
  admin_id: Number(adminId),
  admin_email: adminEmail,
  description,
});

const adminActionOf = (stored: StoredAdminAction | null): AdminAction | null =>
  stored && { adminId: BigInt(stored.admin_id), adminEmail: stored.admin_email, description: stored.description };

const modes = {
  skip: {
    head: Prisma.raw('/* prepared: lock wagers */'),
    clause: Prisma.raw('SKIP LOCKED'),
    isClaimed: (lock: Prisma.Sql) => Prisma.sql`pg_try_advisory_xact_lock(${lock})`,
  },
  wait: {
    head: Prisma.raw('/* prepared: lock wagers waiting */'),
    clause: Prisma.empty,
    // The function waits for the lock and returns nothing.
    isClaimed: (lock: Prisma.Sql) => Prisma.sql`pg_advisory_xact_lock(${lock})::text = ''`,
  },
} as const;

/** Any constants serve: they set the two kinds of claimed names apart. */
const KEY_SEED = 7_266_003;
const WAGER_SEED = 7_266_004;

/**
 * The first lock of all: the wagers, in the order of their keys. While a wager is locked, its offers and positions cannot
 * change, so a later statement of the transaction reads them once.
 *
 * A name that is not stored yet, of a wager or of a key, is claimed by an advisory lock until the end of the transaction:
 * two processes that meet at it do not find out at the unique index, which would undo a whole group. The next statement
 * has a newer snapshot: `lockUsers` looks whether a claimed name was stored just before the claim.
 */
export async function lockWagers(tx: Tx, request: WagerRequest, mode: LockMode): Promise<LockedWagers> {
  const { byId, byReference, byBet, toCreate, keyedRequests } = request;
  const { head, clause, isClaimed } = modes[mode];
  const rows = await tx.$queryRaw<LockRow[]>`${head}
    WITH wanted AS MATERIALIZED (
      SELECT w.account_id, w.id, w.reference, NULL::bigint AS bet_id
        FROM unnest(${scalars(byReference.map(({ accountId }) => accountId))}::bigint[],
                    ${texts(byReference.map(({ reference }) => reference))}::text[]) AS n (account_id, reference)
        JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.reference
      UNION ALL
      SELECT w.account_id, w.id, w.reference, NULL
        FROM unnest(${scalars(byId.map(({ accountId }) => accountId))}::bigint[],
                    ${scalars(byId.map(({ id }) => id))}::bigint[]) AS n (account_id, id)
        JOIN wagers w ON w.account_id = n.account_id AND w.id = n.id
      UNION ALL
      SELECT w.account_id, w.id, w.reference, b.id
        FROM unnest(${scalars(byBet.map(({ accountId }) => accountId))}::bigint[],
                    ${scalars(byBet.map(({ betId }) => betId))}::bigint[]) AS n (account_id, id)
        JOIN bets b ON b.account_id = n.account_id AND b.id = n.id
        JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
    ), locked AS MATERIALIZED (
      SELECT w.account_id, w.id, w.reference, w.outcome, w.forced_by, w.settling_since, w.pending_cancels
        FROM (SELECT DISTINCT account_id, id FROM wanted) n
        JOIN wagers w ON w.account_id = n.account_id AND w.id = n.id
       ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w ${clause}
    )
    SELECT 'wager' AS kind, account_id AS "accountId", id, reference, outcome, forced_by AS "forcedBy",
           settling_since IS NOT NULL AS "isSettling", NULL::bigint AS "betId", NULL::boolean AS "allowNegativeBalance",
           pending_cancels AS "pendingCancels"
      FROM locked
    UNION ALL
    SELECT 'busy wager', n.account_id, n.id, n.reference, NULL, NULL, NULL, n.bet_id, NULL, NULL
      FROM wanted n LEFT JOIN locked l ON l.account_id = n.account_id AND l.id = n.id
     WHERE l.id IS NULL
    UNION ALL
    SELECT 'busy wager', m.account_id, NULL, m.reference, NULL, NULL, NULL, NULL, NULL, NULL
      FROM (SELECT DISTINCT n.account_id, n.reference
              FROM unnest(${scalars(toCreate.map(({ accountId }) => accountId))}::bigint[],
                          ${texts(toCreate.map(({ reference }) => reference))}::text[]) AS n (account_id, reference)
             WHERE NOT EXISTS (SELECT FROM wagers w WHERE w.account_id = n.account_id AND w.reference = n.reference)
             ORDER BY n.account_id, n.reference OFFSET 0) AS m
     WHERE NOT ${isClaimed(Prisma.sql`hashtextextended(m.account_id || ' ' || m.reference, ${WAGER_SEED})`)}
    UNION ALL
    SELECT 'busy key', n.account_id, NULL, n.key, NULL, NULL, NULL, NULL, NULL, NULL
      FROM (SELECT * FROM unnest(${scalars(keyedRequests.map(({ accountId }) => accountId))}::bigint[],
                                 ${texts(keyedRequests.map(({ key }) => key))}::text[]) AS given (account_id, key)
             ORDER BY account_id, key OFFSET 0) AS n
     WHERE NOT ${isClaimed(Prisma.sql`hashtextextended(n.account_id || ' ' || n.key, ${KEY_SEED})`)}
    UNION ALL
    SELECT 'account', id, NULL, NULL, NULL, NULL, NULL, NULL, preferences ->> 'allow_negative_balance' = 'true', NULL
      FROM accounts WHERE id = ANY(${scalars(request.accountIds)}::bigint[])`;
  return byKind(rows);
}

function byKind(rows: readonly LockRow[]): LockedWagers {
  const wagers: (Wager & { accountId: bigint })[] = [];
  const busyWagers: BusyWager[] = [];
  const accounts: { accountId: bigint; allowNegativeBalance: boolean }[] = [];
  const busyKeys: { accountId: bigint; key: string }[] = [];
  for (const row of rows) {
    if (row.kind === 'wager') wagers.push(wagerOf(row));
    else if (row.kind === 'busy wager') busyWagers.push(row);
    else if (row.kind === 'busy key') busyKeys.push({ accountId: row.accountId, key: row.reference });
    else accounts.push({ accountId: row.accountId, allowNegativeBalance: row.allowNegativeBalance === true });
  }
  return { wagers, busyWagers, accounts, busyKeys };
}

const wagerOf = ({ accountId, id, reference, outcome, forcedBy, isSettling, pendingCancels }: WagerRow) => ({
  accountId,
  id,
  reference,
  outcome: outcome as Outcome,
  forcedBy: adminActionOf(forcedBy),
  isSettling,
  pendingCancels: (pendingCancels ?? []).map(pendingCancelOf),
});
