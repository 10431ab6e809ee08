/**
 * For every process of ours that serves. V8 would let garbage pile up to hundreds of megabytes before it looks at it;
 * a process that has work for a second waiting needs a third of this.
 */
const MEMORY = '--max-old-space-size=128';

/** A chunk of a settlement lives as long as its transaction: with room for it, V8 need not copy it again and again. */
const ROOM_FOR_CHUNKS = '--max-semi-space-size=32';

export const nodeFlagsOf = (part: string): readonly string[] =>
  part === 'worker' ? [MEMORY, ROOM_FOR_CHUNKS] : [MEMORY];
