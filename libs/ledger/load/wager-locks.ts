import type { AdminAction } from '#core/admin-action.js';
import type { Outcome } from '#core/outcome.js';
import type { Wager } from '#core/records.js';
import type { KeyedRequest, StoredAnswer } from '#idempotency/stored-answers.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';

export interface WagerNames {
  readonly accountIds: readonly bigint[];
  readonly byId: readonly { readonly accountId: bigint; readonly id: bigint }[];
  readonly byReference: readonly { readonly accountId: bigint; readonly reference: string }[];
  readonly byBet: readonly { readonly accountId: bigint; readonly betId: bigint }[];
  /** Of requests that may have been answered before: looked for by the way. */
  readonly keys: readonly KeyedRequest[];
}

export interface LockedWagers {
  readonly wagers: readonly (Wager & { readonly accountId: bigint })[];
  /** Whether the account lets its users go below zero, by account. */
  readonly allowances: ReadonlyMap<bigint, boolean>;
  readonly answers: readonly StoredAnswer[];
}

interface Row {
  readonly kind: 'wager' | 'account' | 'answer';
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly detail: string | null;
  readonly forcedBy: StoredAction | string | null;
  readonly isSettling: boolean;
}

/** As JSON has it. */
export interface StoredAction {
  readonly admin_id: number;
  readonly admin_email: string;
  readonly description: string | null;
}

export const storedAction = ({ adminId, adminEmail, description }: AdminAction): StoredAction => ({
  admin_id: Number(adminId),
  admin_email: adminEmail,
  description,
});

const actionOf = (stored: StoredAction | null): AdminAction | null =>
  stored && { adminId: BigInt(stored.admin_id), adminEmail: stored.admin_email, description: stored.description };

/**
 * The first lock of all: the wagers, in the order of their keys. While it is held, a wager's offers stand still, so
 * whatever is read of them afterwards stays true until the commit.
 */
export async function lockWagers(tx: Tx, names: WagerNames): Promise<LockedWagers> {
  const { byId, byReference, byBet, keys } = names;
  const rows = await tx.$queryRaw<Row[]>`/* prepared: lock wagers */
    WITH named AS (
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
      SELECT w.account_id, w.id, w.reference, w.outcome, w.forced_by, w.settling_since FROM named n
        JOIN wagers w ON w.account_id = n.account_id AND w.id = n.id
       ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w
    )
    SELECT 'wager' AS kind, account_id AS "accountId", id, reference, outcome AS detail,
           forced_by AS "forcedBy", settling_since IS NOT NULL AS "isSettling" FROM locked
    UNION ALL
    SELECT 'account', id, id, '', preferences ->> 'allow_negative_balance', NULL, false FROM accounts
     WHERE id = ANY(${scalars(names.accountIds)}::bigint[])
    UNION ALL
    SELECT 'answer', k.account_id, k.status, k.key, k.body, to_jsonb(k.request_hash), false
      FROM unnest(${scalars(keys.map(({ accountId }) => accountId))}::bigint[], ${texts(keys.map(({ key }) => key))}::text[])
           AS n (account_id, key)
      JOIN stored_answers k ON k.account_id = n.account_id AND k.key = n.key`;
  const wagers = rows
    .filter(({ kind }) => kind === 'wager')
    .map(({ detail, forcedBy, ...wager }) => ({
      accountId: wager.accountId,
      id: wager.id,
      reference: wager.reference,
      outcome: detail as Outcome,
      forcedBy: actionOf(forcedBy as StoredAction | null),
      isSettling: wager.isSettling,
    }));
  const accounts = rows.filter(({ kind }) => kind === 'account');
  const answers = rows
    .filter(({ kind }) => kind === 'answer')
    .map(({ accountId, id, reference, detail, forcedBy }) => ({
      accountId,
      key: reference,
      requestHash: String(forcedBy),
      status: Number(id),
      body: detail ?? '',
    }));
  return {
    answers,
    wagers,
    allowances: new Map(accounts.map(({ accountId, detail }) => [accountId, detail === 'true'])),
  };
}
