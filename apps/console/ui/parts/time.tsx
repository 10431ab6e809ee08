const localFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const clockFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

export const formatTime = (at: Date): string => localFormat.format(at);
export const formatClock = (at: Date): string => clockFormat.format(at);

/** A time where the reader is; its UTC form when pointed at. */
export function Time({ at, short = false }: { readonly at: string | Date; readonly short?: boolean }) {
  const date = new Date(at);
  const iso = date.toISOString();
  return (
    <time dateTime={iso} title={`${iso.replace('T', ' ').replace('Z', '')} UTC`}>
      {short ? formatClock(date) : formatTime(date)}
    </time>
  );
}
