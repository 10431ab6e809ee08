import type { Micros } from '#core/money.js';
import type { Position, User } from '#core/records.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';

/** A user by id or by reference, and a wager in which the user's position is wanted (null: none). */
export interface WantedUser {
  readonly accountId: bigint;
  readonly id: bigint | null;
  readonly reference: string | null;
  readonly wagerId: bigint | null;
}

export interface UserRequest {
  /** Locked, with their money. */
  readonly users: readonly WantedUser[];
  /** Only looked up. */
  readonly named: readonly Omit<WantedUser, 'wagerId'>[];
  readonly newBets: number;
  readonly newWagers: number;
}

export interface LockedUsers {
  readonly users: readonly (User & { readonly accountId: bigint })[];
  readonly named: readonly { readonly accountId: bigint; readonly id: bigint; readonly reference: string }[];
  /** The stored ones; a position that is not stored is empty. */
  readonly positions: readonly (Position & { readonly accountId: bigint })[];
  readonly betIds: bigint[];
  readonly wagerIds: bigint[];
}

interface UserRow {
  readonly kind: 'user';
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
  readonly allowNegativeBalance: boolean | null;
  readonly balance: Micros;
  readonly exposure: Micros;
}

interface NamedRow {
  readonly kind: 'named';
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
}

interface PositionRow {
  readonly kind: 'position';
  readonly accountId: bigint;
  /** Of the user. */
  readonly id: bigint;
  readonly wagerId: bigint;
  readonly win: Micros;
  readonly loss: Micros;
  readonly offered: Micros;
}

interface DrawnIdRow {
  readonly kind: 'bet id' | 'wager id';
  readonly id: bigint;
}

type LockRow = UserRow | NamedRow | PositionRow | DrawnIdRow;

/**
 * The second lock: the users' balances, in the order of their keys. Positions need no lock of their own, because every
 * transaction that moves one holds its wager. The statement also draws the new ids: as the wagers are locked by then, a
 * later offer of a wager has a higher id.
 */
export async function lockUsers(tx: Tx, request: UserRequest): Promise<LockedUsers> {
  const { users, named } = request;
  const rows = await tx.$queryRaw<LockRow[]>`/* prepared: lock users */
    WITH wanted AS MATERIALIZED (
      SELECT n.account_id, coalesce(n.id, u.id) AS id, n.wager_id
        FROM unnest(${scalars(users.map(({ accountId }) => accountId))}::bigint[],
                    ${scalars(users.map(({ id }) => id))}::bigint[],
                    ${texts(users.map(({ reference }) => reference))}::text[],
                    ${scalars(users.map(({ wagerId }) => wagerId))}::bigint[])
             AS n (account_id, id, reference, wager_id)
        LEFT JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference AND n.id IS NULL
    ), locked AS (
      SELECT b.account_id, b.user_id, b.balance, b.exposure
        FROM (SELECT DISTINCT account_id, id FROM wanted WHERE id IS NOT NULL) w
        JOIN balances b ON b.account_id = w.account_id AND b.user_id = w.id
       ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE OF b
    )
    SELECT 'user' AS kind, l.account_id AS "accountId", l.user_id AS id, u.reference,
           u.preferences ->> 'allow_negative_balance' = 'true' AS "allowNegativeBalance", l.balance, l.exposure,
           NULL::bigint AS "wagerId", NULL::bigint AS win, NULL::bigint AS loss, NULL::bigint AS offered
      FROM locked l JOIN users u ON u.account_id = l.account_id AND u.id = l.user_id
    UNION ALL
    SELECT 'position', p.account_id, p.user_id, NULL, NULL, NULL, NULL, p.wager_id, p.win, p.loss, p.offered
      FROM (SELECT DISTINCT account_id, id, wager_id FROM wanted) w
      JOIN positions p ON p.account_id = w.account_id AND p.user_id = w.id AND p.wager_id = w.wager_id
    UNION ALL
    SELECT 'named', u.account_id, u.id, u.reference, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM unnest(${scalars(named.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(named.map(({ id }) => id))}::bigint[]) AS n (account_id, id)
      JOIN users u ON u.account_id = n.account_id AND u.id = n.id
    UNION ALL
    SELECT 'named', u.account_id, u.id, u.reference, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM unnest(${scalars(named.map(({ accountId }) => accountId))}::bigint[],
                  ${texts(named.map(({ reference }) => reference))}::text[]) AS n (account_id, reference)
      JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference
    UNION ALL
    SELECT 'bet id', NULL, nextval('bets_id_seq'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM generate_series(1, ${request.newBets}::int)
    UNION ALL
    SELECT 'wager id', NULL, nextval('wagers_id_seq'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM generate_series(1, ${request.newWagers}::int)`;
  return byKind(rows);
}

function byKind(rows: readonly LockRow[]): LockedUsers {
  const locked = {
    users: [] as (User & { accountId: bigint })[],
    named: [] as NamedRow[],
    positions: [] as (Position & { accountId: bigint })[],
    betIds: [] as bigint[],
    wagerIds: [] as bigint[],
  };
  for (const row of rows) {
    if (row.kind === 'user') locked.users.push(userOf(row));
    else if (row.kind === 'named') locked.named.push(row);
    else if (row.kind === 'position') locked.positions.push(positionOf(row));
    else if (row.kind === 'bet id') locked.betIds.push(row.id);
    else locked.wagerIds.push(row.id);
  }
  return locked;
}

const userOf = ({ accountId, id, reference, allowNegativeBalance, balance, exposure }: UserRow) => ({
  accountId,
  id,
  reference,
  allowNegativeBalance,
  balance,
  exposure,
});

const positionOf = ({ accountId, id, wagerId, win, loss, offered }: PositionRow) => ({
  accountId,
  userId: id,
  wagerId,
  win,
  loss,
  offered,
});
