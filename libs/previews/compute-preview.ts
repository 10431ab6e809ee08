import { isDecided } from '#core/impact.js';
import { needsOf } from '#core/operation.js';
import type { Wager } from '#core/records.js';
import type { Tx } from '#platform/database/database.js';
import { type PreviewFigures, type PreviewRequest, wholeOperation } from './preview.js';
import { PreviewTally } from './preview-tally.js';
import { countMoving, readMoving, readNamedBets, readPreviewedWager, readUsers } from './snapshot.js';
import { batchesOf, type SummedUser, type UserSums } from './user-sums.js';

/** So many bets are decided in one turn of the process, in a few milliseconds. */
const BETS_OF_BATCH = 500;
const USERS_OF_BATCH = 2_000;

export interface ComputedPreview {
  readonly figures: PreviewFigures;
  /** In the order of their effect. */
  readonly users: Iterable<SummedUser>;
}

export interface ComputeOptions {
  /** With more bets that move there is no preview. */
  readonly mostBets: number;
  /** Called between batches; it throws to stop. */
  readonly goOn: () => void;
  /** Called after each batch of bets. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * What an operation would move, from a snapshot: `snapshot` is a transaction of `RepeatableRead`. The core does it to the bets
 * that it would move, and nothing is written.
 */
export async function computePreview(
  snapshot: Tx,
  { ledgerAccountId: accountId, operation }: Pick<PreviewRequest, 'ledgerAccountId' | 'operation'>,
  { mostBets, goOn, onProgress }: ComputeOptions,
): Promise<ComputedPreview | 'too-large'> {
  const whole = wholeOperation(operation);
  const { wagers, betIds, pendingBets: pending } = needsOf(whole);
  const [named] = wagers;
  const reference = named !== undefined && 'reference' in named ? named.reference : undefined;
  const { asOf, decimals, found } = await readPreviewedWager(snapshot, accountId, { reference, betId: betIds[0] });
  const wager = found?.wager;
  const tally = new PreviewTally({ id: accountId, decimals }, whole);
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
      goOn();
    }
  }
  const { refusal, bets, moved, users: sums } = tally;
  if (wager !== undefined) await noteUsers(snapshot, { accountId, wagerId: wager.id, sums }, goOn);
  const { count: usersAffected, belowZero: usersBelowZero, users } = sums.affected();
  const moment = { asOf, revision: found?.revision ?? 0, isExact: isFixed(wager) };
  return { figures: { ...moment, refusal, bets, moved, usersAffected, usersBelowZero }, users };
}

/** A decided wager takes no offers, and its bets stay where they are. */
const isFixed = (wager: Wager | undefined): boolean =>
  wager === undefined || (isDecided(wager.outcome) && wager.settlingSince === null);

interface OfWager {
  readonly accountId: bigint;
  readonly wagerId: bigint;
  readonly sums: UserSums;
}

/** Reads the users that move, once each. */
async function noteUsers(snapshot: Tx, { accountId, wagerId, sums }: OfWager, goOn: () => void): Promise<void> {
  for (const ids of batchesOf(sums.userIds, USERS_OF_BATCH)) {
    for (const user of await readUsers(snapshot, accountId, { wagerId, ids })) sums.note(user);
    goOn();
  }
}
