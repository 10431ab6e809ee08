// Amounts and odds, as people read and write them. The one place that knows how many decimals there may be.

const LEAST_DECIMALS = 2;
/** The API takes no more. */
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
/** A narrow space at which no line ends. */
const SEPARATOR = '\u202f';

/** `−1 234.50`, with a minus sign that screen readers read. */
export function formatAmount(amount: number, decimals = decimalsOf([amount])): string {
  const [whole = '', ...fraction] = Math.abs(amount).toFixed(decimals).split('.');
  return (amount < 0 ? '\u2212' : '') + [whole.replace(GROUP_ENDS, SEPARATOR), ...fraction].join('.');
}

const MICROS = 1_000_000;

/** Amounts have 6 decimals at most: a sum of them shows no more. */
export const exactly = (amount: number): number => Math.round(amount * MICROS) / MICROS;

export const formatCount = (count: number): string => formatAmount(count, 0);

/** `1 bet`, `2 bets`. */
export const formatCountOf = (count: number, what: string): string =>
  `${formatCount(count)} ${count === 1 ? what : `${what}s`}`;

/** An amount in a text or a table, with its plain digits when pointed at. */
export function Amount({ value, decimals }: { readonly value: number; readonly decimals?: number | undefined }) {
  return (
    <span class="amount" title={value.toFixed(neededDecimals(value))}>
      {formatAmount(value, decimals)}
    </span>
  );
}

/** What was typed: a number, or what is wrong with it in the words of the API. */
export type Reading = { readonly value: number } | { readonly fault: string };

/** Commas, spaces of all kinds, apostrophes and underscores may stand between groups of three digits, all of them the same. */
const GROUPED = /^([1-9]\d{0,2})(?:([,\s'\u2019_])\d{3})(?:\2\d{3})*(\.\d+)?$/;
const PLAIN = /^(?:\d+\.?\d*|\.\d+)$/;
const UNREADABLE =
  'must be a number like 1250.50: a point before the decimals, and commas or spaces only between groups of three digits';

/** Thousands, or decimals, of which amounts seldom have three: `1,250`, `1.250`. */
const AMBIGUOUS = /^([-+\u2212]?[1-9]\d{0,2})[.,](\d{3})$/;

/** The text of a field that holds an amount already. */
export const textOfAmount = (amount: number): string => {
  const text = formatAmount(amount);
  return AMBIGUOUS.test(text) ? `${text}0` : text;
};

/** From a text to an amount. */
export function readAmount(text: string, decimals = MOST_DECIMALS): Reading {
  const [, whole, rest] = AMBIGUOUS.exec(text.trim()) ?? [];
  if (whole !== undefined) return { fault: `may mean two numbers: write ${whole}${rest} or ${whole}.${rest}0` };
  return readNumber(text, decimals);
}

function readNumber(text: string, decimals: number): Reading {
  const [, sign = '', digits = ''] = /^([-+\u2212]?)(.*)$/s.exec(text.trim()) ?? [];
  const isGrouped = GROUPED.test(digits);
  if (!isGrouped && !PLAIN.test(digits)) return { fault: UNREADABLE };
  const plain = digits.replace(/[^\d.]/g, '');
  const [, fraction = ''] = plain.split('.');
  if (fraction.replace(/0+$/, '').length > decimals)
    return { fault: `must not have more than ${decimals} decimal places` };
  return { value: Number(plain) * (sign === '' || sign === '+' ? 1 : -1) };
}

/** From a text to odds. Few are above a thousand, so a lone comma is rather one of decimals: `1,250`. */
export const readOdds = (text: string): Reading =>
  /^\s*\d+,\d+\s*$/.test(text)
    ? { fault: 'must have a point before the decimals, like 2.50' }
    : readNumber(text, MOST_DECIMALS);
