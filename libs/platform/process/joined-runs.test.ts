import { describe, expect, it } from '@jest/globals';
import { type Deferred, deferred } from '#testing/deferred.js';
import { createJoinedRuns } from './joined-runs.js';

describe('joined runs', () => {
  it('share one run among the callers of a key that wait, and begin it after the last of them came', async () => {
    const join = createJoinedRuns();
    const gates: Deferred[] = [];
    const work = () => {
      const gate = deferred();
      gates.push(gate);
      return gate.promise;
    };
    const first = join('a', work);
    const others = Array.from({ length: 59 }, () => join('a', work));
    const elsewhere = join('b', work);
    expect(gates).toHaveLength(2);
    gates[0]?.resolve();
    await first;
    gates[1]?.resolve();
    await elsewhere;
    expect(gates).toHaveLength(3);
    gates[2]?.resolve();
    await Promise.all(others);
    const last = join('a', work);
    expect(gates).toHaveLength(4);
    gates[3]?.resolve();
    await last;
  });

  it('tell only the callers of a run that it failed', async () => {
    const join = createJoinedRuns();
    const failing = join('a', async () => {
      throw new Error('away');
    });
    const next = join('a', async () => undefined);
    await expect(failing).rejects.toThrow('away');
    await next;
  });
});
