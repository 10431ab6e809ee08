import { zone } from './display.js';

// Written by hand: `Intl` takes longer to begin than the rest of the script.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const twoDigits = (number: number): string => String(number).padStart(2, '0');

const MINUTE_MS = 60_000;

/** A time whose parts in UTC are those that the person wants to see. */
const shifted = (at: Date): Date =>
  zone.value === 'utc' ? at : new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);
const zoneName = (): string => (zone.value === 'utc' ? ' UTC' : '');

const clockOf = (at: Date): string =>
  [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(twoDigits).join(':');
export const formatClock = (at: Date): string => clockOf(shifted(at)) + zoneName();
function dateOf(at: Date): string {
  const seen = shifted(at);
  return `${seen.getUTCDate()} ${MONTHS[seen.getUTCMonth()]} ${seen.getUTCFullYear()}`;
}
export const formatTime = (at: Date): string => `${dateOf(at)}, ${formatClock(at)}`;

/** A time where the reader is, as ISO 8601 in UTC when pointed at. A short one of today has no date. */
export function Time({ at, short = false }: { readonly at: string | Date; readonly short?: boolean }) {
  const date = new Date(at);
  const iso = date.toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {short && dateOf(date) === dateOf(new Date()) ? formatClock(date) : formatTime(date)}
    </time>
  );
}

/** A time, or what is said without one. */
export const timeOr = (without: string, at: string | null) => (at === null ? without : <Time at={at} />);

/** A day like `2026-01-15`, in UTC. */
export function Day({ day }: { readonly day: string }) {
  return (
    <time dateTime={day} title={`${day} UTC`}>
      {formatDay(day)}
    </time>
  );
}

/** `15 Jan 2026`; what is no day, as it is. */
export function formatDay(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  const name = MONTHS[(month ?? 0) - 1];
  return name === undefined ? day : `${date} ${name} ${year}`;
}
