import { type IdempotencyContext, withIdempotency } from '#idempotency/idempotency.js';
import type { RelaySoon } from '#jobs/outbox.js';
import type { Database, Tx } from '#platform/database/database.js';
import type { AccessChanges } from './access/access-changes.js';
import type { Passwords } from './access/passwords.js';

/** Opens a transaction. */
export type Transact = <Result>(use: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** The dependencies of the account services. */
export interface AccountsContext {
  readonly database: Database;
  /** Opens the transaction of every change. */
  readonly transact: Transact;
  readonly passwords: Passwords;
  readonly changes: AccessChanges;
  readonly relaySoon: RelaySoon;
  readonly accessTokenTtlMs: number;
  readonly now: () => Date;
}

/** The context of one request. When the request has a key, its transaction stores the presented result. */
export function idempotentContext<Presented>(
  context: AccountsContext,
  idempotency: IdempotencyContext | undefined,
  present: (result: Presented) => object,
): AccountsContext {
  if (idempotency === undefined) return context;
  const transact: Transact = (use) =>
    withIdempotency(context.database, idempotency, {
      use,
      present: (result) => present(result as unknown as Presented),
    });
  return { ...context, transact };
}
