import type { Caller } from '#accounts/access/authenticator.js';
import type { HashingContext } from '#accounts/accounts-context.js';
import type { Cause } from '#accounts/events/account-event.js';
import type { FactorChange } from '#accounts/second-factor/second-factor.js';
import { Unauthorized } from '#http/errors.js';
import { currentPasswordKeys } from '#http/limits/rate-limits.js';
import { passwordCallerOf } from '../../guards/proven-password.js';
import type { ApiServices } from '../../services.js';

interface FactorRequest {
  readonly caller: Caller;
  readonly cause: Cause;
  readonly address: string;
}

/** Runs a change of the second factor of the caller's operator. Wrong passwords and codes count together. */
export async function changeFactor<Result>(
  { caller, cause, address }: FactorRequest,
  { accounts, passwords, limits }: ApiServices,
  change: (context: HashingContext, request: FactorChange) => Promise<Result | undefined>,
): Promise<Result> {
  const { accountId } = caller.account;
  const request = { accountId, operatorId: caller.operator?.id ?? 0n, tokenId: caller.tokenId };
  return limits.guess(currentPasswordKeys(passwordCallerOf(caller), address), async (asker) => {
    const result = await change({ ...accounts, cause, passwords: passwords.for(asker) }, request);
    if (result === undefined) throw new Unauthorized();
    return result;
  });
}
