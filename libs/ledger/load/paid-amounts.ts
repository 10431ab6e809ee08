import type { Micros } from '#core/money.js';
import { records } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';
import { runPrepared } from '#platform/database/statements.js';
import type { LoadedBet } from './loaded-rows.js';

const TEXT = 'SELECT * FROM paid_amounts($1)';

/** Notes in settled bets what their transactions have moved. Only corrections load settled bets, so no other group asks. */
export async function notePaidAmounts(tx: Tx, bets: readonly Pick<LoadedBet, 'accountId' | 'bet'>[]): Promise<void> {
  const settled = bets.filter(({ bet }) => bet.settledOutcome !== null);
  if (settled.length === 0) return;
  const keys = records(settled, ({ accountId, bet }) => [accountId, bet.id]);
  const rows = await runPrepared(tx, { name: 'paid amounts', text: TEXT, values: [keys] });
  const amounts = new Map(rows.map(([accountId, id, paid]) => [`${accountId} ${id}`, paid]));
  for (const { accountId, bet } of settled) {
    const paid = amounts.get(`${accountId} ${bet.id}`);
    bet.paid = paid == null ? null : (BigInt(paid) as Micros);
  }
}
