import { useEffect, useState } from 'preact/hooks';

const SECOND_MS = 1_000;

/** Counts down from `seconds`, anew for each `cause`, and calls `onEnd` at zero. Returns the seconds that are left. */
export function useCountdown(seconds: number | undefined, cause: unknown, onEnd?: () => void): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (seconds === undefined || seconds <= 0) return undefined;
    const endsAt = Date.now() + seconds * SECOND_MS;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((endsAt - Date.now()) / SECOND_MS));
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      onEnd?.();
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [seconds, cause]);
  return left;
}
