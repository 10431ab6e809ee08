import type { AccessChanges } from '#access/access-changes.js';
import type { Passwords } from '#access/passwords.js';
import type { Database } from '#database/database.js';
import type { RelaySoon } from '#outbox/outbox.js';

/** What the account services work with. */
export interface AccountsContext {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly changes: AccessChanges;
  readonly relaySoon: RelaySoon;
  readonly accessTokenTtlMs: number;
  readonly now: () => Date;
}
