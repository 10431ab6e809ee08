import type { AccountTables, Queryable } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';
import { bigint, number, orNull, RowType, textColumn } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';

/** A request that names an Idempotency-Key. Keys belong to an account. */
export interface KeyedRequest {
  readonly accountId: bigint;
  readonly key: string;
  /** Hash of the route and of what the body means. The same key with another request is a mistake of the caller. */
  readonly requestHash: string;
  /** The hash by which an earlier release stored the request. */
  readonly formerHash?: () => string;
}

/** An answer as the API sends it. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** Of a refusal. */
  readonly errorCode: string | null;
  /** Of a refused batch, the operation that it names. */
  readonly errorOperation: string | null;
}

/** Of an answer that is no refusal. */
export const NO_ERROR = { errorCode: null, errorOperation: null } as const;

/** A row of `stored_answers`: the first answer to a keyed request. */
export type StoredAnswer = Omit<KeyedRequest, 'formerHash'> & HttpAnswer;

/** The request was answered before: its stored answer, instead of running it again. */
export class Replayed {
  readonly kind = 'replayed';

  constructor(readonly answer: HttpAnswer) {}
}

/** False: the key belongs to another request. */
export const isAnswerTo = (request: KeyedRequest, stored: StoredAnswer): boolean =>
  stored.requestHash === request.requestHash || stored.requestHash === request.formerHash?.();

/** Refuses when the key belongs to another request. */
function replayOf(request: KeyedRequest, stored: StoredAnswer): Replayed {
  if (!isAnswerTo(request, stored)) throw new Refusal('key-reused');
  const { status, body, errorCode, errorOperation } = stored;
  return new Replayed({ status, body, errorCode, errorOperation });
}

/** The answer stored with the request's key; undefined when there is none. */
export async function findReplay(tables: Queryable, request: KeyedRequest): Promise<Replayed | undefined> {
  const { accountId, key } = request;
  const stored = await tables.run((prisma) =>
    prisma.storedAnswer.findUnique({ where: { accountId_key: { accountId, key } } }),
  );
  return stored === null ? undefined : replayOf(request, stored);
}

export const writtenAnswer = new RowType('written_answer', {
  accountId: bigint(),
  key: textColumn(),
  requestHash: textColumn(),
  status: number('smallint'),
  body: textColumn(),
  errorCode: orNull(textColumn()),
  errorOperation: orNull(textColumn()),
});

/** Fails with a unique violation when another process has just stored one of the keys: the transaction must be retried. */
export async function storeAnswers(tables: Queryable, answers: readonly StoredAnswer[]): Promise<void> {
  await tables.$executeRaw`/* prepared: store answers */
    INSERT INTO stored_answers (account_id, key, request_hash, status, body, error_code, error_operation)
    SELECT n.account_id, n.key, n.request_hash, n.status, n.body, n.error_code, n.error_operation
      FROM unnest(${writtenAnswer.literal(answers)}::written_answer[]) n`;
}

/** Stores the answer unless the key is taken; says whether it did. */
export async function storeAnswerIfNew(tables: Queryable, answer: StoredAnswer): Promise<boolean> {
  const { count } = await tables.run((prisma) =>
    prisma.storedAnswer.createMany({ data: [answer], skipDuplicates: true }),
  );
  return count > 0;
}

export async function deleteStoredAnswers(tables: AccountTables, rows: ExpiredRows): Promise<DeletedRows> {
  return deleteExpiredRows(tables, { table: 'stored_answers', column: 'created_at' }, rows);
}
