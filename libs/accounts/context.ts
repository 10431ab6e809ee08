import { type Keeping, withKeptAnswer } from '#idempotency/kept-answers.js';
import type { RelaySoon } from '#jobs/outbox.js';
import type { Database, Transaction } from '#platform/database/database.js';
import type { AccessChanges } from './access/access-changes.js';
import type { Passwords } from './access/passwords.js';

/** Opens a transaction. */
export type Transact = <Result>(use: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** What the account services work with. */
export interface AccountsContext {
  readonly database: Database;
  /** Whatever changes something, does it in one of these. */
  readonly transact: Transact;
  readonly passwords: Passwords;
  readonly changes: AccessChanges;
  readonly relaySoon: RelaySoon;
  readonly accessTokenTtlMs: number;
  readonly now: () => Date;
}

/** The same for one request: the transaction that it opens keeps the answer which its result is presented as. */
export function keptIn<Presented>(
  context: AccountsContext,
  keeping: Keeping | undefined,
  present: (result: Presented) => object,
): AccountsContext {
  if (keeping === undefined) return context;
  const transact: Transact = (use) =>
    withKeptAnswer(context.database, keeping, { use, present: (result) => present(result as unknown as Presented) });
  return { ...context, transact };
}
