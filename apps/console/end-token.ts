import type { AccessChanges } from '#accounts/access/access-changes.js';
import { type Authenticator, actorOfCaller } from '#accounts/access/authenticator.js';
import { logOut } from '#accounts/sessions.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import type { EndToken } from './server/session-routes.js';

export interface EndTokenOptions {
  readonly database: Database;
  readonly changes: AccessChanges;
  readonly authenticator: Authenticator;
}

/** Ends tokens past the API, so that a log-out also ends one while the API is away. */
export function createEndToken({ database, changes, authenticator }: EndTokenOptions): EndToken {
  const transact = <Result>(use: (tx: Tx) => Promise<Result>) => withTx(database.shared, use);
  return async (token, { ip }, { locals }) => {
    const caller = await authenticator.withToken(token);
    if (caller?.tokenId === undefined) return;
    const cause = { actor: actorOfCaller(caller, false), address: ip ?? null, requestId: locals.requestId };
    const operator = { accountId: caller.account.accountId, operatorId: caller.operator?.id ?? 0n };
    await logOut({ changes, transact, cause }, operator, { id: caller.tokenId, all: false });
  };
}
