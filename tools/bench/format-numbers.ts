// The format of figures, on the screen and on the page.

/** Without their unit. */
export const milliseconds = (value: number): string => withDecimals(value, millisecondDecimals(value));

export const millisecondDecimals = (value: number): number => (value < 10 ? 2 : 1);

export const ratioText = (value: number): string => withDecimals(value, 2);

export function withDecimals(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
