import type { CallerRole } from '#accounts/access/caller-role.js';
import { createAccountToken } from '#accounts/access/secrets.js';
import type { TestClient } from './client.js';
import { inventAccount } from './client.js';
import type { TestDatabase } from './databases.js';

export interface TestPerson {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly client: TestClient;
}

/** Another person of an account, who has logged in. By SQL: an invitation and a log-in cost two password hashes. */
export async function addPerson(
  database: Pick<TestDatabase, 'query'>,
  api: TestClient,
  {
    accountId,
    role = 'owner',
    name = 'Bea',
  }: { readonly accountId: number; readonly role?: CallerRole; readonly name?: string },
): Promise<TestPerson> {
  const { token, hash } = createAccountToken(BigInt(accountId));
  const [row] = await database.query(
    `WITH made AS (
       INSERT INTO operators (account_id, name, email, role) VALUES ($1, $2, $3, $4) RETURNING account_id, id)
     INSERT INTO access_tokens (account_id, operator_id, token_hash, expires_at)
     SELECT account_id, id, $5, now() + interval '1 hour' FROM made RETURNING operator_id::int AS id`,
    [accountId, name, inventAccount().email, role, hash],
  );
  return { id: Number(row?.id), name, token, client: api.as({ token }) };
}
