import { type Database, Prisma, type Tables, type Tx, withTx } from '#platform/database/database.js';
import { COORDINATOR_TABLES } from '#platform/database/distribute.js';

/** Rows that go in one transaction. */
const CHUNK = 5_000;

/**
 * In this order. Whatever the ledger still writes when the deletion begins holds the lock of a wager or of a balance, so once
 * these are gone nothing is written any more. A row goes before the row that it refers to.
 */
export const LEDGER_TABLES = [
  'outbox',
  'cancel_timers',
  'wagers',
  'balance_corrections',
  'disputes',
  'balances',
  'users',
  'bets',
  'bet_trails',
  'transactions',
  'movement_labels',
  'positions',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_attempts',
  'exports',
  'preview_users',
  'previews',
  'change_requests',
  'daily_closings',
  'account_closings',
  'daily_reconciliations',
  'command_audits',
  'event_index_pages',
  'hourly_sums',
  'event_indexes',
  'event_groups',
  'event_heads',
  'stored_answers',
  'refused_calls',
  'row_counts',
  'ledger_totals',
] as const;

/** Deletes up to `limit` rows of the account, and returns how many. The triggers look at the mark of the sandbox. */
async function deleteRows(tables: Tables, names: readonly string[], accountId: bigint, limit: number): Promise<number> {
  const deleteOf = (tx: Tx, name: string, most: number) => {
    const rows = tables.relation(name);
    return tx.$executeRaw`
      DELETE FROM ${rows} WHERE account_id = ${accountId} AND ctid = ANY (ARRAY(
        SELECT ctid FROM ${rows} WHERE account_id = ${accountId} LIMIT ${most}))`;
  };
  return withTx(tables, async (tx) => {
    await tx.$queryRaw(Prisma.sql`SELECT set_config('ledger.removes_sandbox', 'on', true)`);
    let deleted = 0;
    for (const name of names) {
      if (deleted < limit) deleted += await deleteOf(tx, name, limit - deleted);
    }
    return deleted;
  });
}

/**
 * Deletes the next rows of a sandbox that is marked as removed, at last its account. `done`: it has none. A request that was
 * under way may still have written a row: then a foreign key refuses, and the next try deletes the row.
 */
export async function deleteSandboxChunk(database: Database, id: bigint, limit = CHUNK): Promise<'more' | 'done'> {
  if ((await deleteRows(database.of(id), LEDGER_TABLES, id, limit)) > 0) return 'more';
  if ((await deleteRows(database.shared, COORDINATOR_TABLES, id, limit)) > 0) return 'more';
  await database.shared.$executeRaw`DELETE FROM accounts WHERE id = ${id} AND removed_since IS NOT NULL`;
  return 'done';
}
