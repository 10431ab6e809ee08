import { Refusal } from '#platform/errors/refusal.js';
import { deleteAccessToken, deleteAccessTokens, insertAccessToken } from './access/access-repository.js';
import { type ApiKeyPair, createAccountToken, createApiKeyPair } from './access/secrets.js';
import { findLoginByEmail, type Login, setApiKey, upgradePasswordHash } from './account-repository.js';
import type { AccountsContext } from './accounts-context.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

type PasswordContext = Pick<AccountsContext, 'database' | 'passwords'>;

/** Hashes the password again when its hash was made at a lower cost than today's. The owner logs in either way. */
async function upgradeHash({ database, passwords }: PasswordContext, login: Login, password: string): Promise<Login> {
  if (!passwords.isOutdated(login.passwordHash)) return login;
  try {
    const to = await passwords.hash(password);
    await upgradePasswordHash(database, login.id, { from: login.passwordHash, to });
    return { ...login, passwordHash: to };
  } catch (error) {
    if (error instanceof Refusal) return login;
    throw error;
  }
}

/** The account that the e-mail and the password belong to; undefined when they do not match. */
export async function checkCredentials(
  context: PasswordContext,
  { email, password }: Credentials,
): Promise<Login | undefined> {
  const login = await findLoginByEmail(context.database, email);
  const isRight = await context.passwords.matches(password, login?.passwordHash);
  return isRight && login !== undefined ? upgradeHash(context, login, password) : undefined;
}

/** Returns a new access token, or undefined when e-mail and password do not match. */
export async function logIn(context: AccountsContext, credentials: Credentials): Promise<string | undefined> {
  const login = await checkCredentials(context, credentials);
  if (login === undefined) return undefined;
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
