/**
 * For every process of ours that serves. V8 would let garbage pile up to hundreds of megabytes before it looks at it;
 * a process that has work for a second waiting needs a third of this.
 */
export const nodeFlags: readonly string[] = ['--max-old-space-size=128'];

/** glibc would give each thread a heap of its own, and keep in all of them what only one needs: a tenth of the memory. */
export const memoryEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' };
