import type { SharedTables } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';

const ofTable =
  (table: string) =>
  (tables: SharedTables, rows: ExpiredRows): Promise<DeletedRows> =>
    deleteExpiredRows(tables, { table, column: 'expires_at' }, rows);

export const deleteExpiredAccessTokens = ofTable('access_tokens');
export const deleteVerificationTokens = ofTable('verification_tokens');
export const deleteResetCodes = ofTable('reset_codes');

export const deleteOldEvents = (tables: SharedTables, rows: ExpiredRows): Promise<DeletedRows> =>
  deleteExpiredRows(tables, { table: 'account_events', column: 'created_at' }, rows);
