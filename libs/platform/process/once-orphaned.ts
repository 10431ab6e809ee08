const PARENT_CHECK_MS = 500;

/** A signal to npm may end npm and its shell without reaching this process, so the end of the parent stops it as well. */
export function onceOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}
