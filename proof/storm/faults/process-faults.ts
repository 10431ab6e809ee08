import { apiNames, type ProcessName, workerNames } from '../cluster/cluster.js';
import type { SupervisedProcess } from '../cluster/supervised-process.js';
import type { FaultContext, FaultKind } from './fault-kind.js';

/** A worker locks its jobs for 6 s: one that is paused for longer loses them without noticing. */
const PAST_THE_LOCK = [7_000, 9_000] as const;

type Injection = (process: SupervisedProcess, context: FaultContext) => Promise<void>;

const kill: Injection = (process) => process.kill();
const stop: Injection = (process) => process.terminate();
const pause: Injection = (process, { lastsMs, stopping }) => process.pause(lastsMs, stopping);

export const processFaults: readonly FaultKind[] = [
  toProcess('API killed', apiNames, [0, 0], kill),
  toProcess('API stopped by SIGTERM', apiNames, [0, 0], stop),
  toProcess('API paused', apiNames, [1_000, 8_000], pause),
  toProcess('worker killed', workerNames, [0, 0], kill),
  toProcess('worker stopped by SIGTERM', workerNames, [0, 0], stop),
  toProcess('worker paused past its locks', workerNames, PAST_THE_LOCK, pause),
];

function toProcess(
  name: string,
  targets: readonly [ProcessName, ...ProcessName[]],
  lasts: FaultKind['lasts'],
  injection: Injection,
): FaultKind {
  return {
    name,
    targets,
    lasts,
    affects: (target) => [target as ProcessName],
    inject: (context) => injection(context.cluster.processes[context.target as ProcessName].supervised, context),
  };
}
