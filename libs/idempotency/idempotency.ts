import { type Tables, type Tx, withTx } from '#platform/database/database.js';
import { isUniqueViolation } from '#platform/database/errors.js';
import {
  findReplay,
  type HttpAnswer,
  type KeyedRequest,
  NO_ERROR,
  Replayed,
  type StoredAnswer,
  storeAnswerIfNew,
  storeAnswers,
} from './stored-answers.js';

// The first answer to a request with an Idempotency-Key is written in the transaction of its effect: both exist, or
// neither. A later request with the key gets that answer, byte for byte.

/** A keyed request, and how its result becomes the answer to store. */
export interface IdempotencyContext extends KeyedRequest {
  /** Status of a success. */
  readonly status: number;
  /** The answer that an error becomes; undefined for an error that is not final and must not be stored. */
  answerToError(error: unknown): HttpAnswer | undefined;
}

/** The row to store for a request that succeeded. */
export const successToStore = (
  { accountId, key, requestHash, status }: IdempotencyContext,
  body: object,
): StoredAnswer => ({ ...NO_ERROR, accountId, key, requestHash, status, body: JSON.stringify(body) });

/** The row to store for a request that was refused; undefined when the error is not final. */
export function refusalToStore(context: IdempotencyContext, error: unknown): StoredAnswer | undefined {
  const answer = context.answerToError(error);
  const { accountId, key, requestHash } = context;
  return answer && { accountId, key, requestHash, ...answer };
}

/** Runs `use` and stores its presented result in the same transaction. */
export async function withIdempotency<Result>(
  tables: Tables,
  context: IdempotencyContext,
  { use, present }: { use: (tx: Tx) => Promise<Result>; present: (result: Result) => object },
): Promise<Result | Replayed> {
  const attempt = () =>
    withTx(tables, async (tx) => {
      const replay = await findReplay(tx, context);
      if (replay !== undefined) return replay;
      const result = await use(tx);
      await storeAnswers(tx, [successToStore(context, present(result))]);
      return result;
    });
  try {
    return await attempt().catch((error) => {
      // Most likely the key itself: another process has just stored it, and the second attempt finds its answer.
      if (isUniqueViolation(error)) return attempt();
      throw error;
    });
  } catch (error) {
    return storeRefusal(tables, context, error);
  }
}

/** Runs `use` in a transaction and presents its result. */
export async function answerOnce<Result, Body extends object>(
  tables: Tables,
  context: IdempotencyContext | undefined,
  work: { use: (tx: Tx) => Promise<Result>; present: (result: Result) => Body },
): Promise<Body | Replayed> {
  const result = context === undefined ? await withTx(tables, work.use) : await withIdempotency(tables, context, work);
  return result instanceof Replayed ? result : work.present(result);
}

/** Runs a look-up that precedes the transaction, and stores its refusal. */
export async function lookUpOnce<Result>(
  tables: Tables,
  context: IdempotencyContext | undefined,
  lookUp: () => Promise<Result>,
): Promise<Result | Replayed> {
  try {
    return await lookUp();
  } catch (error) {
    if (context === undefined) throw error;
    return storeRefusal(tables, context, error);
  }
}

/** A refusal has no effect, so storing it needs no transaction of its own. Throws the refusal again. */
async function storeRefusal(tables: Tables, context: IdempotencyContext, error: unknown): Promise<Replayed> {
  const answer = refusalToStore(context, error);
  if (answer !== undefined && !(await storeAnswerIfNew(tables, answer))) {
    // A concurrent request with the key was first: its answer counts.
    const replay = await findReplay(tables, context);
    if (replay !== undefined) return replay;
  }
  throw error;
}
