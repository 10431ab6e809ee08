import { Refusal } from '#platform/errors/refusal.js';
import { deleteAccessToken, deleteAccessTokens, insertAccessToken } from './access/access-repository.js';
import { createAccountToken } from './access/secrets.js';
import { lockAccount } from './account-repository.js';
import { type CausedContext, changeAccess, type HashingContext } from './accounts-context.js';
import { actorOfPerson } from './events/account-event.js';
import { recordEvents } from './events/record-events.js';
import type { OperatorId } from './operators/operator.js';
import { findLoginByEmail, type Login, replacePassword } from './operators/operator-repository.js';
import { type CodeContext, useCode } from './second-factor/use-code.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the second factor; undefined: none was given. */
  readonly code?: string | undefined;
  /** Called with the account of the e-mail, if there is one, whether or not the password is right. */
  readonly onAccount?: (accountId: bigint) => void;
}

type LoginContext = Pick<HashingContext, 'database' | 'passwords' | 'wrongLogins'> & CodeContext;

type NewSessionContext = Omit<HashingContext, 'relaySoon' | 'resetRequests'>;

/** Hashes the password again when its hash was made at a lower cost than today's. The operator logs in either way. */
async function upgradeHash(context: LoginContext, login: Login, password: string): Promise<Login | undefined> {
  const { database, passwords } = context;
  if (!passwords.isOutdated(login.passwordHash)) return login;
  let to: string;
  try {
    to = await passwords.hash(password);
  } catch (error) {
    if (error instanceof Refusal) return login;
    throw error;
  }
  if (await replacePassword(database.shared, login, { from: login.passwordHash, to })) {
    return { ...login, passwordHash: to };
  }
  // Another login of the operator has upgraded the hash, or the password has changed.
  const fresh = await findLoginByEmail(database.shared, login.email);
  const isRight = await passwords.matches(password, fresh?.passwordHash);
  // Of the second factor that was checked.
  return isRight && fresh !== undefined ? { ...login, passwordHash: fresh.passwordHash } : undefined;
}

function noteWrongLogin({ wrongLogins, cause }: LoginContext, accountId: bigint): void {
  wrongLogins.note({ accountId, address: cause.address ?? '', requestId: cause.requestId });
}

/** Only who knows the password hears that a code is needed. */
async function checkCode(context: LoginContext, login: Login, code: string | undefined): Promise<boolean> {
  if (login.secondFactorAt === null) return true;
  if (code === undefined) throw new Refusal('login-code-needed');
  return useCode(context, login, code);
}

/** The operator that the e-mail and the password belong to; undefined when they do not match. */
async function checkCredentials(context: LoginContext, given: Credentials): Promise<Login | undefined> {
  const login = await findLoginByEmail(context.database.shared, given.email);
  const isRight = await context.passwords.matches(given.password, login?.passwordHash);
  if (login === undefined) return undefined;
  given.onAccount?.(login.accountId);
  const isWhole = isRight && (await checkCode(context, login, given.code));
  if (isWhole) return upgradeHash(context, login, given.password);
  noteWrongLogin(context, login.accountId);
  return undefined;
}

/** Returns a new access token, or undefined when e-mail, password and code do not match. */
export async function logIn(context: NewSessionContext, credentials: Credentials): Promise<string | undefined> {
  const { cause, now } = context;
  const login = await checkCredentials(context, credentials);
  if (login === undefined) return undefined;
  const token = createAccountToken(login.accountId);
  const expiresAt = new Date(now().getTime() + context.accessTokenTtlMs);
  const { operatorId, passwordHash, secondFactorAt } = login;
  const session = { token, operatorId, passwordHash, secondFactorAt, expiresAt };
  const stillTheSame = await insertAccessToken(context.database.shared, session, {
    ...cause,
    actor: actorOfPerson(login),
  });
  return stillTheSame ? token.token : undefined;
}

/** Ends one session of the operator, or all. */
export async function logOut(
  context: Pick<CausedContext, 'changes' | 'transact' | 'cause'>,
  { accountId, operatorId }: OperatorId,
  tokens: { readonly id: bigint; readonly all: boolean },
): Promise<void> {
  await context.changes.announcing(accountId, () =>
    context.transact(async (tx) => {
      await lockAccount(tx, accountId);
      const ended = tokens.all
        ? { sessions: await deleteAccessTokens(tx, accountId, { operatorId }) }
        : (await deleteAccessToken(tx, accountId, { tokenId: tokens.id })) && { session_id: Number(tokens.id) };
      if (ended) await recordEvents(tx, context.cause, [{ accountId, type: 'session-ended', before: ended }]);
    }),
  );
}

export interface EndedSession {
  readonly accountId: bigint;
  readonly tokenId: bigint;
  /** Whose it must be; undefined: anybody's. */
  readonly operatorId: bigint | undefined;
}

/** Ends one session of the account; it returns when no process lets its token in any more. */
export async function endSession(context: CausedContext, { accountId, ...session }: EndedSession): Promise<void> {
  await changeAccess(context, accountId, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await deleteAccessToken(tx, accountId, session))) throw new Refusal('session-not-found');
    const before = { session_id: Number(session.tokenId) };
    await recordEvents(tx, context.cause, [{ accountId, type: 'session-ended', before }]);
  });
}
