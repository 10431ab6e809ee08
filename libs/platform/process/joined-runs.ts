/** Runs work for a key. Callers of one key that wait at the same time share one run, which begins after they came. */
export type JoinedRuns<Result = void> = (key: string, work: () => Promise<Result>) => Promise<Result>;

/** At most one run of a key goes on at a time, and at most one more waits, for any number of callers. */
export function createJoinedRuns<Result = void>(): JoinedRuns<Result> {
  const running = new Map<string, Promise<Result>>();
  const waiting = new Map<string, Promise<Result>>();

  function begin(key: string, work: () => Promise<Result>): Promise<Result> {
    const run = work().finally(() => running.delete(key));
    running.set(key, run);
    return run;
  }

  return (key, work) => {
    const next = waiting.get(key);
    if (next !== undefined) return next;
    const current = running.get(key);
    if (current === undefined) return begin(key, work);
    const joined = current
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key);
        return begin(key, work);
      });
    waiting.set(key, joined);
    return joined;
  };
}
