import type { CausedContext } from '#accounts/accounts-context.js';
import { provePassword } from '#accounts/password-proof.js';
import { currentPasswordKeys } from '#http/limits/rate-limits.js';
import type { ApiServices } from '../services.js';

/** The hash of the caller's password when a right one is given; undefined without one. A wrong one is refused. */
export async function provenHashOf(
  context: CausedContext,
  { limits, passwords }: Pick<ApiServices, 'limits' | 'passwords'>,
  given: { readonly accountId: bigint; readonly password: string | null | undefined },
): Promise<string | undefined> {
  const { accountId, password } = given;
  if (password == null) return undefined;
  const login = await limits.guess(currentPasswordKeys(accountId, context.cause.address ?? ''), (asker) =>
    provePassword({ ...context, passwords: passwords.for(asker) }, { accountId, password }),
  );
  return login.passwordHash;
}
