import type { Bet } from '#core/records.js';
import { records } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';
import { runPrepared } from '#platform/database/statements.js';
import type { LoadedGroup } from './load/loaded-rows.js';

/*
 * Offers that a pending cancel does not name, because they were not open when it came (`Bet.sparedUpTo`). Only a wager with
 * pending cancels has some that count, so no other group reads or writes them.
 */

const READ = `SELECT b.account_id, b.id, b.spared_up_to FROM unnest($1::wanted_bet[]) n
  JOIN bets b ON b.account_id = n.account_id AND b.id = n.id WHERE b.spared_up_to IS NOT NULL`;

const WRITE = `UPDATE bets b SET spared_up_to = n.up_to FROM unnest($1::spared_offer[]) n
  WHERE b.account_id = n.account_id AND b.id = n.id`;

const keyOf = (accountId: bigint | string | null | undefined, id: bigint | string | null | undefined) =>
  `${accountId} ${id}`;

/** Notes in the loaded bets which cancels do not name them. The caller holds the locks of their wagers. */
export async function noteSpared(tx: Tx, { wagers, bets }: Pick<LoadedGroup, 'wagers' | 'bets'>): Promise<void> {
  const canceling = new Set(
    wagers.flatMap(({ accountId, wager }) => (wager.pendingCancels.length > 0 ? keyOf(accountId, wager.id) : [])),
  );
  if (canceling.size === 0) return;
  const concerned = bets.filter(({ accountId, bet }) => canceling.has(keyOf(accountId, bet.wagerId)));
  if (concerned.length === 0) return;
  const keys = records(concerned, ({ accountId, bet }) => [accountId, bet.id]);
  const rows = await runPrepared(tx, { name: 'read spared offers', text: READ, values: [keys] });
  const spared = new Map(rows.map(([accountId, id, upTo]) => [keyOf(accountId, id), upTo]));
  for (const { accountId, bet } of concerned) {
    const upTo = spared.get(keyOf(accountId, bet.id));
    if (upTo != null) bet.sparedUpTo = BigInt(upTo);
  }
}

export interface SparedOffer {
  readonly accountId: bigint;
  readonly bet: Bet;
}

/** After the statement that inserts new bets. */
export async function writeSpared(tx: Tx, offers: Iterable<SparedOffer>): Promise<void> {
  const rows = records([...offers], ({ accountId, bet }) => [accountId, bet.id, bet.sparedUpTo]);
  if (rows !== null) await runPrepared(tx, { name: 'write spared offers', text: WRITE, values: [rows] });
}
