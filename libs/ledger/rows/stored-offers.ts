import type { Changes } from '#core/changes.js';
import { isOpen } from '#core/impact.js';
import type { Bet, TrailEntry } from '#core/records.js';
import type { MatchedWager, TotalsDifference } from './write-group.js';

/** Which of the loaded bets are open offers in the database, or matched. From this the difference follows that a write makes. */
export class StoredOffers {
  readonly #open = new Set<bigint>();
  readonly #matched = new Set<bigint>();

  /** A bet as the database has it, when it is loaded. */
  note(bet: Bet): void {
    if (isOpen(bet)) this.#open.add(bet.id);
    if (bet.acceptingUserId !== null) this.#matched.add(bet.id);
  }

  /** By how much these changes move the totals. They must be written: the next difference is to them. */
  differenceBy({ insertedBets, updatedBets, trails, transactions }: Changes): TotalsDifference {
    // An offer that was inactive or expired may become open and be matched by one write.
    const isNew = ({ acceptingUserId, id }: Bet) => acceptingUserId !== null && !this.#matched.has(id);
    const matched = [...insertedBets, ...updatedBets].filter(isNew);
    for (const { id } of matched) this.#matched.add(id);
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
    const matches = matched.length === 0 ? [] : matchesOf(matched, trails);
    return { bets: insertedBets.length, openBets, openAmount, transactions: transactions.length, matches };
  }
}

/** By wager, in the order of the acceptances' trail entries. */
function matchesOf(matched: readonly Bet[], trails: readonly TrailEntry[]): MatchedWager[] {
  const waiting = new Map(matched.map((bet) => [bet.id, bet]));
  const wagers = new Map<bigint, MatchedWager>();
  for (const { betId, effectiveAmount } of trails) {
    const bet = waiting.get(betId);
    // A bet may have entries before its acceptance, and after it.
    if (bet === undefined || effectiveAmount === null) continue;
    waiting.delete(betId);
    const { bets, amount } = wagers.get(bet.wagerId) ?? { bets: 0, amount: 0n };
    const one = { wagerId: bet.wagerId, bets: bets + 1, amount: amount + effectiveAmount, lastBetId: betId };
    wagers.set(bet.wagerId, one);
  }
  return [...wagers.values()];
}
