import { useEffect } from 'preact/hooks';

/** Calls `reload` every so often while it is wanted, and while the page is visible. */
export function usePoll(isWanted: boolean, reload: () => void, everyMs: number): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isWanted, reload, everyMs]);
}
