import type { SeededRandom } from '#tools/shared/seeded-random.js';
import type { ProcessName, Stage } from '../stage/stage.js';

/** What is hit. */
export type Target = ProcessName | 'PostgreSQL' | 'Redis';

export interface Strike {
  readonly stage: Stage;
  readonly target: Target;
  readonly lastsMs: number;
  readonly chance: SeededRandom;
  /** Everything ends: do not wait. */
  readonly stopping: AbortSignal;
}

/** Something that happens to a running system. */
export interface FaultKind {
  /** In words, also of the report: "API killed". */
  readonly name: string;
  readonly targets: readonly [Target, ...Target[]];
  /** From–to, in ms; the same figure twice: it is over as soon as it has happened. */
  readonly lasts: readonly [number, number];
  /** Who may be out of service because of it. */
  readonly concerns: (target: Target) => readonly ProcessName[];
  /** Returns when it is over: what was taken away is there again, and only a process that was ended may still start. */
  readonly strike: (strike: Strike) => Promise<void>;
}
