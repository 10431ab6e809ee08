import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { type CallerRole, includesRole } from './caller-role.js';

/** The credential that a caller has shown: the token of a session, or an API key. */
export interface Credential {
  readonly accountId: bigint;
  readonly operatorId: bigint | undefined;
  readonly tokenId: bigint | undefined;
  readonly apiKeyId?: bigint | undefined;
}

/** What the account asks of a caller who gives access to it. */
export interface CallerGuard {
  readonly isPasswordNeeded: boolean;
  /** Whether the operator's password is still the one whose hash is given. */
  readonly isProven: boolean;
  /** Whether the credential still exists. */
  readonly isAlive: boolean;
}

interface Proof extends Pick<CallerGuard, 'isProven'> {
  /** Of the session's operator, or of the key. */
  readonly role: CallerRole;
  /** Of who made the key; null: nobody did. */
  readonly makerRole: CallerRole | null;
}

const proofColumns = (provenHash: string | undefined) => Prisma.sql`o.role AS "makerRole",
  coalesce(o.password_hash = ${provenHash ?? null}::text, FALSE) AS "isProven"`;

/** Of a person who may log in, as the first statement of the transaction left it. */
function readProof(tx: Tx, credential: Credential, provenHash: string | undefined): Promise<Proof[]> {
  const { accountId, tokenId, apiKeyId } = credential;
  return tokenId === undefined
    ? tx.$queryRaw<Proof[]>`
        SELECT c.role, ${proofColumns(provenHash)}
          FROM api_keys c LEFT JOIN operators o ON o.account_id = c.account_id AND o.id = c.operator_id
         WHERE c.account_id = ${accountId} AND c.id = ${apiKeyId ?? null}::bigint AND (o.id IS NULL OR o.state = 'active')
           FOR SHARE OF c`
    : tx.$queryRaw<Proof[]>`
        SELECT o.role, ${proofColumns(provenHash)}
          FROM access_tokens c JOIN operators o ON o.account_id = c.account_id AND o.id = c.operator_id
         WHERE c.account_id = ${accountId} AND c.id = ${tokenId} AND o.state = 'active' FOR SHARE OF c`;
}

/**
 * Locks the account before its credentials, as every transaction does. A credential that was just ended must not leave
 * access behind: either what ends it waits for this transaction, and finds what it has made, or this one finds none. Only
 * owners change what this guards: whoever has lost that role since the request began is refused.
 */
export async function lockCaller(
  tx: Tx,
  credential: Credential,
  provenHash: string | undefined,
  leastRole: CallerRole = 'owner',
): Promise<CallerGuard> {
  const { accountId } = credential;
  const [account] = await tx.$queryRaw<Pick<CallerGuard, 'isPasswordNeeded'>[]>`
    SELECT coalesce((preferences -> 'confirm_keys') = 'true', FALSE) AS "isPasswordNeeded"
      FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`;
  if (account === undefined) throw new Error(`the account ${accountId} of a caller does not exist`);
  const [proof] = await readProof(tx, credential, provenHash);
  if (proof === undefined) return { ...account, isProven: false, isAlive: false };
  const { role, makerRole, isProven } = proof;
  const mayChange = includesRole(role, leastRole) && includesRole(makerRole ?? 'owner', leastRole);
  if (!mayChange) throw new Refusal('role-forbids');
  return { ...account, isProven, isAlive: true };
}

/** Refuses whose session has ended, or who has lost the role, since the request began. Without a lock. */
export async function assertStillMay(
  tables: SharedTables | Tx,
  { accountId, tokenId }: Pick<Credential, 'accountId' | 'tokenId'>,
  leastRole: CallerRole,
): Promise<void> {
  const [person] = await tables.$queryRaw<Pick<Proof, 'role'>[]>`
    SELECT o.role FROM access_tokens c JOIN operators o ON o.account_id = c.account_id AND o.id = c.operator_id
     WHERE c.account_id = ${accountId} AND c.id = ${tokenId ?? null}::bigint AND o.state = 'active'`;
  if (person === undefined || !includesRole(person.role, leastRole)) throw new Refusal('role-forbids');
}

/** Refuses a caller who has not proved the password, if the account asks for it. */
export function assertProven({ isPasswordNeeded, isProven }: CallerGuard, provenHash: string | undefined): void {
  if (provenHash === undefined && isPasswordNeeded) throw new Refusal('password-needed');
  if (provenHash !== undefined && !isProven) throw new Refusal('current-password-wrong');
}
