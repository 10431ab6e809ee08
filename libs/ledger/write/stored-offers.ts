import { isOpen } from '#core/bet-state.js';
import type { Changes } from '#core/changes.js';
import type { Bet } from '#core/records.js';
import type { TotalsDifference } from './persist.js';

/** Which of the loaded bets are open offers in the database. From this the difference follows that a write makes. */
export class StoredOffers {
  readonly #open = new Set<bigint>();

  /** A bet as the database has it, when it is loaded. */
  note(bet: Bet): void {
    if (isOpen(bet)) this.#open.add(bet.id);
  }

  /** By how much these changes move the totals. They must be written: the next difference is to them. */
  differenceBy({ insertedBets, updatedBets, transactions }: Changes): TotalsDifference {
    let openBets = 0;
    let openAmount = 0n;
    for (const bets of [insertedBets, updatedBets]) {
      for (const bet of bets) {
        if (isOpen(bet) === this.#open.has(bet.id)) continue;
        const sign = isOpen(bet) ? 1 : -1;
        openBets += sign;
        openAmount += BigInt(sign) * bet.requestingAmount;
        if (sign > 0) this.#open.add(bet.id);
        else this.#open.delete(bet.id);
      }
    }
    return { bets: insertedBets.length, openBets, openAmount, transactions: transactions.length };
  }
}
