import type { ProcessExit } from '#tools/services/service-process.js';

/** A process that the launcher keeps running, while it runs. */
export interface RunningPart {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  stop(): Promise<void>;
  /** Ends it at once, where that does no harm. */
  hurry?(): void;
}

/** A part said that it is wrongly configured, and why: starting it again would be in vain. */
export class ConfigurationFault extends Error {}
