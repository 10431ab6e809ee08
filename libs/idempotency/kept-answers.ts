import { scalarsOf, textsOf } from '#platform/database/array-literal.js';
import { type Database, type Queryable, type Transaction, withTransaction } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';

// The first answer to a request with an Idempotency-Key is written in the transaction of its effect: either both are
// there, or neither. Whoever asks again gets that answer, word for word.

/** A request that names a key. Keys belong to an account. */
export interface KeyedRequest {
  readonly accountId: bigint;
  readonly key: string;
  /** Of route and body: the same key with another request is a mistake. */
  readonly requestHash: string;
}

export interface KeptAnswer {
  readonly status: number;
  /** As it is sent. */
  readonly body: string;
}

/** How the answer to a keyed request is kept. */
export interface Keeping extends KeyedRequest {
  /** Of the answer when the request succeeds. */
  readonly status: number;
  /** The answer that an error becomes; undefined: not the caller's doing, so it is not kept. */
  refused(error: unknown): KeptAnswer | undefined;
}

/** Not a fault: the request was answered before, and nothing is done again. Thrown, because that ends whatever runs. */
export class Replayed extends Error {
  override readonly name = 'Replayed';

  constructor(readonly answer: KeptAnswer) {
    super('answered before');
  }
}

export type StoredAnswer = KeyedRequest & KeptAnswer;

/** What a request gets whose key is known: its answer again, or that the key belongs to another request. */
export const repeated = (request: KeyedRequest, stored: StoredAnswer): Replayed | Refusal =>
  stored.requestHash === request.requestHash
    ? new Replayed({ status: stored.status, body: stored.body })
    : new Refusal('key-reused');

export const succeeded = (keeping: Keeping, body: object): StoredAnswer => ({
  accountId: keeping.accountId,
  key: keeping.key,
  requestHash: keeping.requestHash,
  status: keeping.status,
  body: JSON.stringify(body),
});

/** Fails when another process has answered a key just now: then all of the transaction is done again, or not at all. */
export async function keepAnswers(database: Queryable, answers: readonly StoredAnswer[]): Promise<void> {
  await database.$executeRaw`/* prepared: keep answers */
    INSERT INTO kept_answers (account_id, key, request_hash, status, body)
    SELECT * FROM unnest(${scalarsOf(answers, ({ accountId }) => accountId)}::bigint[],
                         ${textsOf(answers, ({ key }) => key)}::text[],
                         ${textsOf(answers, ({ requestHash }) => requestHash)}::text[],
                         ${scalarsOf(answers, ({ status }) => status)}::smallint[],
                         ${textsOf(answers, ({ body }) => body)}::text[])`;
}

const TAKEN = /23505|P2002|UniqueConstraintViolation/;

/** Most likely the key itself. Whatever it is: the second look finds the answer of the first, or fails again. */
const isSomethingTaken = (error: unknown): boolean =>
  error instanceof Error && TAKEN.test(`${(error as { code?: unknown }).code} ${error.message}`);

async function refuseRepeated(database: Queryable, keeping: Keeping): Promise<void> {
  const { accountId, key } = keeping;
  const stored = await database.keptAnswer.findUnique({ where: { accountId_key: { accountId, key } } });
  if (stored !== null) throw repeated(keeping, stored);
}

/** A transaction of whatever kind, that keeps the answer which its result is presented as. */
export async function withKeptAnswer<Result>(
  database: Database,
  keeping: Keeping,
  { use, present }: { use: (transaction: Transaction) => Promise<Result>; present: (result: Result) => object },
): Promise<Result> {
  const attempt = () =>
    withTransaction(database, async (transaction) => {
      await refuseRepeated(transaction, keeping);
      const result = await use(transaction);
      await keepAnswers(transaction, [succeeded(keeping, present(result))]);
      return result;
    });
  try {
    return await attempt().catch((error) => {
      if (isSomethingTaken(error)) return attempt();
      throw error;
    });
  } catch (error) {
    await keepRefusal(database, keeping, error);
    throw error;
  }
}

/** An answer of one statement: only a request that names a key needs a transaction for it. */
export async function keptAnswer<Result, Body extends object>(
  database: Database,
  keeping: Keeping | undefined,
  work: { use: (queryable: Queryable) => Promise<Result>; present: (result: Result) => Body },
): Promise<Body> {
  const result = keeping === undefined ? await work.use(database) : await withKeptAnswer(database, keeping, work);
  return work.present(result);
}

/** A refusal has no effect, so it may be kept by itself. */
async function keepRefusal(database: Database, keeping: Keeping, error: unknown): Promise<void> {
  const answer = keeping.refused(error);
  if (answer === undefined) return;
  const { accountId, key, requestHash } = keeping;
  const data = [{ accountId, key, requestHash, ...answer }];
  const { count } = await database.keptAnswer.createMany({ data, skipDuplicates: true });
  // Perhaps refused only because its own twin in another process was first: then the twin's answer is right.
  if (count === 0) await refuseRepeated(database, keeping);
}

/** For what is looked up before the ledger is asked. */
export async function keepingRefusals<Result>(
  database: Database,
  keeping: Keeping | undefined,
  lookUp: () => Promise<Result>,
): Promise<Result> {
  try {
    return await lookUp();
  } catch (error) {
    if (keeping !== undefined) await keepRefusal(database, keeping, error);
    throw error;
  }
}

export async function deleteKeptAnswers(database: Queryable, olderThan: Date): Promise<number> {
  return database.$executeRaw`DELETE FROM kept_answers WHERE created_at < ${olderThan}`;
}
