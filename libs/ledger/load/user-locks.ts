import type { Micros } from '#core/money.js';
import type { Position, User } from '#core/records.js';
import type { KeyedRequest, StoredAnswer } from '#idempotency/stored-answers.js';
import { scalars, texts } from '#platform/database/array-literal.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import type { BetRow } from './bet-rows.js';
import type { LockMode, WagerName } from './wager-locks.js';

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
  /** Requests that may have been answered before. */
  readonly keyedRequests: readonly KeyedRequest[];
  /** Wagers that were not stored when their names were claimed. */
  readonly claimedWagers: readonly WagerName[];
}

export interface LockedUsers {
  readonly users: readonly (User & { readonly accountId: bigint })[];
  readonly named: readonly { readonly accountId: bigint; readonly id: bigint; readonly reference: string }[];
  /** The stored ones; a position that is not stored is empty. */
  readonly positions: readonly (Position & { readonly accountId: bigint })[];
  readonly betIds: readonly bigint[];
  readonly wagerIds: readonly bigint[];
  /** Users whose balance another transaction holds. */
  readonly busyUsers: readonly { readonly accountId: bigint; readonly id: bigint; readonly reference: string }[];
  readonly storedAnswers: readonly StoredAnswer[];
  /** Claimed wagers that another transaction stored just before the claim. */
  readonly takenWagers: readonly WagerName[];
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

interface BusyUserRow {
  readonly kind: 'busy user';
  readonly accountId: bigint;
  readonly id: bigint;
  readonly reference: string;
}

interface TakenWagerRow extends WagerName {
  readonly kind: 'taken wager';
}

interface AnswerRow {
  readonly kind: 'answer';
  readonly accountId: bigint;
  /** The key. */
  readonly reference: string;
  readonly requestHash: string;
  readonly status: number;
  readonly body: string;
}

type LockRow = UserRow | NamedRow | PositionRow | DrawnIdRow | BusyUserRow | TakenWagerRow | AnswerRow;

const modes = {
  skip: { head: Prisma.raw('/* prepared: lock users */'), clause: Prisma.raw('SKIP LOCKED') },
  wait: { head: Prisma.raw('/* prepared: lock users waiting */'), clause: Prisma.empty },
} as const;

/** Both users of each bet, once, with their positions in its wager. */
export function usersOf(bets: readonly BetRow[]): WantedUser[] {
  const wanted = new Map<string, WantedUser>();
  for (const { accountId, wagerId, requestingUserId, acceptingUserId } of bets) {
    for (const id of [requestingUserId, acceptingUserId]) {
      if (id !== null) wanted.set(`${accountId} ${id} ${wagerId}`, { accountId, id, reference: null, wagerId });
    }
  }
  return [...wanted.values()];
}

/**
 * The second lock: the users' balances, in the order of their keys. Positions need no lock of their own, because every
 * transaction that moves one holds its wager. The statement also draws the new ids: as the wagers are locked by then, a
 * later offer of a wager has a higher id.
 */
export async function lockUsers(tx: Tx, request: UserRequest, mode: LockMode): Promise<LockedUsers> {
  const { users, named, keyedRequests, claimedWagers } = request;
  const { head, clause } = modes[mode];
  const rows = await tx.$queryRaw<LockRow[]>`${head}
    WITH wanted AS MATERIALIZED (
      SELECT n.account_id, coalesce(n.id, u.id) AS id, n.wager_id
        FROM unnest(${scalars(users.map(({ accountId }) => accountId))}::bigint[],
                    ${scalars(users.map(({ id }) => id))}::bigint[], ${texts(users.map(({ reference }) => reference))}::text[],
                    ${scalars(users.map(({ wagerId }) => wagerId))}::bigint[]) AS n (account_id, id, reference, wager_id)
        LEFT JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference AND n.id IS NULL
    ), wanted_users AS MATERIALIZED (
      SELECT DISTINCT account_id, id FROM wanted WHERE id IS NOT NULL
    ), locked AS MATERIALIZED (
      SELECT b.account_id, b.user_id, b.balance, b.exposure
        FROM wanted_users w JOIN balances b ON b.account_id = w.account_id AND b.user_id = w.id
       ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE OF b ${clause}
    )
    SELECT 'user' AS kind, l.account_id AS "accountId", l.user_id AS id, u.reference,
           u.preferences ->> 'allow_negative_balance' = 'true' AS "allowNegativeBalance", l.balance, l.exposure,
           NULL::bigint AS "wagerId", NULL::bigint AS win, NULL::bigint AS loss, NULL::bigint AS offered,
           NULL AS "requestHash", NULL::int AS status, NULL AS body
      FROM locked l JOIN users u ON u.account_id = l.account_id AND u.id = l.user_id
    UNION ALL
    SELECT 'busy user', b.account_id, b.user_id, u.reference, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM wanted_users w JOIN balances b ON b.account_id = w.account_id AND b.user_id = w.id
      JOIN users u ON u.account_id = b.account_id AND u.id = b.user_id
     WHERE NOT EXISTS (SELECT FROM locked l WHERE l.account_id = b.account_id AND l.user_id = b.user_id)
    UNION ALL
    SELECT 'position', p.account_id, p.user_id, NULL, NULL, NULL, NULL, p.wager_id, p.win, p.loss, p.offered, NULL, NULL, NULL
      FROM (SELECT DISTINCT account_id, id, wager_id FROM wanted) w
      JOIN positions p ON p.account_id = w.account_id AND p.user_id = w.id AND p.wager_id = w.wager_id
    UNION ALL
    SELECT 'named', u.account_id, u.id, u.reference, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM unnest(${scalars(named.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(named.map(({ id }) => id))}::bigint[]) AS n (account_id, id)
      JOIN users u ON u.account_id = n.account_id AND u.id = n.id
    UNION ALL
    SELECT 'named', u.account_id, u.id, u.reference, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM unnest(${scalars(named.map(({ accountId }) => accountId))}::bigint[],
                  ${texts(named.map(({ reference }) => reference))}::text[]) AS n (account_id, reference)
      JOIN users u ON u.account_id = n.account_id AND u.reference = n.reference
    UNION ALL
    SELECT 'answer', s.account_id, NULL, s.key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, s.request_hash, s.status, s.body
      FROM unnest(${scalars(keyedRequests.map(({ accountId }) => accountId))}::bigint[],
                  ${texts(keyedRequests.map(({ key }) => key))}::text[]) AS n (account_id, key)
      JOIN stored_answers s ON s.account_id = n.account_id AND s.key = n.key
    UNION ALL
    SELECT 'taken wager', w.account_id, w.id, w.reference, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM unnest(${scalars(claimedWagers.map(({ accountId }) => accountId))}::bigint[],
                  ${texts(claimedWagers.map(({ reference }) => reference))}::text[]) AS n (account_id, reference)
      JOIN wagers w ON w.account_id = n.account_id AND w.reference = n.reference
    UNION ALL
    SELECT 'bet id', NULL, nextval('bets_id_seq'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM generate_series(1, ${request.newBets}::int)
    UNION ALL
    SELECT 'wager id', NULL, nextval('wagers_id_seq'), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM generate_series(1, ${request.newWagers}::int)`;
  return byKind(rows);
}

type Mutable<Lists> = { [List in keyof Lists]: Lists[List] extends readonly (infer Item)[] ? Item[] : never };

function byKind(rows: readonly LockRow[]): LockedUsers {
  const locked: Mutable<LockedUsers> = {
    users: [],
    named: [],
    positions: [],
    betIds: [],
    wagerIds: [],
    busyUsers: [],
    storedAnswers: [],
    takenWagers: [],
  };
  for (const row of rows) addTo(locked, row);
  return locked;
}

function addTo(locked: Mutable<LockedUsers>, row: LockRow): void {
  switch (row.kind) {
    case 'user':
      return void locked.users.push(userOf(row));
    case 'position':
      return void locked.positions.push(positionOf(row));
    case 'bet id':
      return void locked.betIds.push(row.id);
    case 'wager id':
      return void locked.wagerIds.push(row.id);
    case 'named':
      return void locked.named.push(row);
    case 'busy user':
      return void locked.busyUsers.push(row);
    case 'taken wager':
      return void locked.takenWagers.push(row);
    case 'answer':
      return void locked.storedAnswers.push(answerOf(row));
  }
}

const answerOf = ({ accountId, reference: key, requestHash, status, body }: AnswerRow): StoredAnswer => ({
  accountId,
  key,
  requestHash,
  status,
  body,
});

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
