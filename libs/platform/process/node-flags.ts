/**
 * For every process that serves. Without a limit V8 collects hundreds of megabytes of garbage first; a process with a
 * second of work waiting needs a third of this.
 */
export const nodeFlags: readonly string[] = ['--max-old-space-size=128'];

/** By default glibc gives each thread its own heap and never shares freed memory, which costs a tenth of the memory. */
export const memoryEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '2' };
