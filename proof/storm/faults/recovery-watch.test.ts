import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '#testing/wait-for.js';
import { type Recovery, RecoveryWatch } from './recovery-watch.js';

let clock: number;
let recoveries: Recovery[];
/** Reports the process as in service. */
let appear: () => void;
let looks: number;
let watch: RecoveryWatch;

beforeEach(() => {
  clock = 0;
  recoveries = [];
  looks = 0;
  watch = new RecoveryWatch({
    process: 'api-1',
    inService: (stopping) => {
      looks += 1;
      return new Promise((resolve, reject) => {
        appear = resolve;
        stopping.addEventListener('abort', () => reject(stopping.reason));
      });
    },
    onRecovery: (recovery) => recoveries.push(recovery),
    now: () => clock,
  });
});

describe('the watch on a process', () => {
  it('measures from the end of a fault until the process is in service', async () => {
    watch.faultBegins('killed');
    clock = 5_000;
    watch.faultEnds();
    expect(watch.isMissing).toBe(true);
    clock = 6_500;
    appear();
    await watch.seen();
    expect(recoveries).toEqual([{ process: 'api-1', faults: ['killed'], tookMs: 1_500, withinMs: 10_000 }]);
    expect(watch.isMissing).toBe(false);
  });

  it('measures from the end of the last of several faults, and starts again when one comes before the recovery', async () => {
    watch.faultBegins('killed');
    watch.faultBegins('cut off');
    watch.faultEnds();
    expect(looks).toBe(0);
    watch.faultEnds();
    expect(looks).toBe(1);
    watch.faultBegins('paused');
    await watch.seen();
    expect(recoveries).toEqual([]);
    clock = 9_000;
    watch.faultEnds();
    clock = 9_100;
    appear();
    await waitFor(() => recoveries.length === 1);
    expect(recoveries).toMatchObject([{ process: 'api-1', faults: ['killed', 'cut off', 'paused'], tookMs: 100 }]);
  });

  it('allows the longest time that one of the faults allows, and the usual one after the recovery', async () => {
    watch.faultBegins('silent', 30_000);
    watch.faultBegins('killed');
    watch.faultEnds();
    watch.faultEnds();
    appear();
    await waitFor(() => recoveries.length === 1);
    watch.faultBegins('killed');
    watch.faultEnds();
    appear();
    await waitFor(() => recoveries.length === 2);
    expect(recoveries.map(({ withinMs }) => withinMs)).toEqual([30_000, 10_000]);
  });

  it('ends at `stop`, and still counts the process as missing', async () => {
    watch.faultBegins('killed');
    watch.faultEnds();
    watch.stop();
    await watch.seen();
    expect([recoveries, watch.isMissing]).toEqual([[], true]);
  });
});
