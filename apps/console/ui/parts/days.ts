import { zone } from './display.js';
import { twoDigits } from './time.js';

// Days and times as the fields of forms write them, `2026-01-15`.

const DAY_MS = 86_400_000;
const LENGTH = 10;

/** A day of UTC; empty for what is no time. */
export const dayOf = (at: Date): string => (Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, LENGTH));

/** A day of UTC, so many days later. */
export const daysLater = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * DAY_MS));

export const today = (): string => dayOf(new Date());

/** Midnight in the zone of the reader, so many days after a day; undefined for what is no day. */
export function localMidnight(day: string, later = 0): string | undefined {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  const given = [year, month - 1, date + later] as const;
  const at = zone.value === 'utc' ? new Date(Date.UTC(...given)) : new Date(...given);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** As the browser's field for it has a time, where the reader is. */
export function localText(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')}`;
}

/** The way back. */
export const momentOf = (text: string): string | null => (text === '' ? null : new Date(text).toISOString());
