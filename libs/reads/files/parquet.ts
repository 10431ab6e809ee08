import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Cell, ColumnType, FileColumn } from './columns.js';
import type { Append, FileWriter } from './file-writer.js';

/** A row group is encoded at once and then written: this bounds its memory, and the time for which other jobs wait. */
const ROWS_OF_GROUP = 5_000;

const DECIMALS = { precision: 18, scale: 6 };

const elements: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  id: { type: 'INT64' },
  decimal: {
    type: 'INT64',
    converted_type: 'DECIMAL',
    ...DECIMALS,
    logical_type: { type: 'DECIMAL', ...DECIMALS },
  },
  moment: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  flag: { type: 'BOOLEAN' },
};

const schemaOf = (columns: readonly FileColumn[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(({ name, type }) => ({ ...elements[type], name, repetition_type: 'OPTIONAL' as const })),
];

/** Money and odds are written as the micro-units that they are: no number has a fraction here. */
export function createParquetWriter(columns: readonly FileColumn[], append: Append): FileWriter {
  const bytes = new ByteWriter();
  const parquet = new ParquetWriter({ writer: bytes, schema: schemaOf(columns), createdBy: 'betting-ledger' });
  let group: Cell[][] = columns.map(() => []);

  /** Appends the encoded bytes. Their places in the file go on counting. */
  async function flush(): Promise<void> {
    await append(new Uint8Array(bytes.buffer, 0, bytes.index));
    bytes.index = 0;
  }

  async function writeGroup(): Promise<void> {
    const columnData = columns.map(({ name }, index) => ({ name, data: group[index] as Cell[] }));
    await parquet.write({ columnData, rowGroupSize: ROWS_OF_GROUP });
    group = columns.map(() => []);
    await flush();
  }

  return {
    async write(rows) {
      for (const row of rows) {
        for (const [index, cells] of group.entries()) cells.push(row[index] ?? null);
      }
      if ((group[0] as Cell[]).length >= ROWS_OF_GROUP) await writeGroup();
    },
    async end() {
      if ((group[0] as Cell[]).length > 0) await writeGroup();
      await parquet.finish();
      await flush();
    },
  };
}
