import type { Caller } from '#accounts/access/authenticator.js';
import type { Session } from '../ui/api/first-view-data.js';

/** Whose token it is; undefined when it is not valid any more. */
export type CallerOf = (token: string) => Promise<Caller | undefined>;

/** Undefined when the token is not valid any more. */
export type ReadShownSession = (token: string) => Promise<Session | undefined>;

export function createReadShownSession(callerOf: CallerOf, publicApiUrl: string): ReadShownSession {
  return async (token) => {
    const caller = await callerOf(token);
    if (caller === undefined) return undefined;
    const { accountId, name, email, role } = caller.account;
    const { id, ...person } = caller.operator ?? { id: 0n, name: '', email: '' };
    return {
      account: { id: Number(accountId), name, email, role },
      operator: { ...person, id: Number(id), role: caller.role },
      apiUrl: publicApiUrl,
      ...(caller.mustAddFactor && { mustAddFactor: true }),
    };
  };
}
