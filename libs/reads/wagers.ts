import type { Database } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { WagerWithSettlement } from './wager.js';
import { findWager } from './wager-repository.js';

export async function readWager(
  database: Database,
  accountId: bigint,
  reference: string,
): Promise<WagerWithSettlement> {
  const found = await findWager(database, accountId, reference);
  if (found === undefined) throw new Refusal('wager-unknown');
  return found;
}
