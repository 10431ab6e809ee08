import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import type { OperatorId } from '../operators/operator.js';

export interface SecondFactor {
  /** When it was confirmed; null: there is none. */
  readonly since: Date | null;
  /** Of the begun or the confirmed one, encrypted; null: none was begun. */
  readonly secret: string | null;
  readonly recoveryCodes: number;
  /** When this was read, by PostgreSQL's clock. */
  readonly readAt: Date;
}

const isOf = ({ accountId, operatorId }: OperatorId) => Prisma.sql`account_id = ${accountId} AND id = ${operatorId}`;

export async function findSecondFactor(tables: SharedTables | Tx, id: OperatorId): Promise<SecondFactor | undefined> {
  const rows = await tables.$queryRaw<SecondFactor[]>`
    SELECT second_factor_at AS since, second_factor_secret AS secret, cardinality(recovery_hashes) AS "recoveryCodes",
           clock_timestamp() AS "readAt"
      FROM operators WHERE ${isOf(id)}`;
  return rows[0];
}

/** Begins one, in place of one that was begun before. False when the operator has a confirmed one. */
export async function beginSecondFactor(tx: Tx, id: OperatorId, secret: string): Promise<boolean> {
  const begun = await tx.$executeRaw`
    UPDATE operators SET second_factor_secret = ${secret} WHERE ${isOf(id)} AND second_factor_at IS NULL`;
  return begun === 1;
}

export interface Confirmation {
  /** The stored one that the code was checked with. */
  readonly secret: string;
  /** Of the code, which is used up. */
  readonly step: number;
  readonly recoveryHashes: readonly Buffer[];
}

/** False when the begun one has been confirmed or replaced. */
export async function confirmSecondFactor(tx: Tx, id: OperatorId, confirmation: Confirmation): Promise<boolean> {
  const { secret, step, recoveryHashes } = confirmation;
  const hashes = JSON.stringify(recoveryHashes.map((hash) => hash.toString('hex')));
  const confirmed = await tx.$executeRaw`
    UPDATE operators
       SET second_factor_at = clock_timestamp(), second_factor_step = ${step},
           recovery_hashes = ARRAY(SELECT decode(each, 'hex') FROM jsonb_array_elements_text(${hashes}::jsonb) each)
     WHERE ${isOf(id)} AND second_factor_at IS NULL AND second_factor_secret = ${secret}`;
  return confirmed === 1;
}

/** False when there is none. */
export async function deleteSecondFactor(tx: Tx, id: OperatorId): Promise<boolean> {
  const deleted = await tx.$executeRaw`
    UPDATE operators
       SET second_factor_at = NULL, second_factor_secret = NULL, second_factor_step = NULL, recovery_hashes = '{}'
     WHERE ${isOf(id)} AND second_factor_at IS NOT NULL`;
  return deleted === 1;
}

/** Uses up the code of a step and those before it: of two requests with one code, one gets true. */
export async function useStep(
  tables: SharedTables | Tx,
  id: OperatorId,
  { secret, step }: Pick<Confirmation, 'secret' | 'step'>,
): Promise<boolean> {
  const used = await tables.$executeRaw`
    UPDATE operators SET second_factor_step = ${step}
     WHERE ${isOf(id)} AND second_factor_at IS NOT NULL AND second_factor_secret = ${secret} AND second_factor_step < ${step}`;
  return used === 1;
}

/** Uses up a recovery code, and returns how many are left; undefined: it is none, or was used before. */
export async function useRecoveryCode(tx: Tx, id: OperatorId, hash: Buffer): Promise<number | undefined> {
  const rows = await tx.$queryRaw<{ left: number }[]>`
    UPDATE operators SET recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
     WHERE ${isOf(id)} AND second_factor_at IS NOT NULL AND ${hash}::bytea = ANY (recovery_hashes)
    RETURNING cardinality(recovery_hashes) AS left`;
  return rows[0]?.left;
}
