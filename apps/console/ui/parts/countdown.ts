import { useEffect, useMemo, useState } from 'preact/hooks';

const SECOND_MS = 1_000;

/** Counts down to a moment of `performance.now()`, which nobody sets, and calls `onEnd` then. Returns the seconds that are left. */
export function useSecondsUntil(endsAt: number | undefined, onEnd?: () => void): number {
  const leftMs = () => (endsAt === undefined ? 0 : Math.max(0, endsAt - performance.now()));
  const [left, setLeft] = useState(() => Math.ceil(leftMs() / SECOND_MS));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      const restMs = leftMs();
      setLeft(Math.ceil(restMs / SECOND_MS));
      if (restMs > 0) timer = setTimeout(tick, restMs % SECOND_MS || SECOND_MS);
      else if (timer !== undefined) onEnd?.();
    };
    tick();
    return () => clearTimeout(timer);
  }, [endsAt]);
  return left;
}

/** Counts down from `seconds`, anew for each `cause`, and calls `onEnd` at zero. Returns the seconds that are left. */
export function useCountdown(seconds: number | undefined, cause: unknown, onEnd?: () => void): number {
  const endsAt = useMemo(
    () => (seconds === undefined ? undefined : performance.now() + seconds * SECOND_MS),
    [seconds, cause],
  );
  return useSecondsUntil(endsAt, onEnd);
}
