const MICROS = 1_000_000;

/** Amounts have 6 decimals at most: a sum of them shows no more. */
export const exactly = (amount: number): number => Math.round(amount * MICROS) / MICROS;
