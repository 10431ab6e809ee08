export const exportKinds = ['transactions', 'bets', 'statement'] as const;
export const exportFormats = ['csv', 'parquet'] as const;
export const exportStates = ['queued', 'running', 'done', 'failed'] as const;

export type ExportKind = (typeof exportKinds)[number];
export type ExportFormat = (typeof exportFormats)[number];
type ExportState = (typeof exportStates)[number];

export interface ExportKey {
  readonly accountId: bigint;
  readonly id: bigint;
}

/** A file of lines that a business has asked for. */
export interface Export extends ExportKey {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly periodStart: Date;
  /** Not included. */
  readonly periodEnd: Date;
  /** Null: of all users. A statement is of one. */
  readonly userId: bigint | null;
  readonly userReference: string | null;
  readonly state: ExportState;
  /** How many times a worker has begun it, without those that a stop has ended. */
  readonly runs: number;
  /** These five are null until it is done. */
  readonly rows: bigint | null;
  readonly bytes: bigint | null;
  readonly sha256: string | null;
  /** A position in the event log: the file has everything up to it, and nothing after it. */
  readonly asOf: string | null;
  readonly expiresAt: Date | null;
  /** Why it has failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** What a finished file comes to. */
export interface FileFigures {
  readonly rows: bigint;
  readonly bytes: bigint;
  readonly sha256: string;
  readonly asOf: string;
}
