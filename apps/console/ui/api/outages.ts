import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LedgerError, NoAnswer } from './errors.js';

// What keeps all of a page from being loaded, and passes: the band says it once for the whole page.

/** Too many requests, and what servers answer while something behind them is away. */
const OUTAGES = [429, 502, 503, 504];

const isOutage = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof LedgerError && OUTAGES.includes(error.status));

/** Why something failed, in words for the person at the page. */
export function textOf(error: unknown): string {
  if (error instanceof LedgerError) return error.texts.join('; ');
  if (error instanceof NoAnswer) return 'The console does not answer';
  return String(error);
}

const met = signal<readonly unknown[]>([]);

/** Each outage that parts of the page have met, once; empty without one. */
export const outages = computed(() => [...new Set(met.value.map(textOf))].join('; '));

/** The outage that a part of the page has met last. */
export const latestOutage = computed(() => met.value.at(-1));

/** Whether a part of the page has met an outage. Until its error is another one, the band says so. */
export function useOutage(error: unknown): boolean {
  useEffect(() => {
    if (!isOutage(error)) return undefined;
    met.value = [...met.value, error];
    return () => {
      met.value = met.value.filter((other) => other !== error);
    };
  }, [error]);
  return isOutage(error);
}
