import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet';

/** A strict reader of RFC 4180: fails at a bare quotation mark, CR or LF, and at a line without its end. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let row: string[] = [];
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const [, quoted, plain = '', end] = field.exec(text) ?? [];
    if (end === undefined) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 80))}`);
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

export interface ParquetFile {
  readonly schema: readonly SchemaElement[];
  readonly groups: number;
  /** Decimals and times are the integers that stand in the file: the library itself would divide them in doubles. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export async function readParquet(path: string): Promise<ParquetFile> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const schema = structuredClone(metadata.schema);
  for (const element of metadata.schema.filter(({ type }) => type === 'INT64')) {
    delete element.converted_type;
    delete element.logical_type;
  }
  return { schema, groups: metadata.row_groups.length, rows: await parquetReadObjects({ file, metadata }) };
}
