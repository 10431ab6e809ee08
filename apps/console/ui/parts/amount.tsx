const LEAST_DECIMALS = 2;
const MOST_DECIMALS = 6;

const HUNDREDTHS = 100;

/** Most amounts are whole hundredths, which is quickly seen. */
const isInHundredths = (amount: number): boolean => Math.round(amount * HUNDREDTHS) / HUNDREDTHS === amount;

function neededDecimals(amount: number): number {
  if (isInHundredths(amount)) return LEAST_DECIMALS;
  const [, decimals = ''] = amount.toFixed(MOST_DECIMALS).split('.');
  return decimals.replace(/0+$/, '').length;
}

/** How many decimals show all of these amounts exactly; two at least. */
export const decimalsOf = (amounts: readonly number[]): number =>
  amounts.reduce((most, amount) => Math.max(most, neededDecimals(amount)), LEAST_DECIMALS);

/** Between groups of three digits. `Intl` does it as well, but takes longer to begin than the rest of the script. */
const GROUP_ENDS = /\B(?=(?:\d{3})+$)/g;

/** `-1,234.50`, with a minus sign that screen readers read. */
export function formatAmount(amount: number, decimals = decimalsOf([amount])): string {
  const [whole = '', ...fraction] = Math.abs(amount).toFixed(decimals).split('.');
  return (amount < 0 ? '\u2212' : '') + [whole.replace(GROUP_ENDS, ','), ...fraction].join('.');
}

export const formatCount = (count: number): string => formatAmount(count, 0);

/** An amount beside text. In tables, the column aligns it and gives all rows the same decimals. */
export function Amount({ value, decimals }: { readonly value: number; readonly decimals?: number }) {
  return <span class="amount">{formatAmount(value, decimals)}</span>;
}
