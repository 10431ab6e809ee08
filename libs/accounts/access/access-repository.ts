import { Prisma, type SharedTables, type Tx } from '#platform/database/database.js';
import { queryRows } from '#platform/database/statements.js';
import type { Approvals } from '../approvals.js';
import type { Cause } from '../events/account-event.js';
import type { CallerRole, KeyRole } from './caller-role.js';
import type { AccountToken } from './secrets.js';

export type AccountRole = 'business' | 'admin';
/** A suspended account may log in and read. */
export type AccountStatus = 'active' | 'suspended';

/** An account whose credential has been verified. */
export interface AccessRow {
  readonly accountId: bigint;
  readonly role: AccountRole;
  readonly status: AccountStatus;
  readonly name: string;
  readonly email: string;
  readonly apiKeyGeneratedAt: Date | null;
  /** The network that registered it, with which it shares quotas; null: it shares them with no other account. */
  readonly registeredFrom: string | null;
  /** Of a sandbox: the business that made it, with which it is suspended. */
  readonly sandboxOf: bigint | null;
  /** Its operators may only log in and add a second factor while they have none. */
  readonly requiresSecondFactor: boolean;
  readonly currency: string | null;
  readonly decimals: number | null;
  /** Null: no operation needs approval. */
  readonly approvals: Approvals | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const accessColumns = Prisma.sql`a.id AS "accountId", a.role, a.name, a.email,
  CASE WHEN EXISTS (SELECT FROM accounts p WHERE p.id = a.sandbox_of AND p.status = 'suspended') THEN 'suspended' ELSE a.status END
    AS status, a.sandbox_of AS "sandboxOf",
  coalesce((a.preferences -> 'require_second_factor') = 'true', FALSE) AS "requiresSecondFactor",
  a.api_key_generated_at AS "apiKeyGeneratedAt", a.registered_from AS "registeredFrom", a.currency, a.decimals,
  a.preferences -> 'approvals' AS approvals,
  a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

const operatorColumns = Prisma.sql`o.id AS "operatorId", o.name AS "operatorName", o.email AS "operatorEmail",
  o.role AS "operatorRole",
  o.second_factor_at IS NOT NULL AS "hasSecondFactor"`;

export interface TokenAccessRow extends AccessRow {
  readonly tokenId: bigint;
  readonly operatorId: bigint;
  readonly operatorName: string;
  readonly operatorEmail: string;
  readonly operatorRole: CallerRole;
  readonly hasSecondFactor: boolean;
  readonly expiresAt: Date;
  /** How long ago its person proved to use it: the log-in, or a password since. */
  readonly provedAgoMs: number;
}

export async function findAccessByToken(
  tables: SharedTables | Tx,
  token: AccountToken,
  now: Date,
): Promise<TokenAccessRow | undefined> {
  const rows = await queryRows<TokenAccessRow>(
    tables,
    Prisma.sql`
    SELECT ${accessColumns}, t.id AS "tokenId", t.expires_at AS "expiresAt", ${operatorColumns},
           (extract(epoch FROM now() - t.proved_at) * 1000)::float8 AS "provedAgoMs"
      FROM access_tokens t JOIN accounts a ON a.id = t.account_id
      JOIN operators o ON o.account_id = t.account_id AND o.id = t.operator_id AND o.state = 'active'
     WHERE t.account_id = ${token.accountId} AND t.token_hash = ${token.hash} AND t.expires_at > ${now}`,
  );
  return rows[0];
}

export interface ApiKeyAccessRow extends AccessRow {
  readonly keyId: bigint;
  readonly keyName: string;
  readonly keyRole: KeyRole;
  /** The operator who made the key; null for the first key of a sandbox, which the API makes. */
  readonly operatorId: bigint | null;
  readonly operatorName: string | null;
  readonly operatorEmail: string | null;
  readonly operatorRole: CallerRole | null;
  readonly hasSecondFactor: boolean;
  readonly secretHash: Uint8Array;
  readonly expiresAt: Date | null;
}

export async function findAccessByApiKey(
  tables: SharedTables | Tx,
  { accountId, apiKey }: { readonly accountId: bigint; readonly apiKey: string },
  now: Date,
): Promise<ApiKeyAccessRow | undefined> {
  const rows = await queryRows<ApiKeyAccessRow>(
    tables,
    Prisma.sql`
    SELECT ${accessColumns}, k.id AS "keyId", k.name AS "keyName", k.role AS "keyRole",
           k.secret_hash AS "secretHash", k.expires_at AS "expiresAt", ${operatorColumns}
      FROM api_keys k JOIN accounts a ON a.id = k.account_id
      LEFT JOIN operators o ON o.account_id = k.account_id AND o.id = k.operator_id
     WHERE (o.id IS NULL OR o.state = 'active') AND k.account_id = ${accountId} AND k.api_key = ${apiKey} AND (k.expires_at IS NULL OR k.expires_at > ${now})`,
  );
  return rows[0];
}

export interface NewSession {
  readonly token: AccountToken;
  readonly operatorId: bigint;
  /** The hash of the password that was checked. */
  readonly passwordHash: string;
  /** Of the second factor of which a code was checked; null: the operator had none. */
  readonly secondFactorAt: Date | null;
  readonly expiresAt: Date;
}

/**
 * Inserts a token, with the event of its login, if the operator is active and its password and second factor are still those
 * that were checked.
 * The locks order this against what ends sessions: either this statement sees that change, or the change sees this token and
 * deletes it.
 */
export async function insertAccessToken(
  tables: SharedTables | Tx,
  session: NewSession,
  cause: Cause,
): Promise<boolean> {
  const { token, operatorId, passwordHash, secondFactorAt, expiresAt } = session;
  const { actor, address, requestId } = cause;
  const inserted = await tables.$executeRaw`
    WITH checked AS (
      SELECT o.account_id, o.id FROM accounts a JOIN operators o ON o.account_id = a.id
       WHERE a.id = ${token.accountId} AND o.id = ${operatorId} AND o.state = 'active' AND o.password_hash = ${passwordHash}
         AND o.second_factor_at IS NOT DISTINCT FROM ${secondFactorAt}
         FOR SHARE OF a FOR NO KEY UPDATE OF o),
    seen AS (
      UPDATE operators o SET last_login_at = clock_timestamp()
        FROM checked c WHERE o.account_id = c.account_id AND o.id = c.id),
    session AS (
      INSERT INTO access_tokens (account_id, operator_id, token_hash, expires_at, address)
      SELECT account_id, id, ${token.hash}, ${expiresAt}, ${address} FROM checked
      RETURNING account_id, id)
    INSERT INTO account_events (account_id, type, actor, address, after, request_id, created_at)
    SELECT account_id, 'login', ${JSON.stringify(actor)}::jsonb, ${address}, jsonb_build_object('session_id', id),
           ${requestId}, clock_timestamp()
      FROM session`;
  return inserted === 1;
}

/** Of the operator, if one is given. Returns whether there was such a living token. */
export async function deleteAccessToken(
  tx: Tx,
  accountId: bigint,
  { tokenId, operatorId }: { readonly tokenId: bigint; readonly operatorId?: bigint | undefined },
): Promise<boolean> {
  const { count } = await tx.prisma.accessToken.deleteMany({
    where: { accountId, id: tokenId, expiresAt: { gt: new Date() }, ...(operatorId !== undefined && { operatorId }) },
  });
  return count === 1;
}

/** Which tokens of an account: of one operator or of all, without one token, if given. */
export interface TokenChoice {
  readonly operatorId?: bigint;
  readonly exceptId?: bigint | undefined;
}

/** Returns how many it deleted. */
export async function deleteAccessTokens(tx: Tx, accountId: bigint, choice: TokenChoice = {}): Promise<number> {
  const { operatorId, exceptId } = choice;
  const { count } = await tx.prisma.accessToken.deleteMany({
    where: {
      accountId,
      ...(operatorId !== undefined && { operatorId }),
      ...(exceptId !== undefined && { NOT: { id: exceptId } }),
    },
  });
  return count;
}
