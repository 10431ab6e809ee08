import { type DeletedTokens, deleteExpiredTokens } from '#accounts/expired-tokens.js';
import { deleteStoredAnswers } from '#idempotency/stored-answers.js';
import { deleteDoneEntries } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';

const KEEP_DONE_ENTRIES_MS = 7 * 86_400_000;
/** A day is promised, and housekeeping comes every hour. */
const KEEP_ANSWERS_MS = 86_400_000;

export interface Housekept extends DeletedTokens {
  readonly outboxEntries: number;
  readonly keptAnswers: number;
}

/** Drops what nobody can use any more: expired tokens and codes, and outbox entries long done. */
export function createHousekeeping({ database, now }: { readonly database: Database; readonly now: () => Date }) {
  return async (): Promise<Housekept> => {
    const codes = await deleteExpiredTokens(database, now());
    const outboxEntries = await deleteDoneEntries(database, new Date(now().getTime() - KEEP_DONE_ENTRIES_MS));
    const keptAnswers = await deleteStoredAnswers(database, new Date(now().getTime() - KEEP_ANSWERS_MS));
    return { ...codes, outboxEntries, keptAnswers };
  };
}
