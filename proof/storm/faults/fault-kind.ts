import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { Cluster, ProcessName } from '../cluster/cluster.js';

/** The process or service that a fault hits. */
export type Target = ProcessName | 'PostgreSQL' | 'Redis';

export interface FaultContext {
  readonly cluster: Cluster;
  readonly target: Target;
  readonly lastsMs: number;
  readonly chance: SeededRandom;
  /** Aborted when the storm ends: do not wait any longer. */
  readonly stopping: AbortSignal;
}

/** A kind of fault in a running cluster. */
export interface FaultKind {
  /** As the report shows it: "API killed". */
  readonly name: string;
  readonly targets: readonly [Target, ...Target[]];
  /** Shortest and longest duration in ms; 0 and 0: over at once. */
  readonly lasts: readonly [number, number];
  /** The processes that it may put out of service. */
  readonly affects: (target: Target) => readonly ProcessName[];
  /** How long a process may take to be in service again; without it, the usual time. */
  readonly recoversWithinMs?: (target: Target, process: ProcessName) => number | undefined;
  /** Resolves when the fault is over: services and connections work again; only a killed process may still be starting. */
  readonly inject: (context: FaultContext) => Promise<void>;
}
