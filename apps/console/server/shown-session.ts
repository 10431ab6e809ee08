import type { Caller } from '#accounts/access/authenticator.js';

/** What a page may know of its session: whose it is, not its token. */
export interface ShownSession {
  readonly account: {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    readonly role: 'business' | 'admin';
  };
  /** The address of the API for programs, which pages show. */
  readonly apiUrl: string;
}

/** Whose token it is; undefined when it is not valid any more. */
export type CallerOf = (token: string) => Promise<Caller | undefined>;

/** Undefined when the token is not valid any more. */
export type ReadShownSession = (token: string) => Promise<ShownSession | undefined>;

export function createReadShownSession(callerOf: CallerOf, publicApiUrl: string): ReadShownSession {
  return async (token) => {
    const caller = await callerOf(token);
    if (caller === undefined) return undefined;
    const { accountId, name, email, role } = caller.account;
    return { account: { id: Number(accountId), name, email, role }, apiUrl: publicApiUrl };
  };
}
