import { Prisma, type Tx } from './database.js';
import { runPrepared, type TextRow } from './statements.js';

/** A FETCH is an unnamed statement: it costs less to parse than to look up. */
const UNNAMED = '';

/**
 * Reads a query in batches through a cursor, for as long as the caller takes them: neither side holds more than two. While
 * the caller works on one, PostgreSQL reads the next. A transaction reads one query at a time in this way.
 */
export async function* readBatches(tx: Tx, query: Prisma.Sql, rowsOfBatch: number): AsyncGenerator<readonly TextRow[]> {
  const fetchNext = () => {
    const batch = runPrepared(tx, { name: UNNAMED, text: `FETCH ${rowsOfBatch} FROM batches`, values: [] });
    // A caller that stops early does not take it; otherwise the failure is thrown where it is awaited.
    batch.catch(() => undefined);
    return batch;
  };
  await tx.$executeRaw(Prisma.sql`DECLARE batches NO SCROLL CURSOR FOR ${query}`);
  for (let batch = await fetchNext(); batch.length > 0; ) {
    // A batch that is not full is the last one.
    const next = batch.length < rowsOfBatch ? [] : fetchNext();
    yield batch;
    batch = await next;
  }
  await tx.$executeRaw`CLOSE batches`;
}

/**
 * For a snapshot that is read for minutes. PostgreSQL ends it when a statement, or the pause between two, takes longer. The
 * limit stands in the text of the statement, where the watch for silent connections finds it.
 */
export async function readLong(tx: Tx, timeoutMs: number): Promise<void> {
  const limit = Prisma.raw(String(timeoutMs));
  await tx.$executeRaw`SET TRANSACTION READ ONLY`;
  await tx.$executeRaw`SET LOCAL statement_timeout = ${limit}`;
  await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = ${limit}`;
}
