import { computed, signal } from '@preact/signals';

/** Without a sign for this long, a page says that it is not live, and decides nothing. */
const PATIENCE_MS = 10_000;
const TICK_MS = 1_000;

const lastSignAt = signal(Date.now());
const now = signal(Date.now());

/** The time since which the page is not live; undefined while it is. */
export const notLiveSince = computed<Date | undefined>(() =>
  now.value - lastSignAt.value > PATIENCE_MS ? new Date(lastSignAt.value) : undefined,
);

export const isLive = computed(() => notLiveSince.value === undefined);

/** The stream has shown a sign of life. */
export function noteSign(): void {
  lastSignAt.value = Date.now();
  if (!isLive.peek()) now.value = lastSignAt.value;
}

export function startClock(): () => void {
  const timer = setInterval(() => {
    now.value = Date.now();
  }, TICK_MS);
  return () => clearInterval(timer);
}
