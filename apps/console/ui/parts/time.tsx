// Written by hand: `Intl` takes longer to begin than the rest of the script.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const twoDigits = (number: number): string => String(number).padStart(2, '0');

export const formatClock = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
export const formatTime = (at: Date): string =>
  `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}, ${formatClock(at)}`;

/** A time where the reader is; its UTC form when pointed at. */
export function Time({ at, short = false }: { readonly at: string | Date; readonly short?: boolean }) {
  const date = new Date(at);
  const iso = date.toISOString();
  return (
    <time dateTime={iso} title={`${iso.slice(0, 10)} ${iso.slice(11, -1)} UTC`}>
      {short ? formatClock(date) : formatTime(date)}
    </time>
  );
}
