import { twoDigits } from '../../parts/time.js';

/** As the browser's field for it has a time, where the reader is. */
export function localText(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`;
}

/** The way back. */
export const momentOf = (text: string): string | null => (text === '' ? null : new Date(text).toISOString());
