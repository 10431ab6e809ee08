/*
 * Money and odds are whole micro-units (1 = 0.000001) in bigints. Sums and products are exact; only
 * `divideHalfAwayFromZero` and `divideTowardsZero` round. Numbers with a fraction exist only in JSON, at the edge of the product.
 */

declare const unit: unique symbol;
export type Micros = bigint & { readonly [unit]: 'Micros' };
export type OddsMicros = bigint & { readonly [unit]: 'OddsMicros' };

const MICROS_PER_ONE = 1_000_000n;

export const ZERO = 0n as Micros;
/** At odds of 1 the winner gets the stake back and nothing more. */
export const ODDS_ONE = MICROS_PER_ONE as OddsMicros;

export const AMOUNT_MAX_MICROS = 1_000_000_000_000_000n as Micros;
export const ODDS_MAX_MICROS = 1_000_000_000_000n as OddsMicros;

/**
 * The limit of every balance, exposure and position, in both directions: one micro-unit below 2^33. Up to it,
 * neighbouring doubles lie closer than a micro-unit, so each amount has its own JSON number. Above it two amounts share
 * one (8,589,934,592.000001 reads as 8,589,934,592.000002), although they are still below 2^53 micro-units.
 */
export const LEDGER_BOUND_MICROS = 8_589_934_591_999_999n as Micros;
const LEDGER_BOUND = Number(LEDGER_BOUND_MICROS) / 1e6;

/** Restores the brand, which arithmetic on bigints loses. */
export const asMicros = (value: bigint): Micros => value as Micros;

export const isBeyondLedger = (value: bigint): boolean => value > LEDGER_BOUND_MICROS || value < -LEDGER_BOUND_MICROS;

const unitsFromNumber = (value: number): bigint | undefined => {
  if (!(Math.abs(value) <= LEDGER_BOUND)) return undefined;
  // The whole part and the fraction are converted separately, so each product errs by less than half a unit.
  const whole = Math.trunc(value);
  const units = whole * 1e6 + Math.round((value - whole) * 1e6);
  return units / 1e6 === value ? BigInt(units) : undefined;
};

/** Undefined when the number has more than 6 decimals, is not finite, or exceeds the ledger's bound. */
export const microsFromNumber = (value: number): Micros | undefined => unitsFromNumber(value) as Micros | undefined;

/** As `microsFromNumber`, for odds. */
export const oddsFromNumber = (value: number): OddsMicros | undefined =>
  unitsFromNumber(value) as OddsMicros | undefined;

/** Exact, and printed with the amount's own decimals, for all values within the ledger's bound. */
export const numberFromMicros = (value: Micros | OddsMicros): number => Number(value) / 1e6;

/** Plain decimal text without needless zeros: `300`, `-0.5`, `0.000001`. */
export const formatMicros = (value: Micros | OddsMicros): string => {
  const magnitude = magnitudeOf(value);
  const fraction = (magnitude % MICROS_PER_ONE).toString().padStart(6, '0').replace(/0+$/, '');
  const sign = value < 0n ? '-' : '';
  return `${sign}${magnitude / MICROS_PER_ONE}${fraction === '' ? '' : `.${fraction}`}`;
};

/** A sum may exceed what a number holds exactly: parsing its decimal text rounds only once. */
export const numberFromSum = (sum: bigint): number => Number(formatMicros(asMicros(sum)));

export const MOST_DECIMALS = 6;

/** The smallest amount with so many decimals. */
export const unitOf = (decimals: number): Micros => asMicros(10n ** BigInt(MOST_DECIMALS - decimals));

/** The rounding of an account that set no decimals: to the nearest whole, a half away from zero. The divisor is positive. */
export const divideHalfAwayFromZero = (dividend: bigint, divisor: bigint): bigint => {
  const magnitude = magnitudeOf(dividend);
  const quotient = (2n * magnitude + divisor) / (2n * divisor);
  return dividend < 0n ? -quotient : quotient;
};

/** The rounding of an account with decimals: to whole units, towards zero. The divisor is positive. */
export const divideTowardsZero = (dividend: bigint, divisor: bigint, unit: Micros): bigint =>
  (dividend / (divisor * unit)) * unit;

export const magnitudeOf = (value: bigint): bigint => (value < 0n ? -value : value);

export const minimumOf = (one: Micros, other: Micros): Micros => (one < other ? one : other);

export const maximumOf = (one: Micros, other: Micros): Micros => (one > other ? one : other);
