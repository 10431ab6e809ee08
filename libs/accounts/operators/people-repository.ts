import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import { INVITATION_LIFE_MS, type Operator, type OperatorChanges, type OperatorId } from './operator.js';

// The people of an account, as it manages them. Who changes one has locked the account.

export const operatorColumns = Prisma.sql`o.id, o.email, o.name, o.role, o.state, o.second_factor_at IS NOT NULL AS "hasSecondFactor",
  o.last_login_at AS "lastLoginAt", o.created_at AS "createdAt"`;

export async function findOperator(tables: SharedTables | Tx, id: OperatorId): Promise<Operator | undefined> {
  const rows = await tables.$queryRaw<Operator[]>`
    SELECT ${operatorColumns} FROM operators o
     WHERE o.account_id = ${id.accountId} AND o.id = ${id.operatorId} AND o.state <> 'deleted'`;
  return rows[0];
}

export async function updateOperator(
  tx: Tx,
  { accountId, operatorId }: OperatorId,
  { name, role, state }: OperatorChanges,
): Promise<Operator | undefined> {
  const rows = await tx.$queryRaw<Operator[]>`
    UPDATE operators o SET name = coalesce(${name ?? null}::text, name), role = coalesce(${role ?? null}::text, role),
           state = coalesce(${state ?? null}::text, state)
     WHERE o.account_id = ${accountId} AND o.id = ${operatorId} RETURNING ${operatorColumns}`;
  return rows[0];
}

const deletedColumns = Prisma.sql`state = 'deleted', password_hash = NULL, invitation_hash = NULL, invited_until = NULL,
  second_factor_at = NULL, second_factor_secret = NULL, second_factor_step = NULL, recovery_hashes = '{}'`;

/** Leaves the name, for trails. */
export const markDeleted = (tx: Tx, { accountId, operatorId }: OperatorId): Promise<number> =>
  tx.$executeRaw`UPDATE operators SET ${deletedColumns} WHERE account_id = ${accountId} AND id = ${operatorId}`;

export interface Unaccepted extends Pick<Operator, 'id' | 'name' | 'email' | 'role' | 'state'> {
  readonly accountId: bigint;
}

/**
 * Deletes the person whom another account has invited with the address and who has not accepted: whenever that was, or only if
 * the invitation has ended by a time. One whose mail was never sent ends as if it had been sent at once. An acceptance at the
 * same time holds the row, which is then no longer of an invited person.
 */
export const deleteUnaccepted = (
  tx: Tx,
  address: { readonly accountId: bigint; readonly email: string; readonly endedBy: Date | undefined },
): Promise<Unaccepted[]> =>
  tx.$queryRaw<Unaccepted[]>`
    UPDATE operators o SET ${deletedColumns}
     WHERE lower(o.email) = lower(${address.email}) AND o.state = 'invited' AND o.account_id <> ${address.accountId}
       AND (${address.endedBy ?? null}::timestamptz IS NULL OR ${address.endedBy ?? null}::timestamptz
              >= coalesce(o.invited_until, o.created_at + ${INVITATION_LIFE_MS} * interval '1 ms'))
    RETURNING o.account_id AS "accountId", o.id, o.name, o.email, o.role, 'invited' AS state`;

export interface PeopleCounts {
  readonly all: number;
  readonly activeOwners: number;
}

export async function countPeople(tx: Tx, accountId: bigint): Promise<PeopleCounts> {
  const [counts] = await tx.$queryRaw<PeopleCounts[]>`
    SELECT count(*)::int AS "all", count(*) FILTER (WHERE state = 'active' AND role = 'owner')::int AS "activeOwners"
      FROM operators WHERE account_id = ${accountId} AND state <> 'deleted'`;
  return counts ?? { all: 0, activeOwners: 0 };
}

/** Whether another account was registered with the address: its owner may be another person by now. */
export async function isAddressOfAnother(tx: Tx, accountId: bigint, email: string): Promise<boolean> {
  const found = await tx.$queryRaw<object[]>`
    SELECT 1 FROM accounts WHERE lower(email) = lower(${email}) AND id <> ${accountId}`;
  return found.length > 0;
}
