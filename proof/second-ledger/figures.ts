import type { Outcome } from '#core/records.js';

/** Amounts and odds are whole millionths. */
export const ONE = 1_000_000n;

/** The limit of a user's figures, in both directions: above it not every millionth has its own JSON number. */
export const LARGEST_FIGURE = 2n ** 33n * ONE - 1n;

export const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

export const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** To the nearest whole number; a half goes away from zero. */
export const rounded = (dividend: bigint, divisor: bigint): bigint => {
  const towardsZero = dividend / divisor;
  const remainder = dividend % divisor;
  if (2n * sizeOf(remainder) < divisor) return towardsZero;
  return remainder < 0n ? towardsZero - 1n : towardsZero + 1n;
};

/** What lies beyond so many decimals is cut off. */
export const cut = (dividend: bigint, divisor: bigint, decimals: number): bigint => {
  const millionths = dividend / divisor;
  return millionths - (millionths % 10n ** BigInt(6 - decimals));
};

export interface Terms {
  readonly odds: bigint;
  readonly amount: bigint;
  /** Of the account; null: it set none. */
  readonly decimals: number | null;
}

/** The amount that the requester of a matched bet receives from the acceptor; negative: pays. */
export const receivedBy = (outcome: Outcome, { odds, amount, decimals }: Terms): bigint => {
  const share = (dividend: bigint, divisor: bigint) =>
    decimals === null ? rounded(dividend, divisor) : cut(dividend, divisor, decimals);
  if (outcome === 'win') return share(amount * (odds - ONE), ONE);
  if (outcome === 'half-win') return share(amount * (odds - ONE), 2n * ONE);
  if (outcome === 'half-loss') return share(-amount, 2n);
  if (outcome === 'loss') return -amount;
  return 0n;
};

/** `1.5`, `-0.000001`, `300`. */
export const decimalOf = (value: bigint): string => {
  const digits = sizeOf(value).toString().padStart(7, '0');
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
  return value < 0n ? `-${text}` : text;
};
