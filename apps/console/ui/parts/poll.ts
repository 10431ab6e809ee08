import { useEffect } from 'preact/hooks';

/** Calls `reload` every so often while it is wanted and the page is visible, and when it becomes visible. */
export function usePoll(isWanted: boolean, reload: () => void, everyMs: number): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const reloadIfVisible = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const timer = setInterval(reloadIfVisible, everyMs);
    document.addEventListener('visibilitychange', reloadIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reloadIfVisible);
    };
  }, [isWanted, reload, everyMs]);
}
