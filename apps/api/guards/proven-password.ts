import type { CausedContext } from '#accounts/accounts-context.js';
import { provePassword } from '#accounts/password-proof.js';
import { currentPasswordKeys, type RateLimits } from '#http/limits/rate-limits.js';

/** The hash of the caller's password when a right one is given; undefined without one. A wrong one is refused. */
export async function provenHashOf(
  context: CausedContext,
  limits: RateLimits,
  given: { readonly accountId: bigint; readonly password: string | null | undefined },
): Promise<string | undefined> {
  const { accountId, password } = given;
  if (password == null) return undefined;
  const login = await limits.guess(currentPasswordKeys(accountId), () => provePassword(context, accountId, password));
  return login.passwordHash;
}
