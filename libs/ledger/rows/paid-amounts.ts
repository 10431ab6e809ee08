import type { Micros } from '#core/money.js';
import type { Tx } from '#platform/database/database.js';
import { SqlFunction } from '#platform/database/row-type.js';
import type { LoadedBet } from './loaded-rows.js';
import { rowKey } from './row-types.js';

const paidAmounts = new SqlFunction('paid_amounts', ['bets']);

/** Notes in settled bets what their transactions have moved. Only corrections load settled bets, so no other group asks. */
export async function notePaidAmounts(tx: Tx, bets: readonly Pick<LoadedBet, 'accountId' | 'bet'>[]): Promise<void> {
  const settled = bets.filter(({ bet }) => bet.settledOutcome !== null);
  if (settled.length === 0) return;
  const keys = settled.map(({ accountId, bet: { id } }) => ({ accountId, id }));
  const rows = await paidAmounts.call(tx, { bets: rowKey.literal(keys) });
  const amounts = new Map(rows.map(([accountId, id, paid]) => [`${accountId} ${id}`, paid]));
  for (const { accountId, bet } of settled) {
    const paid = amounts.get(`${accountId} ${bet.id}`);
    bet.paid = paid == null ? null : (BigInt(paid) as Micros);
  }
}
