import type { History } from '../history.js';

export interface CheckOptions {
  readonly history: History;
  readonly databaseUrl: string;
  readonly mailFolder: string;
  readonly apiUrls: readonly string[];
}

/** Something that should not be. */
export interface Finding {
  readonly check: string;
  readonly text: string;
}

export interface CheckReport {
  readonly findings: readonly Finding[];
  /** What was checked, in lines for people. */
  readonly facts: readonly string[];
}

export async function checkAll({ history }: CheckOptions): Promise<CheckReport> {
  return { findings: [], facts: [`${history.operations.length} operations`] };
}
