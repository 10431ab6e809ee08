import { describe, expect, it } from '@jest/globals';
import { Refusal } from '#platform/errors/refusal.js';
import { createTurns } from './turns.js';

/** Work that ends when the test ends it. */
function work() {
  const state = { running: 0, most: 0, ends: [] as (() => void)[] };
  const run = async () => {
    state.running += 1;
    state.most = Math.max(state.most, state.running);
    await new Promise<void>((resolve) => state.ends.push(resolve));
    state.running -= 1;
  };
  return { state, run };
}

describe('turns', () => {
  it('let a few run at once for each key, and then the others', async () => {
    const turns = createTurns({ atOnce: 2, waiting: 10, waitMs: 10_000 });
    const { state, run } = work();
    const other = work();
    const all = Array.from({ length: 5 }, () => turns('a', 1, run));
    const elsewhere = turns('b', 1, other.run);
    for (let ended = 0; ended < 5; ended += 1) {
      while (state.ends.length === 0) await Promise.resolve();
      state.ends.shift()?.();
    }
    await Promise.all(all);
    expect(state).toMatchObject({ running: 0, most: 2 });
    other.state.ends.shift()?.();
    await elsewhere;
  });

  it('refuse when too many wait, and go on after a failure', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, waitMs: 10_000 });
    const { state, run } = work();
    const first = turns('a', 7, run);
    const second = turns('a', 7, () => Promise.reject(new Error('failed')));
    await expect(turns('a', 7, run)).rejects.toMatchObject({ code: 'rate-limited', retryAfterSeconds: 7 });
    await expect(turns('a', 7, run)).rejects.toBeInstanceOf(Refusal);
    state.ends.shift()?.();
    await first;
    await expect(second).rejects.toThrow('failed');
    await turns('a', 7, async () => undefined);
  });

  it('refuse a task that has waited too long, and forget it', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 2, waitMs: 0 });
    const { state, run } = work();
    const first = turns('a', 7, run);
    const late = [1, 2].map(() => expect(turns('a', 7, run)).rejects.toMatchObject({ code: 'overloaded' }));
    await Promise.all(late);
    state.ends.shift()?.();
    await first;
    expect(state).toMatchObject({ running: 0, most: 1 });
    const next = turns('a', 7, run);
    while (state.ends.length === 0) await Promise.resolve();
    state.ends.shift()?.();
    await next;
  });
});
