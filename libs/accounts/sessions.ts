import { deleteAccessToken, deleteAccessTokens, insertAccessToken } from './access/access-repository.js';
import { type ApiKeyPair, createAccountToken, createApiKeyPair } from './access/secrets.js';
import { findLoginByEmail, setApiKey } from './account-repository.js';
import type { AccountsContext } from './accounts-context.js';

/** Returns a new access token, or undefined when e-mail and password do not match. */
export async function logIn(
  context: AccountsContext,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string | undefined> {
  const login = await findLoginByEmail(context.database, email);
  if (!(await context.passwords.matches(password, login?.passwordHash)) || login === undefined) return undefined;
  const token = createAccountToken(login.id);
  const expiresAt = new Date(context.now().getTime() + context.accessTokenTtlMs);
  const stillTheSame = await insertAccessToken(context.database, token, login.passwordHash, expiresAt);
  return stillTheSame ? token.token : undefined;
}

export async function logOut(
  { transact, changes }: AccountsContext,
  accountId: bigint,
  tokens: { readonly id: bigint; readonly all: boolean },
): Promise<void> {
  await changes.announcing(accountId, () =>
    transact((tx) => (tokens.all ? deleteAccessTokens(tx, accountId) : deleteAccessToken(tx, accountId, tokens.id))),
  );
}

/** Replaces the account's key pair; undefined when the token has ended. Only the answer contains the secret. */
export async function generateApiKeys(
  { transact, changes, now }: AccountsContext,
  owner: { readonly accountId: bigint; readonly tokenId: bigint },
): Promise<ApiKeyPair | undefined> {
  const pair = createApiKeyPair(owner.accountId);
  const isSet = await changes.announcing(owner.accountId, () =>
    transact((tx) => setApiKey(tx, owner, { ...pair, generatedAt: now() })),
  );
  return isSet ? pair : undefined;
}
