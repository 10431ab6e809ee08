import { computed, signal } from '@preact/signals';

/** Without a sign for this long, a page says that it is not live, and decides nothing. */
const PATIENCE_MS = 10_000;
const TICK_MS = 1_000;

/** Of each stream that the page follows. */
const signs = new Map<object, number>();
/** Of the stream that has been silent for the longest time. */
const lastSignAt = signal(Date.now());
/** To the second. */
export const now = signal(Date.now());

/** The time since which the page is not live; undefined while it is. */
export const notLiveSince = computed<Date | undefined>(() =>
  now.value - lastSignAt.value > PATIENCE_MS ? new Date(lastSignAt.value) : undefined,
);

export const isLive = computed(() => notLiveSince.value === undefined);

/** The stream begins, or has shown a sign of life. */
export function noteSign(stream: object): void {
  signs.set(stream, Date.now());
  lastSignAt.value = Math.min(...signs.values());
}

/** The page does not follow the stream any more. */
export function forgetSigns(stream: object): void {
  signs.delete(stream);
  lastSignAt.value = Math.min(Date.now(), ...signs.values());
}

export function startClock(): () => void {
  const timer = setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
  return () => clearInterval(timer);
}
