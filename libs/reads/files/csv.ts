import { stringify } from 'csv-stringify/sync';
import { asMicros, formatMicros } from '#core/money.js';
import type { FileColumn, FileRow } from './columns.js';

// RFC 4180 in UTF-8: lines end with CRLF, the first one names the columns, and null is empty.

const lines = (columns: readonly FileColumn[], rows: readonly FileRow[]): string =>
  stringify(rows as FileRow[], {
    record_delimiter: 'windows',
    // Readers take a CR or an LF alone for the end of a line as well.
    quote_record_delimiter: true,
    // A spreadsheet runs a text that begins with = + - @, a tab or CR: it gets a leading '. Negative numbers do not.
    escape_formulas: true,
    cast: {
      bigint: (value, { index }) =>
        columns[index]?.type === 'decimal' ? formatMicros(asMicros(value)) : String(value),
      date: (value) => value.toISOString(),
      boolean: String,
    },
  });

export const csvHeader = (columns: readonly FileColumn[]): string => lines([], [columns.map(({ name }) => name)]);

export const csvLines = (columns: readonly FileColumn[], rows: readonly FileRow[]): string => lines(columns, rows);
