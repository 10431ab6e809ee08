import type { ProcessExit } from '#tools/services/service-process.js';

/** A running process that the launcher supervises. */
export interface RunningPart {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  stop(): Promise<void>;
  /** Kills it, where that is safe. */
  hurry?(): void;
}

/** A part has rejected its configuration: a restart would not help. */
export class ConfigurationFault extends Error {}
