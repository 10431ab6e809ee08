import { type DeletedTokens, deleteExpiredTokens } from '#accounts/expired-tokens.js';
import { deleteStoredAnswers } from '#idempotency/stored-answers.js';
import { deleteDoneEntries } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';

const DONE_ENTRY_LIFETIME_MS = 7 * 86_400_000;
/** The API promises a day; housekeeping runs every hour. */
const STORED_ANSWER_LIFETIME_MS = 86_400_000;

export interface HousekeepingCounts extends DeletedTokens {
  readonly outboxEntries: number;
  readonly storedAnswers: number;
}

/** Deletes expired tokens and codes, outbox entries done over 7 days ago, and stored answers older than a day. */
export function createHousekeeping({ database, now }: { readonly database: Database; readonly now: () => Date }) {
  return async (): Promise<HousekeepingCounts> => {
    const tokens = await deleteExpiredTokens(database, now());
    const outboxEntries = await deleteDoneEntries(database, new Date(now().getTime() - DONE_ENTRY_LIFETIME_MS));
    const storedAnswers = await deleteStoredAnswers(database, new Date(now().getTime() - STORED_ANSWER_LIFETIME_MS));
    return { ...tokens, outboxEntries, storedAnswers };
  };
}
