import { type Micros, microsFromNumber, type OddsMicros, oddsFromNumber } from '#core/money.js';

/** Throws when the number has more decimals, or is larger, than the ledger takes. */
export function micros(amount: number): Micros {
  const value = microsFromNumber(amount);
  if (value === undefined) throw new Error(`${amount} is not an amount of money`);
  return value;
}

export function oddsMicros(odds: number): OddsMicros {
  const value = oddsFromNumber(odds);
  if (value === undefined) throw new Error(`${odds} are no odds`);
  return value;
}
