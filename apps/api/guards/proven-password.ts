import type { Caller } from '#accounts/access/authenticator.js';
import type { CausedContext } from '#accounts/accounts-context.js';
import { provePassword } from '#accounts/password-proof.js';
import { currentPasswordKeys, type PasswordCaller } from '#http/limits/rate-limits.js';
import type { ApiServices } from '../services.js';

export const passwordCallerOf = ({ account, operator, apiKey }: Caller): PasswordCaller => ({
  accountId: account.accountId,
  operatorId: operator?.id,
  apiKeyId: apiKey?.id,
});

/** The hash of the caller's password when a right one is given; undefined without one. A wrong one is refused. */
export async function provenHashOf(
  context: CausedContext,
  { limits, passwords }: Pick<ApiServices, 'limits' | 'passwords'>,
  given: { readonly caller: Caller; readonly password: string | null | undefined },
): Promise<string | undefined> {
  const { caller, password } = given;
  if (password == null) return undefined;
  const who = passwordCallerOf(caller);
  const login = await limits.guess(currentPasswordKeys(who, context.cause.address ?? ''), (asker) =>
    provePassword({ ...context, passwords: passwords.for(asker) }, { ...who, password }),
  );
  return login.passwordHash;
}
