import { createAccountToken } from '#accounts/access/secrets.js';
import { inventAccount } from './client.js';
import type { TestDatabase } from './databases.js';

// Inserts accounts and tokens by SQL for tests that need many: a registration costs two password hashes.

/** For the account's first owner, who has no usable password unless it was registered. */
export async function grantToken(database: Pick<TestDatabase, 'query'>, accountId: number): Promise<string> {
  const { token, hash } = createAccountToken(BigInt(accountId));
  await database.query(
    `WITH made AS (
       INSERT INTO operators (account_id, name, email, role)
       SELECT id, name, email, 'owner' FROM accounts a
        WHERE id = $1 AND NOT EXISTS (SELECT FROM operators o WHERE o.account_id = $1) RETURNING id)
     INSERT INTO access_tokens (account_id, operator_id, token_hash, expires_at)
     SELECT $1, min(id), $2, now() + interval '1 hour'
       FROM (SELECT id FROM made UNION ALL SELECT id FROM operators WHERE account_id = $1 AND role = 'owner') owners`,
    [accountId, hash],
  );
  return token;
}

export interface QuickAccount {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

interface QuickAccountOptions {
  readonly email?: string;
  readonly role?: string;
  /** A network, as `accounts` names it. */
  readonly registeredFrom?: string | null;
}

/** An account with a token and without a usable password. */
export async function createQuickAccount(
  database: Pick<TestDatabase, 'query'>,
  { email = inventAccount().email, role = 'business', registeredFrom = null }: QuickAccountOptions = {},
): Promise<QuickAccount> {
  const [row] = await database.query(
    `INSERT INTO accounts (name, email, role, registered_from)
     VALUES ($1, $2, $3, $4) RETURNING id::int`,
    [`Business ${email}`, email, role, registeredFrom],
  );
  const id = Number(row?.id);
  return { id, email, token: await grantToken(database, id) };
}
