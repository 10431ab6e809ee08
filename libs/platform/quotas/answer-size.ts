const MIB = 1_024 * 1_024;

/** One answer has at most so many bytes. */
export const MAX_ANSWER_BYTES = 4 * MIB;

/** The rows of a page have at most so many: the rest is for the fields around them. */
export const MAX_PAGE_BYTES = MAX_ANSWER_BYTES - 64 * 1_024;

/** Fewer than an answer may have: making a page takes this process's only thread a moment for each byte. */
export const MAX_EVENT_BYTES = 2 * MIB;

/** How many of the rows fit into one answer, from the first on. One always does. */
export function fittingCount<Row>(rows: readonly Row[], bytesOf: (row: Row) => number): number {
  let bytes = 0;
  for (const [count, row] of rows.entries()) {
    bytes += bytesOf(row);
    if (bytes > MAX_PAGE_BYTES && count > 0) return count;
  }
  return rows.length;
}
