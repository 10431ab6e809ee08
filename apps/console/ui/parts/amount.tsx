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

/** `-1,234.50`, with a minus sign that screen readers read. */
export function formatAmount(amount: number, decimals = decimalsOf([amount])): string {
  const text = amount.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return text.replace('-', '\u2212');
}

export const formatCount = (count: number): string => count.toLocaleString('en');

/** An amount beside text. In tables, the column aligns it and gives all rows the same decimals. */
export function Amount({ value, decimals }: { readonly value: number; readonly decimals?: number }) {
  return <span class="amount">{formatAmount(value, decimals)}</span>;
}
