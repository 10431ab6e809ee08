import { type AddEntry, type OutboxContext, withOutbox } from '#jobs/outbox.js';
import type { Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Export } from './export.js';
import { lockExports, toExport } from './export-rows.js';

/** An account waits for one to end before it asks for another one. */
const MAX_UNFINISHED_EXPORTS = 10;
const RETRY_AFTER_SECONDS = 30;

export interface ExportRequest extends Pick<Export, 'accountId' | 'kind' | 'format' | 'periodStart' | 'periodEnd'> {
  /** Undefined: of all users. */
  readonly userReference: string | undefined;
}

/** Writes an export that a worker makes: its row, its outbox entry and what `record` writes commit together. */
export async function requestExport(
  context: OutboxContext,
  request: ExportRequest,
  record: (tx: Tx, made: Export) => Promise<void>,
): Promise<Export> {
  return withOutbox(context, async (tx, addEntry) => {
    const made = await writeRequest(tx, addEntry, request);
    await record(tx, made);
    return made;
  });
}

async function writeRequest(tx: Tx, addEntry: AddEntry, { userReference, ...request }: ExportRequest): Promise<Export> {
  const { accountId } = request;
  const user = userReference === undefined ? null : await findUser(tx, accountId, userReference);
  // Two requests that count at the same time would both find room.
  await lockExports(tx, accountId);
  const unfinished = await tx.prisma.export.count({ where: { accountId, state: { in: ['queued', 'running'] } } });
  if (unfinished >= MAX_UNFINISHED_EXPORTS) {
    throw new Refusal('too-many-exports', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  const row = await tx.prisma.export.create({
    data: { ...request, userId: user?.id ?? null, userReference: user?.reference ?? null },
  });
  await addEntry(accountId, 'make-export', { exportId: String(row.id) });
  return toExport(row);
}

async function findUser(tx: Tx, accountId: bigint, reference: string) {
  const user = await tx.prisma.user.findUnique({
    where: { accountId_reference: { accountId, reference } },
    select: { id: true, reference: true },
  });
  if (user === null) throw new Refusal('user-not-found');
  return user;
}
