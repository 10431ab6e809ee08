import { isDecided } from '#core/impact.js';
import { asMicros } from '#core/money.js';
import type { PendingBetsNeed } from '#core/needs.js';
import { needsOf } from '#core/operation.js';
import type { Bet, Wager } from '#core/records.js';
import { ofOperation } from '#core/rejection.js';
import type { Tx } from '#platform/database/database.js';
import {
  type PreviewedBets,
  type PreviewedOperation,
  type PreviewFigures,
  type PreviewRequest,
  type SingleOperation,
  singlesOf,
  wholeOperation,
} from './preview.js';
import { PreviewTally } from './preview-tally.js';
import { countMoving, readFewMoving, readMoving, readNamedBets, readPreviewedWager, readUsers } from './snapshot.js';
import { batchesOf, type SummedUser, type UserSums } from './user-sums.js';

/** So many bets are decided in one turn of the process, in a few milliseconds. */
const BETS_OF_BATCH = 500;
const USERS_OF_BATCH = 2_000;

export interface ComputedPreview {
  readonly figures: PreviewFigures;
  /** How many bets would move. */
  readonly moving: number;
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
 * What an operation would move, from one moment: `snapshot` is a transaction of `RepeatableRead`, or one that holds the wager;
 * then the balances of users may be of later moments. The core does it to the bets that it would move, and nothing is written.
 */
export async function computePreview(
  snapshot: Tx,
  { ledgerAccountId: accountId, operation }: Pick<PreviewRequest, 'ledgerAccountId' | 'operation'>,
  options: ComputeOptions,
): Promise<ComputedPreview | 'too-large'> {
  const parts: PartOfPreview[] = [];
  let left = options.mostBets;
  for (const single of singlesOf(operation)) {
    const before = options.mostBets - left;
    const onProgress = (done: number, total: number) => options.onProgress?.(before + done, before + total);
    const part = await computePart(
      snapshot,
      { accountId, operation: single },
      { ...options, mostBets: left, onProgress },
    );
    if (part === 'too-large') return 'too-large';
    if (part.refusal !== null) return computedOf([refusedPart(part, operation, single)]);
    left -= part.moving;
    parts.push(part);
  }
  return computedOf(parts);
}

/** What it does to one wager. */
interface PartOfPreview extends Pick<PreviewFigures, 'asOf' | 'revision' | 'isExact' | 'refusal' | 'bets' | 'moved'> {
  readonly moving: number;
  readonly users: UserSums;
}

/** Of several decisions the text names the refused one, as that of a batch does. */
const refusedPart = (part: PartOfPreview, { type }: PreviewedOperation, single: SingleOperation): PartOfPreview =>
  type === 'update_wager_outcomes' && 'reference' in single && part.refusal !== null
    ? { ...part, refusal: ofOperation(single.reference, part.refusal) }
    : part;

const betKinds = ['settled', 'unsettled', 'expiredOffers', 'reopenedOffers', 'canceledOffers'] as const;

function computedOf(parts: readonly PartOfPreview[]): ComputedPreview {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('a preview has no operation');
  for (const other of others) first.users.add(other.users);
  const sumOf = (value: (part: PartOfPreview) => number): number => parts.reduce((sum, part) => sum + value(part), 0);
  const bets = Object.fromEntries(betKinds.map((kind) => [kind, sumOf((part) => part.bets[kind])]));
  const { count: usersAffected, belowZero: usersBelowZero, users } = first.users.affected();
  const figures = {
    asOf: first.asOf,
    revision: sumOf(({ revision }) => revision),
    isExact: parts.every(({ isExact }) => isExact),
    refusal: first.refusal,
    bets: bets as unknown as PreviewedBets,
    moved: asMicros(parts.reduce((sum, { moved }) => sum + moved, 0n)),
    usersAffected,
    usersBelowZero,
  };
  return { figures, moving: sumOf(({ moving }) => moving), users };
}

async function computePart(
  snapshot: Tx,
  { accountId, operation }: { readonly accountId: bigint; readonly operation: SingleOperation },
  { mostBets, goOn, onProgress }: ComputeOptions,
): Promise<PartOfPreview | 'too-large'> {
  const whole = wholeOperation(operation);
  const { wagers, betIds, pendingBets: pending } = needsOf(whole);
  const [named] = wagers;
  const reference = named !== undefined && 'reference' in named ? named.reference : undefined;
  const { asOf, now, decimals, found } = await readPreviewedWager(snapshot, accountId, { reference, betId: betIds[0] });
  const wager = found?.wager;
  const tally = new PreviewTally({ id: accountId, decimals }, whole, now);
  // An operation on a whole wager is refused, or not, without a look at its bets.
  tally.add(wager, wager === undefined ? [] : await readNamedBets(snapshot, accountId, betIds));
  let moving = 0;
  if (tally.refusal === null && wager !== undefined && pending !== null) {
    const read = await readAllMoving(snapshot, accountId, { wager, pending, mostBets });
    if (read === 'too-large') return 'too-large';
    for await (const bets of read.batches) {
      tally.add(wager, bets);
      if (tally.refusal !== null) break;
      moving += bets.length;
      onProgress?.(moving, read.total);
      goOn();
    }
  }
  const { refusal, bets, moved, users } = tally;
  if (wager !== undefined) await noteUsers(snapshot, { accountId, wagerId: wager.id, sums: users }, goOn);
  return { asOf, revision: found?.revision ?? 0, isExact: isFixed(wager), refusal, bets, moved, users, moving };
}

interface AllMoving {
  readonly total: number;
  readonly batches: AsyncIterable<readonly Bet[]> | Iterable<readonly Bet[]>;
}

async function readAllMoving(
  snapshot: Tx,
  accountId: bigint,
  { wager, pending, mostBets }: { wager: Wager; pending: PendingBetsNeed; mostBets: number },
): Promise<AllMoving | 'too-large'> {
  const read = { wager, pending, batch: BETS_OF_BATCH };
  const few = await readFewMoving(snapshot, accountId, read);
  const total = few?.length ?? (await countMoving(snapshot, accountId, { wager, pending, most: mostBets + 1 }));
  if (total > mostBets) return 'too-large';
  return { total, batches: few === undefined ? readMoving(snapshot, accountId, read) : [few] };
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
