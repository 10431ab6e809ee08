import { needsOf } from '#core/operation.js';
import { isDecided } from '#core/outcome.js';
import type { Wager } from '#core/records.js';
import type { Tx } from '#platform/database/database.js';
import { type PreviewedUser, type PreviewFigures, type PreviewRequest, wholeOperation } from './preview.js';
import { PreviewTally } from './preview-tally.js';
import { countMoving, readMoving, readNamedBets, readReferences, readUsers, readWager } from './snapshot.js';
import type { SummedUser, UserSums } from './user-sums.js';

/** So many bets are decided in one turn of the process, in a few milliseconds. */
const BETS_OF_BATCH = 500;
const USERS_OF_BATCH = 2_000;

export interface ComputedPreview {
  readonly figures: PreviewFigures;
  /** In the order of their effect, in batches. Only while the snapshot is open. */
  readonly users: AsyncIterable<readonly PreviewedUser[]>;
}

export interface ComputeOptions {
  /** With more bets that move there is no preview. */
  readonly mostBets: number;
  /** Called after each batch of bets; it throws to stop. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * What an operation would move, from a snapshot: `snapshot` is a transaction of `RepeatableRead`. The core does it to the bets
 * that it would move, and nothing is written.
 */
export async function computePreview(
  snapshot: Tx,
  { ledgerAccountId: accountId, operation }: Pick<PreviewRequest, 'ledgerAccountId' | 'operation'>,
  { mostBets, onProgress }: ComputeOptions,
): Promise<ComputedPreview | 'too-large'> {
  const whole = wholeOperation(operation);
  const { wagers, betIds, pendingBets: pending } = needsOf(whole);
  const [named] = wagers;
  const reference = named !== undefined && 'reference' in named ? named.reference : undefined;
  const { asOf, found } = await readWager(snapshot, accountId, { reference, betId: betIds[0] });
  const wager = found?.wager;
  const tally = new PreviewTally(accountId, whole);
  // An operation on a whole wager is refused, or not, without a look at its bets.
  tally.add(wager, wager === undefined ? [] : await readNamedBets(snapshot, accountId, betIds));
  if (tally.refusal === null && wager !== undefined && pending !== null) {
    const total = await countMoving(snapshot, accountId, { wager, pending, most: mostBets + 1 });
    if (total > mostBets) return 'too-large';
    let done = 0;
    for await (const bets of readMoving(snapshot, accountId, { wager, pending, batch: BETS_OF_BATCH })) {
      tally.add(wager, bets);
      if (tally.refusal !== null) break;
      done += bets.length;
      onProgress?.(done, total);
    }
  }
  const affected = await affectedUsers(snapshot, { accountId, wagerId: wager?.id ?? 0n, sums: tally.users });
  const { refusal, bets, moved } = tally;
  const moment = { asOf, revision: found?.revision ?? 0, isExact: isFixed(wager) };
  return { figures: { ...moment, refusal, bets, moved, ...affected.counts }, users: affected.users };
}

/** A decided wager takes no offers, and its bets stay where they are. */
const isFixed = (wager: Wager | undefined): boolean =>
  wager === undefined || (isDecided(wager.outcome) && !wager.isSettling);

interface OfWager {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  readonly sums: UserSums;
}

async function affectedUsers(snapshot: Tx, { accountId, wagerId, sums }: OfWager) {
  for (const ids of batchesOf(sums.userIds, USERS_OF_BATCH))
    for (const user of await readUsers(snapshot, accountId, { wagerId, ids })) sums.note(user);
  const { count, belowZero, users } = sums.affected();
  return {
    counts: { usersAffected: count, usersBelowZero: belowZero },
    users: withReferences(snapshot, accountId, users),
  };
}

async function* withReferences(
  snapshot: Tx,
  accountId: bigint,
  users: Iterable<SummedUser>,
): AsyncGenerator<readonly PreviewedUser[]> {
  for (const batch of batchesOf(users, USERS_OF_BATCH)) {
    const ids = batch.map(({ userId }) => userId);
    const references = await readReferences(snapshot, accountId, ids);
    yield batch.map((user) => ({ ...user, reference: references.get(user.userId) ?? '' }));
  }
}

function* batchesOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
