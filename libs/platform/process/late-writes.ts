export interface LateWrites {
  /** Has `write` run when the delay is over; until then, more calls ask for the same run. */
  soon(): void;
  /** Runs it once more. */
  close(): Promise<void>;
}

/** Writes what a process has noted in memory, some time later and all at once. */
export function createLateWrites(delayMs: number, write: () => Promise<void>): LateWrites {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        // One after the other: while PostgreSQL is slow they would take its connections.
        writing = writing.then(write);
      }, delayMs).unref();
    },
    async close() {
      await writing;
      clearTimeout(timer);
      await write();
      clearTimeout(timer);
    },
  };
}
