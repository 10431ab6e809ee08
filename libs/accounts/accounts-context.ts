import { type IdempotencyContext, withIdempotency } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { type AddEntry, type RelaySoon, withOutbox } from '#jobs/outbox.js';
import { type Database, type Tables, type Tx, withTx } from '#platform/database/database.js';
import type { JoinedRuns } from '#platform/process/joined-runs.js';
import type { SealedBox } from '#platform/secrets/sealed-box.js';
import type { AccessChanges } from './access/access-changes.js';
import type { Passwords } from './access/passwords.js';
import type { Cause } from './events/account-event.js';
import type { WrongLogins } from './events/wrong-logins.js';

/** Opens a transaction. */
type Transact = <Result>(use: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** The dependencies of the account services. */
export interface AccountsContext {
  readonly database: Database;
  /** The tables of every change; for a change beside a ledger, those of its account. */
  readonly tables: Tables;
  /** Opens the transaction of every change. */
  readonly transact: Transact;
  readonly changes: AccessChanges;
  /** Joins requests for reset codes by e-mail. */
  readonly resetRequests: JoinedRuns;
  readonly relaySoon: RelaySoon;
  readonly wrongLogins: WrongLogins;
  readonly accessTokenTtlMs: number;
  /** Encrypts the secrets of second factors. Undefined: the service has no key, so nobody can add one. */
  readonly factorBox: SealedBox | undefined;
  readonly now: () => Date;
}

/** For services that record what they do. */
export interface CausedContext extends AccountsContext {
  readonly cause: Cause;
}

/** For services that hash passwords for a caller. */
export interface HashingContext extends CausedContext {
  readonly passwords: Passwords;
}

/** Runs a change of credentials, roles or settings. Returns after every process knows of it. */
export const changeAccess = <Result>(
  context: Pick<AccountsContext, 'changes' | 'transact' | 'relaySoon'>,
  accountId: bigint,
  change: (tx: Tx, addEntry: AddEntry) => Promise<Result>,
): Promise<Result> => context.changes.announcing(accountId, () => withOutbox(context, change));

/** For services that write beside the ledger of the account. */
export function besideLedger<Context extends AccountsContext>(context: Context, accountId: bigint): Context {
  const tables = context.database.of(accountId);
  return { ...context, tables, transact: (use) => withTx(tables, use) };
}

/**
 * Runs work that opens its transaction beside the ledger and calls what it is given, which locks rows of the account. In a
 * cluster the account is in another database, where a transaction of its own holds the locks until the work has ended: also
 * when the work tries its transaction again.
 */
export async function lockingAccount<Result>(
  database: Database,
  lock: (tx: Tx) => Promise<void>,
  work: (lockFirst: (tx: Tx) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (!database.isDistributed) return work(lock);
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let locked: Promise<void> | undefined;
  const holding: { by?: Promise<void> } = {};
  const lockOnce = (): Promise<void> => {
    locked ??= new Promise((resolve, reject) => {
      holding.by = withTx(database.shared, async (tx) => {
        await lock(tx);
        resolve();
        await ended;
      });
      holding.by.catch(reject);
    });
    return locked;
  };
  try {
    const result = await work(lockOnce).finally(end);
    await holding.by;
    return result;
  } finally {
    await holding.by?.catch(() => undefined);
  }
}

/** Unwinds the services around a transaction that found the request answered before. */
class AnsweredBefore extends Error {
  constructor(readonly replay: Replayed) {
    super('answered before');
  }
}

/**
 * Runs a service for one request, and presents its result. When the request names a key, the transaction of the service
 * stores the presented result; when its answer is stored already, the service ends without effect.
 */
export async function answerWith<Context extends AccountsContext, Result, Body extends object>(
  context: Context,
  idempotency: IdempotencyContext | undefined,
  { use, present }: { use: (context: Context) => Promise<Result>; present: (result: Result) => Body },
): Promise<Body | Replayed> {
  if (idempotency === undefined) return present(await use(context));
  const transact: Transact = async (inside) => {
    const work = { use: inside, present: (result: unknown) => present(result as Result) };
    const result = await withIdempotency(context.tables, idempotency, work);
    if (result instanceof Replayed) throw new AnsweredBefore(result);
    return result as Awaited<ReturnType<typeof inside>>;
  };
  try {
    return present(await use({ ...context, transact }));
  } catch (error) {
    if (error instanceof AnsweredBefore) return error.replay;
    throw error;
  }
}
