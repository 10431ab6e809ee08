/** What a column holds: `decimal` is money or odds, in micro-units. */
export type ColumnType = 'id' | 'decimal' | 'moment' | 'text' | 'flag';

/** A column of a CSV or Parquet file. Its name is the JSON name of the same field. */
export interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Ids and decimals are bigints. */
export type Cell = bigint | Date | string | boolean | null;

/** One cell for each column. */
export type FileRow = readonly Cell[];
