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

/** One for each number of decimals: to make one takes far longer than to use it, and a ladder uses thousands a second. */
const formats = Array.from(
  { length: MOST_DECIMALS + 1 },
  (_, decimals) => new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
);
const countFormat = new Intl.NumberFormat('en');

/** `-1,234.50`, with a minus sign that screen readers read. */
export function formatAmount(amount: number, decimals = decimalsOf([amount])): string {
  return (formats[decimals] ?? countFormat).format(amount).replace('-', '\u2212');
}

export const formatCount = (count: number): string => countFormat.format(count);

/** An amount beside text. In tables, the column aligns it and gives all rows the same decimals. */
export function Amount({ value, decimals }: { readonly value: number; readonly decimals?: number }) {
  return <span class="amount">{formatAmount(value, decimals)}</span>;
}
