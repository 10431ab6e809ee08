import type { FileColumn, FileRow } from './columns.js';
import { csvHeader, csvLines } from './csv.js';

/** Takes the bytes of a file in their order; resolves when they are stored, so that a slow disk slows the reader. */
export type Append = (bytes: Uint8Array) => Promise<void>;

/** Writes lines in a format. */
export interface FileWriter {
  write(rows: readonly FileRow[]): Promise<void>;
  /** Writes what is left. */
  end(): Promise<void>;
}

export function createCsvWriter(columns: readonly FileColumn[], append: Append): FileWriter {
  let isBegun = false;
  const begin = () => {
    if (isBegun) return '';
    isBegun = true;
    return csvHeader(columns);
  };
  return {
    write: (rows) => append(Buffer.from(begin() + csvLines(columns, rows))),
    end: async () => append(Buffer.from(begin())),
  };
}
