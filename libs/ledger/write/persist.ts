import type { Changes } from '#core/changes.js';
import type { Bet, Position, TrailEntry, Transaction, User, Wager } from '#core/records.js';
import { groupRecords } from '#events/logged-events.js';
import { answerRecord, type StoredAnswer } from '#idempotency/stored-answers.js';
import type { NewEntry, OutboxEntry } from '#jobs/outbox.js';
import { type Field, records, scalars } from '#platform/database/array-literal.js';
import type { Tx } from '#platform/database/database.js';
import { runPrepared, type TextRow } from '#platform/database/statements.js';
import { storedAdminAction } from '../load/loaded-rows.js';
import { pendingCancelsJson } from '../pending-cancels.js';
import type { GroupLog, RefOf } from './group-log.js';
import { newReferences } from './references.js';
import { type CompactChanges, type PlacedTransaction, type SettledBet, withoutSettled } from './settled-bets.js';

/** The offers of a wager that got an acceptor. */
export interface MatchedWager {
  readonly wagerId: bigint;
  readonly bets: number;
  readonly amount: bigint;
  /** The one that got it last. */
  readonly lastBetId: bigint;
}

/** By how much the totals of an account's lists, and those of its wagers, change. */
export interface TotalsDifference {
  readonly bets: number;
  readonly openBets: number;
  readonly openAmount: bigint;
  readonly transactions: number;
  readonly matches: readonly MatchedWager[];
}

/** The changes of one account's Book. */
export interface AccountChanges extends Changes {
  readonly accountId: bigint;
  readonly totals: TotalsDifference;
}

/** Whether money comes in or goes out. */
export const hasMoves = ({ transactions }: AccountChanges): boolean => transactions.some(({ trail }) => trail === null);

export interface StoredTransaction {
  readonly id: bigint;
  readonly reference: string;
  readonly createdAt: Date;
}

export type StoredTransactions = Map<Transaction, StoredTransaction>;

export interface GroupWrite {
  readonly changes: readonly AccountChanges[];
  readonly answers: readonly StoredAnswer[];
  readonly entries: readonly NewEntry[];
  /** With the last call of the transaction: the events of all its calls. */
  readonly log?: GroupLog;
}

/** The ids that earlier calls of the transaction have stored rows by. */
export type TrailIds = ReadonlyMap<TrailEntry, bigint>;

export interface StoredBefore {
  readonly stored: StoredTransactions;
  readonly trailIds: TrailIds;
}

export interface Written {
  /** Fundings and withdrawals. */
  readonly stored: StoredTransactions;
  readonly entries: OutboxEntry[];
  /** Unless the call ended the transaction. */
  readonly trailIds: Map<TrailEntry, bigint>;
}

interface Owned<Item> {
  readonly accountId: bigint;
  readonly item: Item;
}

/** The items of one kind, of all accounts. */
function owned<From extends { readonly accountId: bigint }, Item>(
  all: readonly From[],
  pick: (changes: From) => readonly Item[],
): Owned<Item>[] {
  return all.flatMap((changes) => pick(changes).map((item) => ({ accountId: changes.accountId, item })));
}

const jsonOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

const wagerRecord = ({ accountId, item: wager }: Owned<Wager>): Field[] => [
  ...[accountId, wager.id, wager.reference, wager.outcome],
  jsonOf(wager.forcedBy && storedAdminAction(wager.forcedBy)),
  ...[wager.isSettling, pendingCancelsJson(wager.pendingCancels)],
];

const statesOf = (bet: Bet): Field[] => [
  ...[bet.offerStatus, bet.acceptingUserId, bet.effectiveOdds, bet.effectiveAmount, bet.overrideOutcome],
  ...[bet.settledOutcome, bet.isActive],
];

const newBetRecord = ({ accountId, item: bet }: Owned<Bet>, meta: unknown): Field[] => [
  ...[accountId, bet.id, bet.wagerId, bet.requestingUserId, bet.requestingOdds, bet.requestingAmount, bet.queuePlace],
  ...[scalars(bet.allowedAcceptorIds), jsonOf(meta), ...statesOf(bet)],
];

const balanceRecord = ({ accountId, item }: Owned<User>): Field[] => [accountId, item.id, item.balance, item.exposure];

const matchRecord = ({ accountId, item }: Owned<MatchedWager>): Field[] => [
  ...[accountId, item.wagerId, item.bets, item.amount, item.lastBetId],
];

const positionRecord = ({ accountId, item }: Owned<Position>): Field[] => [
  ...[accountId, item.userId, item.wagerId, item.win, item.loss, item.offered],
];

const trailRecord = ({ accountId, item: trail }: Owned<TrailEntry>): Field[] => [
  ...[accountId, trail.betId, trail.wagerId, trail.offerStatus, trail.description, trail.outcome],
  ...[trail.overrideOutcome, trail.requestingOdds, trail.requestingAmount, trail.effectiveOdds, trail.effectiveAmount],
];

const settledRecord = ({ accountId, item }: Owned<SettledBet>, reference: string): Field[] => [
  ...[accountId, item.bet.id, item.outcome, item.movement, item.description, reference],
  ...[item.requesterBalance, item.acceptorBalance, item.place],
];

const transactionRecord = (
  { accountId, item: { transaction, place } }: Owned<PlacedTransaction>,
  reference: string,
  trailPlace: number | null,
): Field[] => [
  ...[accountId, transaction.userId, reference, transaction.amount, transaction.description],
  ...[transaction.transactionType, transaction.transactionSource, trailPlace, transaction.balanceAfter, place],
];

/** Without the settled bets; places count over all accounts, from 1. */
function compacted(all: readonly AccountChanges[]): (CompactChanges & { readonly accountId: bigint })[] {
  let place = 1;
  return all.map((changes) => {
    const compact = withoutSettled(changes, place);
    place += changes.transactions.length;
    return { accountId: changes.accountId, ...compact };
  });
}

const isMoving = ({ totals }: AccountChanges): boolean =>
  totals.bets !== 0 || totals.openBets !== 0 || totals.openAmount !== 0n || totals.transactions !== 0;

const TEXT = 'SELECT * FROM write_group($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)';

/**
 * Writes everything that a group of tasks decided, in one call of the function `write_group`. It sends the call when the
 * earlier ones have ended.
 */
export async function persist(tx: Tx, group: GroupWrite, storedBefore: () => Promise<StoredBefore>): Promise<Written> {
  const { changes: all, answers, entries, log } = group;
  const rest = compacted(all);
  const metas = new Map(all.flatMap((changes) => [...changes.metas]));
  const trails = owned(rest, (changes) => changes.trails);
  const placeOf = new Map<TrailEntry | null, number>(trails.map(({ item }, index) => [item, index + 1]));
  const transactions = owned(rest, (changes) => changes.transactions);
  const settled = owned(rest, (changes) => changes.settled);
  const newTrails = [...trails.map(({ item }) => item), ...settled.map(({ item }) => item.trail)];
  const references = newReferences(transactions.length + settled.length);
  const referenceOf = (index: number) => references[index] ?? '';
  const recordsOf = <Item>(
    pick: (changes: AccountChanges) => readonly Item[],
    record: (item: Owned<Item>) => Field[],
  ) => records(owned(all, pick), record);
  const values = [
    recordsOf(({ insertedWagers }) => insertedWagers, wagerRecord),
    recordsOf(({ updatedWagers }) => updatedWagers, wagerRecord),
    recordsOf(
      ({ insertedBets }) => insertedBets,
      (bet) => newBetRecord(bet, metas.get(bet.item)),
    ),
    records(
      owned(rest, ({ updatedBets }) => updatedBets),
      ({ accountId, item }) => [accountId, item.id, ...statesOf(item)],
    ),
    recordsOf(({ users }) => users, balanceRecord),
    recordsOf(({ insertedPositions }) => insertedPositions, positionRecord),
    recordsOf(({ updatedPositions }) => updatedPositions, positionRecord),
    records(trails, trailRecord),
    records(transactions, (owned, index) =>
      transactionRecord(owned, referenceOf(index), placeOf.get(owned.item.transaction.trail) ?? null),
    ),
    records(settled, (bet, index) => settledRecord(bet, referenceOf(transactions.length + index))),
    records(all.filter(isMoving), ({ accountId, totals }) => [
      ...[accountId, totals.bets, totals.openBets, totals.openAmount, totals.transactions],
    ]),
    records(answers, answerRecord),
    records(entries, ({ accountId, topic, payload }) => [accountId, topic, JSON.stringify(payload)]),
    recordsOf(({ totals }) => totals.matches, matchRecord),
  ];
  const before = await storedBefore();
  values.push(log === undefined ? null : groupRecords(log.groups(refsIn(before, newTrails, transactions))));
  if (values.every((value) => value === null)) return { stored: new Map(), entries: [], trailIds: new Map() };
  const rows = await runPrepared(tx, { name: 'write group', text: TEXT, values });
  const moves = new Map(transactions.map(({ item }, index) => [referenceOf(index), item.transaction]));
  return writtenOf(rows, { moves, entries, newTrails });
}

/** A row of this call is named by its place among the ids that the call draws: trail entries, then transactions. */
function refsIn(
  { stored, trailIds }: StoredBefore,
  newTrails: readonly TrailEntry[],
  transactions: readonly Owned<PlacedTransaction>[],
): RefOf {
  const places = new Map<TrailEntry | Transaction, number>(newTrails.map((trail, index) => [trail, index + 1]));
  for (const { item } of transactions) places.set(item.transaction, newTrails.length + item.place);
  return (row) => {
    const place = places.get(row);
    const id =
      place === undefined ? (trailIds.get(row as TrailEntry) ?? stored.get(row as Transaction)?.id) : undefined;
    if (place === undefined && id === undefined) throw new Error('an event is about a row that is not written');
    return id ?? BigInt(-Number(place));
  };
}

interface Expected {
  readonly moves: ReadonlyMap<string, Transaction>;
  readonly entries: readonly NewEntry[];
  readonly newTrails: readonly TrailEntry[];
}

function noteTrailIds(trailIds: Map<TrailEntry, bigint>, trails: readonly TrailEntry[], ids: string): void {
  for (const [index, id] of ids.split(' ').entries()) {
    const trail = trails[index];
    if (trail !== undefined) trailIds.set(trail, BigInt(id));
  }
}

/** Columns of the type `written_row`: kind, place, id, reference, created_at. */
function writtenOf(rows: readonly TextRow[], { moves, entries, newTrails }: Expected): Written {
  const written: Written = { stored: new Map(), entries: [], trailIds: new Map() };
  for (const [kind, place, id, reference, createdText] of rows) {
    const row = { id: BigInt(id ?? 0), createdAt: new Date(createdText ?? 0) };
    const entry = entries[Number(place) - 1];
    const move = moves.get(reference ?? '');
    if (kind === 'trails') noteTrailIds(written.trailIds, newTrails, reference ?? '');
    else if (kind === 'entry' && entry !== undefined) written.entries.push({ ...entry, ...row });
    else if (move !== undefined && reference != null) written.stored.set(move, { ...row, reference });
  }
  return written;
}
