import { asMicros } from '#core/money.js';
import { markDone } from '#jobs/outbox.js';
import { type Database, type Prisma, type Queryable, type Tx, withTx } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';
import { placementOf } from '#platform/database/placement.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { ComputedPreview } from './compute-preview.js';
import type {
  Preview,
  PreviewedOperation,
  PreviewedUser,
  PreviewFigures,
  PreviewKey,
  PreviewRequest,
  PreviewState,
} from './preview.js';

// Previews are kept with the account that asked, for an hour. They are no part of the ledger.

const USERS_OF_PAGE = 100;
/** Of an account: the others wait until those are an hour old. */
const MOST_KEPT_USERS = 2_000_000n;
const MOST_KEPT = 5_000n;
const MOST_RUNNING = 3n;
const RETRY_AFTER_SECONDS = 30;
/** A worker that ends in each of them must not be started for ever. */
const MAX_RUNS = 3;

/** JSON has no bigint. */
type StoredUser = readonly [
  userId: string,
  reference: string,
  balance: string,
  balanceAfter: string,
  exposure: string,
  exposureAfter: string,
];

const storedUser = (user: PreviewedUser): StoredUser => [
  String(user.userId),
  user.reference,
  String(user.balance),
  String(user.balanceAfter),
  String(user.exposure),
  String(user.exposureAfter),
];

const microsOf = (text: string) => asMicros(BigInt(text));

const userOf = ([userId, reference, balance, balanceAfter, exposure, exposureAfter]: StoredUser): PreviewedUser => ({
  userId: BigInt(userId),
  reference,
  balance: microsOf(balance),
  balanceAfter: microsOf(balanceAfter),
  exposure: microsOf(exposure),
  exposureAfter: microsOf(exposureAfter),
});

type StoredFigures = Omit<PreviewFigures, 'asOf' | 'moved'> & { readonly asOf: string; readonly moved: string };

const storedFigures = (figures: PreviewFigures): StoredFigures => ({
  ...figures,
  asOf: figures.asOf.toISOString(),
  moved: String(figures.moved),
});

const figuresOf = (stored: StoredFigures): PreviewFigures => ({
  ...stored,
  asOf: new Date(stored.asOf),
  moved: microsOf(stored.moved),
});

const storedOperation = (operation: PreviewedOperation): Prisma.InputJsonObject =>
  'betId' in operation ? { ...operation, betId: String(operation.betId) } : { ...operation };

const operationOf = (stored: { readonly betId?: string }): PreviewedOperation =>
  ({ ...stored, ...(stored.betId !== undefined && { betId: BigInt(stored.betId) }) }) as PreviewedOperation;

/** Refuses an account that has too many. Two requests at once may both find room: an account has few at once. */
export async function assertRoomForPreview(database: Queryable, accountId: bigint): Promise<void> {
  const [kept] = await placementOf(database, accountId).$queryRaw<[{ all: bigint; running: bigint; users: bigint }]>`
    SELECT count(*) AS all, count(*) FILTER (WHERE state = 'running') AS running, coalesce(sum(users), 0)::bigint AS users
      FROM previews WHERE account_id = ${accountId}`;
  if (kept.all < MOST_KEPT && kept.running < MOST_RUNNING && kept.users < MOST_KEPT_USERS) return;
  throw new Refusal('too-many-previews', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Writes a preview that is still to be computed, or that is done when `figures` are given. */
export async function insertPreview(
  tx: Tx,
  { operation, ...accounts }: PreviewRequest,
  figures: PreviewFigures | undefined,
): Promise<PreviewKey> {
  const outcome = figures === undefined ? { state: 'running' } : doneWith(figures);
  const row = await tx.preview.create({
    data: { ...accounts, ...outcome, operation: storedOperation(operation) },
    select: { accountId: true, id: true },
  });
  return row;
}

const doneWith = (figures: PreviewFigures) => ({
  state: 'done',
  progress: 100,
  users: figures.usersAffected,
  figures: { ...storedFigures(figures), bets: { ...figures.bets } },
});

/** Writes users that follow those of the parts before. Returns the number of the next part. */
export async function insertUsers(
  tx: Tx,
  { accountId, id: previewId }: PreviewKey,
  { users, part }: { readonly users: readonly PreviewedUser[]; readonly part: number },
): Promise<number> {
  const data: Prisma.PreviewUsersCreateManyInput[] = [];
  for (let first = 0; first < users.length; first += USERS_OF_PAGE) {
    const page = users.slice(first, first + USERS_OF_PAGE).map(storedUser);
    data.push({ accountId, previewId, part: part + data.length, users: page as never });
  }
  if (data.length > 0) await tx.previewUsers.createMany({ data });
  return part + data.length;
}

/** The users of one part; none when there is no such part. */
async function readPart(database: Queryable, { accountId, id }: PreviewKey, part: number): Promise<PreviewedUser[]> {
  const row = await database.previewUsers.findUnique({
    where: { accountId_previewId_part: { accountId, previewId: id, part } },
    select: { users: true },
  });
  return row === null ? [] : (row.users as unknown as StoredUser[]).map(userOf);
}

/** A preview that waits for its worker, or was given up, has no users yet. */
export async function readPreview(database: Queryable, key: PreviewKey): Promise<Preview> {
  const { accountId, id } = key;
  const placement = placementOf(database, accountId);
  const row = await placement.preview.findUnique({ where: { accountId_id: { accountId, id } } });
  if (row === null) throw new Refusal('preview-unknown');
  const { progress, failure } = row;
  const figures = row.figures === null ? undefined : figuresOf(row.figures as unknown as StoredFigures);
  const firstUsers = figures === undefined ? [] : await readPart(placement, key, 0);
  return { ...key, state: row.state as PreviewState, progress, failure, figures, firstUsers };
}

export interface UsersPage {
  readonly users: readonly PreviewedUser[];
  /** The next part; undefined: there is none. */
  readonly next: number | undefined;
}

/** A page of its users, those with the largest effect first. */
export async function readPreviewUsers(database: Queryable, key: PreviewKey, part: number): Promise<UsersPage> {
  const { accountId, id } = key;
  const placement = placementOf(database, accountId);
  const found = await placement.preview.findUnique({
    where: { accountId_id: { accountId, id } },
    select: { users: true, state: true },
  });
  if (found === null) throw new Refusal('preview-unknown');
  if (found.state !== 'done') throw new Refusal('preview-not-done');
  const hasNext = found.users > (part + 1) * USERS_OF_PAGE;
  return { users: await readPart(placement, key, part), next: hasNext ? part + 1 : undefined };
}

/** A preview that a worker computes, and the outbox entry that asks for it. */
export interface PreviewWork extends PreviewKey {
  readonly entryId: bigint;
}

export interface PreviewRun extends PreviewWork {
  readonly runs: number;
  readonly request: PreviewRequest;
}

/** Begins a run. Undefined: there is nothing to compute. The last run that ends computes nothing and gives the preview up. */
export function claimPreview(database: Database, work: PreviewWork, gaveUp: string): Promise<PreviewRun | undefined> {
  const { accountId, id, entryId } = work;
  return withTx(placementOf(database, accountId), async (tx) => {
    const [row] = await tx.$queryRaw<{ runs: number; ledgerAccountId: bigint; operation: object }[]>`
      UPDATE previews SET runs = runs + 1 WHERE account_id = ${accountId} AND id = ${id} AND state = 'running'
      RETURNING runs, ledger_account_id AS "ledgerAccountId", operation`;
    if (row !== undefined && row.runs <= MAX_RUNS) {
      const { runs, ledgerAccountId } = row;
      return { ...work, runs, request: { accountId, ledgerAccountId, operation: operationOf(row.operation) } };
    }
    await failIn(tx, work, gaveUp);
    await markDone(tx, { accountId, id: entryId });
    return undefined;
  });
}

const failIn = (tx: Tx, { accountId, id }: PreviewKey, failure: string) =>
  tx.$executeRaw`
    UPDATE previews SET state = 'failed', failure = ${failure}
     WHERE account_id = ${accountId} AND id = ${id} AND state = 'running'`;

export const failPreview = (database: Database, work: PreviewWork, failure: string): Promise<void> =>
  withTx(placementOf(database, work.accountId), async (tx) => {
    await failIn(tx, work, failure);
    await markDone(tx, { accountId: work.accountId, id: work.entryId });
  });

/** A run that a stop of the worker has ended does not count. */
export async function giveRunBack(database: Database, { accountId, id, runs }: PreviewRun): Promise<void> {
  await placementOf(database, accountId).$executeRaw`
    UPDATE previews SET runs = runs - 1
     WHERE account_id = ${accountId} AND id = ${id} AND runs = ${runs} AND state = 'running'`;
}

export async function showProgress(database: Database, { accountId, id }: PreviewKey, percent: number): Promise<void> {
  await placementOf(database, accountId).$executeRaw`
    UPDATE previews SET progress = greatest(progress, ${percent}::int)
     WHERE account_id = ${accountId} AND id = ${id} AND state = 'running'`;
}

/** Writes what a run has computed. False: another run was faster, or the preview has gone: this one does not count. */
export function finishPreview(
  database: Database,
  { accountId, id, entryId }: PreviewWork,
  { figures, users }: ComputedPreview,
): Promise<boolean> {
  const key = { accountId, id };
  return withTx(placementOf(database, accountId), async (tx) => {
    const { count } = await tx.preview.updateMany({ where: { ...key, state: 'running' }, data: doneWith(figures) });
    if (count === 0) return false;
    let part = 0;
    for await (const batch of users) part = await insertUsers(tx, key, { users: batch, part });
    await markDone(tx, { accountId, id: entryId });
    return true;
  });
}

export const deleteOldPreviews = (database: Database, rows: ExpiredRows): Promise<DeletedRows> =>
  deleteExpiredRows(database, { table: 'previews', column: 'created_at' }, rows);
