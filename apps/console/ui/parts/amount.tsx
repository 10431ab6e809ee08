const LEAST_DECIMALS = 2;
const MOST_DECIMALS = 6;

/** How many decimals show all of these amounts exactly; two at least. */
export function decimalsOf(amounts: readonly number[]): number {
  const needed = amounts.map((amount) => {
    const [, decimals = ''] = amount.toFixed(MOST_DECIMALS).split('.');
    return decimals.replace(/0+$/, '').length;
  });
  return Math.max(LEAST_DECIMALS, ...needed);
}

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
