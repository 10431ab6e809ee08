import type { AdminAction } from '#core/admin-action.js';
import type { Outcome } from '#core/outcome.js';
import type { Wager } from '#core/records.js';
import type { KeyedRequest, StoredAnswer } from '#idempotency/stored-answers.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';

export interface WagerRequest {
  readonly accountIds: readonly bigint[];
  readonly byId: readonly { readonly accountId: bigint; readonly id: bigint }[];
  readonly byReference: readonly { readonly accountId: bigint; readonly reference: string }[];
  readonly byBet: readonly { readonly accountId: bigint; readonly betId: bigint }[];
  /** Requests that may have been answered before: looking up their keys here saves a round trip. */
  readonly keyedRequests: readonly KeyedRequest[];
}

export interface LockedWagers {
  readonly wagers: readonly (Wager & { readonly accountId: bigint })[];
  readonly accounts: readonly { readonly accountId: bigint; readonly allowNegativeBalance: boolean }[];
  readonly storedAnswers: readonly StoredAnswer[];
}

interface WagerRow {
  readonly kind: 'wager';
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly outcome: string;
  readonly forcedBy: StoredAdminAction | null;
  readonly isSettling: boolean;
}

interface AccountRow {
  readonly kind: 'account';
  readonly accountId: bigint;
  readonly allowNegativeBalance: boolean | null;
}

interface AnswerRow extends StoredAnswer {
  readonly kind: 'answer';
}

type LockRow = WagerRow | AccountRow | AnswerRow;

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

/**
 * The first lock of all: the wagers, in the order of their keys. While a wager is locked, its offers and positions cannot
 * change, so a later statement of the transaction reads them once.
 */
export async function lockWagers(tx: Tx, request: WagerRequest): Promise<LockedWagers> {
  const { byId, byReference, byBet, keyedRequests } = request;
  const rows = await tx.$queryRaw<LockRow[]>`/* prepared: lock wagers */
    WITH wanted AS (
      SELECT w.account_id, w.id
        FROM unnest(${scalars(byReference.map(({ accountId }) => accountId))}::bigint[],
                    ${texts(byReference.map(({ reference }) => reference))}::text[]) AS n (account_id, reference)
        JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.reference
      UNION
      SELECT n.account_id, n.id
        FROM unnest(${scalars(byId.map(({ accountId }) => accountId))}::bigint[],
                    ${scalars(byId.map(({ id }) => id))}::bigint[]) AS n (account_id, id)
      UNION
      SELECT b.account_id, b.wager_id
        FROM unnest(${scalars(byBet.map(({ accountId }) => accountId))}::bigint[],
                    ${scalars(byBet.map(({ betId }) => betId))}::bigint[]) AS n (account_id, id)
        JOIN bets b ON b.account_id = n.account_id AND b.id = n.id
    ), locked AS (
      SELECT w.account_id, w.id, w.reference, w.outcome, w.forced_by, w.settling_since FROM wanted n
        JOIN wagers w ON w.account_id = n.account_id AND w.id = n.id
       ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w
    )
    SELECT 'wager' AS kind, account_id AS "accountId", id, reference, outcome, forced_by AS "forcedBy",
           settling_since IS NOT NULL AS "isSettling", NULL::boolean AS "allowNegativeBalance", NULL AS key,
           NULL AS "requestHash", NULL::int AS status, NULL AS body
      FROM locked
    UNION ALL
    SELECT 'account', id, NULL, NULL, NULL, NULL, NULL, preferences ->> 'allow_negative_balance' = 'true',
           NULL, NULL, NULL, NULL
      FROM accounts WHERE id = ANY(${scalars(request.accountIds)}::bigint[])
    UNION ALL
    SELECT 'answer', s.account_id, NULL, NULL, NULL, NULL, NULL, NULL, s.key, s.request_hash, s.status, s.body
      FROM unnest(${scalars(keyedRequests.map(({ accountId }) => accountId))}::bigint[],
                  ${texts(keyedRequests.map(({ key }) => key))}::text[]) AS n (account_id, key)
      JOIN stored_answers s ON s.account_id = n.account_id AND s.key = n.key`;
  return byKind(rows);
}

function byKind(rows: readonly LockRow[]): LockedWagers {
  const wagers: (Wager & { accountId: bigint })[] = [];
  const accounts: { accountId: bigint; allowNegativeBalance: boolean }[] = [];
  const storedAnswers: StoredAnswer[] = [];
  for (const row of rows) {
    if (row.kind === 'wager') wagers.push(wagerOf(row));
    else if (row.kind === 'answer') storedAnswers.push(row);
    else accounts.push({ accountId: row.accountId, allowNegativeBalance: row.allowNegativeBalance === true });
  }
  return { wagers, accounts, storedAnswers };
}

const wagerOf = ({ accountId, id, reference, outcome, forcedBy, isSettling }: WagerRow) => ({
  accountId,
  id,
  reference,
  outcome: outcome as Outcome,
  forcedBy: adminActionOf(forcedBy),
  isSettling,
});
