import type { Micros } from '#core/money.js';
import type { Position, User } from '#core/records.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';

/** A user by id or by reference, and a wager in which its position is wanted (null: none). */
export interface UserWanted {
  readonly accountId: bigint;
  readonly id: bigint | null;
  readonly reference: string | null;
  readonly wagerId: bigint | null;
}

export interface UserRequest {
  /** Locked, with their money. */
  readonly users: readonly UserWanted[];
  /** Only named. */
  readonly named: readonly Omit<UserWanted, 'wagerId'>[];
  readonly newBets: number;
  readonly newWagers: number;
}

export interface LockedUsers {
  readonly users: readonly (User & { readonly accountId: bigint })[];
  readonly named: readonly { readonly accountId: bigint; readonly id: bigint; readonly reference: string }[];
  /** Those that are stored; every other one is empty. */
  readonly positions: readonly (Position & { readonly accountId: bigint })[];
  readonly betIds: bigint[];
  readonly wagerIds: bigint[];
}

interface Row {
  readonly kind: 'user' | 'named' | 'position' | 'bet id' | 'wager id';
  readonly accountId: bigint;
  readonly id: bigint;
  readonly text: string | null;
  readonly flag: string | null;
  readonly one: bigint;
  readonly two: bigint;
  readonly three: bigint;
  readonly wagerId: bigint;
}

/**
 * The second lock: the users' balances, in the order of their keys. Positions need none of their own, for whoever moves
 * one holds its wager. New ids are drawn here, behind the wagers' locks: so a later offer of a wager has a higher one.
 */
export async function lockUsers(tx: Tx, request: UserRequest): Promise<LockedUsers> {
  const { users, named } = request;
  const rows = await tx.$queryRaw<Row[]>`/* prepared: lock users */
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
    SELECT 'user' AS kind, l.account_id AS "accountId", l.user_id AS id, u.reference AS text,
           u.preferences ->> 'allow_negative_balance' AS flag, l.balance AS one, l.exposure AS two, 0::bigint AS three,
           0::bigint AS "wagerId"
      FROM locked l JOIN users u ON u.account_id = l.account_id AND u.id = l.user_id
    UNION ALL
    SELECT 'position', p.account_id, p.user_id, NULL, NULL, p.win, p.loss, p.offered, p.wager_id
      FROM (SELECT DISTINCT account_id, id, wager_id FROM wanted) w
      JOIN positions p ON p.account_id = w.account_id AND p.user_id = w.id AND p.wager_id = w.wager_id
    UNION ALL
    SELECT 'named', u.account_id, u.id, u.reference, NULL, 0, 0, 0, 0
      FROM unnest(${scalars(named.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(named.map(({ id }) => id))}::bigint[]) AS n (account_id, id)
      JOIN users u ON u.account_id = n.account_id AND u.id = n.id
    UNION ALL
    SELECT 'named', u.account_id, u.id, u.reference, NULL, 0, 0, 0, 0
      FROM unnest(${scalars(named.map(({ accountId }) => accountId))}::bigint[],
                  ${texts(named.map(({ reference }) => reference))}::text[]) AS n (account_id, reference)
      JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference
    UNION ALL
    SELECT 'bet id', 0, nextval('bets_id_seq'), NULL, NULL, 0, 0, 0, 0 FROM generate_series(1, ${request.newBets}::int)
    UNION ALL
    SELECT 'wager id', 0, nextval('wagers_id_seq'), NULL, NULL, 0, 0, 0, 0
      FROM generate_series(1, ${request.newWagers}::int)`;
  return sorted(rows);
}

function sorted(rows: readonly Row[]): LockedUsers {
  const result = {
    users: [] as (User & { accountId: bigint })[],
    named: [] as { accountId: bigint; id: bigint; reference: string }[],
    positions: [] as (Position & { accountId: bigint })[],
    betIds: [] as bigint[],
    wagerIds: [] as bigint[],
  };
  for (const { kind, accountId, id, text, flag, one, two, three, wagerId } of rows) {
    if (kind === 'bet id') result.betIds.push(id);
    else if (kind === 'wager id') result.wagerIds.push(id);
    else if (kind === 'named') result.named.push({ accountId, id, reference: text ?? '' });
    else if (kind === 'position') {
      const figures = { win: one as Micros, loss: two as Micros, offered: three as Micros };
      result.positions.push({ accountId, userId: id, wagerId, ...figures });
    } else {
      const allowNegativeBalance = flag === null ? null : flag === 'true';
      const money = { balance: one as Micros, exposure: two as Micros };
      result.users.push({ accountId, id, reference: text ?? '', allowNegativeBalance, ...money });
    }
  }
  return result;
}
