import type { KeptProcess } from '../stage/kept-process.js';
import { apiNames, type ProcessName, workerNames } from '../stage/stage.js';
import type { FaultKind, Strike } from './fault.js';

/** A worker's jobs are locked for 6 s: whoever stands still for longer has lost them, and does not know it. */
const PAST_THE_LOCK = [7_000, 9_000] as const;

type Act = (process: KeptProcess, strike: Strike) => Promise<void>;

const kill: Act = (process) => process.kill();
const stop: Act = (process) => process.stopPolitely();
const pause: Act = (process, { lastsMs, stopping }) => process.pause(lastsMs, stopping);

export const processFaults: readonly FaultKind[] = [
  toProcess('API killed', apiNames, [0, 0], kill),
  toProcess('API stopped politely', apiNames, [0, 0], stop),
  toProcess('API paused', apiNames, [1_000, 8_000], pause),
  toProcess('worker killed', workerNames, [0, 0], kill),
  toProcess('worker stopped politely', workerNames, [0, 0], stop),
  toProcess('worker paused past its locks', workerNames, PAST_THE_LOCK, pause),
];

function toProcess(
  name: string,
  targets: readonly [ProcessName, ...ProcessName[]],
  lasts: FaultKind['lasts'],
  act: Act,
): FaultKind {
  return {
    name,
    targets,
    lasts,
    concerns: (target) => [target as ProcessName],
    strike: (strike) => act(strike.stage.processes[strike.target as ProcessName].kept, strike),
  };
}
