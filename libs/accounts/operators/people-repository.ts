import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import type { Operator, OperatorChanges, OperatorId } from './operator.js';

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

/** Leaves the name, for trails. */
export const markDeleted = (tx: Tx, { accountId, operatorId }: OperatorId): Promise<number> =>
  tx.$executeRaw`
    UPDATE operators SET state = 'deleted', password_hash = NULL, invitation_hash = NULL, invited_until = NULL,
           second_factor_at = NULL, second_factor_secret = NULL, second_factor_step = NULL, recovery_hashes = '{}'
     WHERE account_id = ${accountId} AND id = ${operatorId}`;

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
