import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Book } from '#core/book.js';
import type { Changes, LedgerEvent, WagerFacts } from '#core/changes.js';
import type { EventKind, TrailEntry, Transaction } from '#core/records.js';
import { type EventCause, UNKNOWN_CAUSE } from '#events/event-cause.js';
import {
  type EventExtra,
  type EventRef,
  groupRow,
  type LoggedEvent,
  type LoggedGroup,
  loggedGroup,
  NO_DECIMALS,
} from '#events/log-events.js';
import { type StoredAnswer, writtenAnswer } from '#idempotency/stored-answers.js';
import type { NewEntry, OutboxEntry } from '#jobs/outbox.js';
import type { Tx } from '#platform/database/database.js';
import { type OfAccount, ofAccounts, type RowOf, SqlFunction, type TextRow } from '#platform/database/statements.js';
import {
  changedBet,
  countedMatch,
  drawnIds,
  movedTotal,
  movedUser,
  positionRow,
  settledBet,
  storedEntry,
  storedMovement,
  storedPendingCancel,
  type TotalsDifference,
  wagerRow,
  writtenBet,
  writtenEntry,
  writtenTrail,
  writtenTransaction,
} from './row-types.js';
import { type CompactChanges, type NumberedTransaction, withoutSettled } from './settled-bets.js';

/** The changes of one account's Book. */
export interface BookChanges extends Changes {
  readonly accountId: bigint;
  readonly totals: TotalsDifference;
}

/** Whether money comes in or goes out. */
export const hasMoves = ({ transactions }: BookChanges): boolean => transactions.some(({ trail }) => trail === null);

export type StoredMovement = RowOf<typeof storedMovement>;

export type StoredMovements = Map<Transaction, StoredMovement>;

export interface GroupWrite {
  readonly changes: readonly BookChanges[];
  readonly answers: readonly StoredAnswer[];
  readonly entries: readonly NewEntry[];
  /** With the last call of the transaction: the events of all its calls. */
  readonly log?: GroupLog;
}

/** The ids of the trail entries that earlier calls of the transaction have stored. */
type TrailIds = ReadonlyMap<TrailEntry, bigint>;

interface StoredBefore {
  readonly stored: StoredMovements;
  readonly trailIds: TrailIds;
}

interface Written {
  /** Fundings and withdrawals. */
  readonly stored: StoredMovements;
  readonly entries: OutboxEntry[];
  /** Unless the call ended the transaction. */
  readonly trailIds: Map<TrailEntry, bigint>;
}

const nothingWritten = (): Written => ({ stored: new Map(), entries: [], trailIds: new Map() });

/** Without the settled bets; numbers count over all accounts. */
function compacted(all: readonly BookChanges[]): CompactChanges[] {
  let before = 0;
  return all.map(({ accountId, updatedBets, trails, transactions }) => {
    const numbered = transactions.map((transaction, index) => ({ transaction, number: before + index + 1 }));
    before += numbered.length;
    // Mostly no bet is settled.
    return transactions.every(({ trail }) => trail === null)
      ? { accountId, updatedBets, trails, transactions: numbered, settled: [] }
      : withoutSettled(accountId, { updatedBets, trails, transactions: numbered });
  });
}

type NewBet = Changes['insertedBets'][number] & { readonly meta: unknown };

/** Most bets have no meta, and need no copy. */
const newBetsOf = ({ insertedBets, metas }: Changes): readonly NewBet[] =>
  metas.size === 0
    ? (insertedBets as readonly NewBet[])
    : insertedBets.map((bet) => ({ meta: metas.get(bet) ?? null, ...bet }));

const transactionRow = (
  { accountId, item: { transaction, number } }: OfAccount<NumberedTransaction>,
  trailNumber: number | null,
): RowOf<typeof writtenTransaction> => ({
  accountId,
  number,
  userId: transaction.userId,
  amount: transaction.amount,
  description: transaction.description,
  transactionType: transaction.transactionType,
  transactionSource: transaction.transactionSource,
  trailNumber,
  balanceAfter: transaction.balanceAfter,
  ownReference: transaction.ownReference ?? null,
  meta: transaction.meta,
});

/** Its columns but the account. Most trail entries move no money, and none is copied that does not. */
type TrailRow = Omit<RowOf<typeof writtenTrail>, 'accountId'>;

/** Gives each trail entry the numbers of its first transaction and its last one. */
function numberedTrails(
  trails: readonly OfAccount<TrailEntry>[],
  transactions: readonly OfAccount<NumberedTransaction>[],
): OfAccount<TrailRow>[] {
  const numbers = new Map<TrailEntry | null, Pick<TrailRow, 'firstTransaction' | 'lastTransaction'>>();
  for (const { item } of transactions) {
    const { trail } = item.transaction;
    numbers.set(trail, {
      firstTransaction: numbers.get(trail)?.firstTransaction ?? item.number,
      lastTransaction: item.number,
    });
  }
  return trails.map(({ accountId, item }) => {
    const own = numbers.get(item);
    if (own === undefined) return { accountId, item: item as unknown as TrailRow };
    const { firstTransaction, lastTransaction } = own;
    return { accountId, item: { firstTransaction, lastTransaction, ...item } };
  });
}

const changesTotals = ({ totals }: BookChanges): boolean =>
  totals.bets !== 0 || totals.openBets !== 0 || totals.openAmount !== 0n || totals.transactions !== 0;

const write = new SqlFunction('write_group', [
  'newWagers',
  'wagers',
  'newBets',
  'bets',
  'users',
  'newPositions',
  'positions',
  'trails',
  'transactions',
  'settled',
  'totals',
  'matches',
  'answers',
  'entries',
  'log',
]);

/**
 * Writes everything that a group of tasks decided, in one call of the function `write_group`. The events refer to rows of
 * earlier calls, so the call that writes them waits for these. Any other call is sent at once, before the first `await`.
 */
async function writeGroup(tx: Tx, group: GroupWrite, storedBefore?: () => Promise<StoredBefore>): Promise<Written> {
  const { changes: all, answers, entries, log } = group;
  const compact = compacted(all);
  const trails = ofAccounts(compact, (changes) => changes.trails);
  const numberOf = new Map<TrailEntry | null, number>(trails.map(({ item }, index) => [item, index + 1]));
  const transactions = ofAccounts(compact, (changes) => changes.transactions);
  const settled = ofAccounts(compact, (changes) => changes.settled);
  const newTrails = [...trails.map(({ item }) => item), ...settled.map(({ item }) => item.trail)];
  const rows = {
    newWagers: wagerRow.literalOf(ofAccounts(all, ({ insertedWagers }) => insertedWagers)),
    wagers: wagerRow.literalOf(ofAccounts(all, ({ updatedWagers }) => updatedWagers)),
    newBets: writtenBet.literalOf(ofAccounts(all, newBetsOf)),
    bets: changedBet.literalOf(ofAccounts(compact, ({ updatedBets }) => updatedBets)),
    users: movedUser.literalOf(ofAccounts(all, ({ users }) => users)),
    newPositions: positionRow.literalOf(ofAccounts(all, ({ insertedPositions }) => insertedPositions)),
    positions: positionRow.literalOf(ofAccounts(all, ({ updatedPositions }) => updatedPositions)),
    trails: writtenTrail.literalOf(numberedTrails(trails, transactions)),
    transactions: writtenTransaction.literal(
      transactions.map((owned) => transactionRow(owned, numberOf.get(owned.item.transaction.trail) ?? null)),
    ),
    settled: settledBet.literalOf(settled),
    totals: movedTotal.literalOf(
      all.filter(changesTotals).map(({ accountId, totals }) => ({ accountId, item: totals })),
    ),
    matches: countedMatch.literalOf(ofAccounts(all, ({ totals }) => totals.matches)),
    answers: writtenAnswer.literal(answers),
    entries: writtenEntry.literal(entries),
  };
  const before = log === undefined || storedBefore === undefined ? nothingWritten() : await storedBefore();
  const groups = log === undefined ? [] : log.groups(refsIn(before, newTrails, transactions));
  const values = Object.assign(rows, { log: loggedGroup.literal(groups.map(groupRow)) });
  if (Object.values(values).every((value) => value === null)) return nothingWritten();
  const moves = new Map(transactions.map(({ item: { number, transaction } }) => [number, transaction]));
  return writtenOf(await write.call(tx, values), { moves, entries, newTrails });
}

/** A row of this call is referred to by its number among the ids that the call draws: trail entries, then transactions. */
function refsIn(
  { stored, trailIds }: StoredBefore,
  newTrails: readonly TrailEntry[],
  transactions: readonly OfAccount<NumberedTransaction>[],
): RefOf {
  const numbers = new Map<TrailEntry | Transaction, number>(newTrails.map((trail, index) => [trail, index + 1]));
  for (const { item } of transactions) numbers.set(item.transaction, newTrails.length + item.number);
  return (row) => {
    const drawn = numbers.get(row);
    if (drawn !== undefined) return { drawn };
    const id = trailIds.get(row as TrailEntry) ?? stored.get(row as Transaction)?.id;
    if (id === undefined) throw new Error('an event is about a row that is not written');
    return id;
  };
}

interface Expected {
  readonly moves: ReadonlyMap<number, Transaction>;
  readonly entries: readonly NewEntry[];
  readonly newTrails: readonly TrailEntry[];
}

/** Of rows of the type `result_row`. */
function writtenOf(rows: readonly TextRow[], { moves, entries, newTrails }: Expected): Written {
  const written = nothingWritten();
  for (const [kind, number, fields] of rows) {
    if (kind === 'movement') {
      written.stored.set(moves.get(Number(number)) as Transaction, storedMovement.read(fields as string));
    } else if (kind === 'entry') {
      const { accountId, topic, payload } = entries[Number(number) - 1] as NewEntry;
      const { id, createdAt } = storedEntry.read(fields as string);
      written.entries.push({ accountId, id, topic, payload, createdAt });
    } else {
      for (const [index, id] of drawnIds.read(fields as string).ids.entries()) {
        written.trailIds.set(newTrails[index] as TrailEntry, id);
      }
    }
  }
  return written;
}

/**
 * Writes decided steps while the core decides the next ones, so that PostgreSQL and this process work at the same time. The
 * statements run one after the other in the open transaction; after one that fails, PostgreSQL refuses the others.
 */
export class StepWriter {
  readonly stored: StoredMovements = new Map();
  readonly entries: OutboxEntry[] = [];
  /** Of the trail entries that are written. */
  readonly trailIds = new Map<TrailEntry, bigint>();
  /** Whether money came in or went out, which `stored` shows when it is written. */
  hasMoved = false;
  #writing: Promise<void> | undefined;

  constructor(readonly tx: Tx) {}

  get hasBegun(): boolean {
    return this.#writing !== undefined;
  }

  /** Starts to write; `write` reports the errors. */
  async writeMeanwhile(changes: readonly BookChanges[]): Promise<void> {
    // Other requests come between deciding and writing.
    await nextTurn();
    void this.#append({ changes, answers: [], entries: [] });
    // Gives Node the turn in which it sends the statement, before deciding more occupies the process.
    await nextTurn();
  }

  /** Resolves when everything is written. */
  async write(group: GroupWrite): Promise<void> {
    await this.#append(group);
  }

  #append(group: GroupWrite): Promise<void> {
    this.hasMoved ||= group.changes.some(hasMoves);
    const previous = this.#writing;
    const written = writeGroup(this.tx, group, previous && (() => previous.then(() => this)));
    written.catch(() => undefined); // `writing` throws the error
    const writing = (previous ?? Promise.resolve()).then(async () => {
      const { stored, entries, trailIds } = await written;
      for (const [trail, id] of trailIds) this.trailIds.set(trail, id);
      for (const [move, row] of stored) this.stored.set(move, row);
      this.entries.push(...entries);
    });
    writing.catch(() => undefined); // `write` awaits the whole chain and throws the error
    this.#writing = writing;
    return writing;
  }
}

/** A run of a group of tasks. */
export interface GroupRun {
  readonly id: string;
  /** The account whose log has the id, for the whole group. Undefined until the run writes events. */
  accountId: bigint | undefined;
}

/** The part of a task that its events show. */
interface CausedTask {
  readonly accountId: bigint;
  readonly cause?: EventCause | undefined;
}

interface CollectedOperation {
  readonly cause: EventCause;
  readonly events: (LedgerEvent | LoggedEvent)[];
}

/** Of a trail entry or a transaction. */
export type RefOf = (row: TrailEntry | Transaction) => EventRef;

/** The events of a group of tasks, by account, for the last statement of its transaction. */
export class GroupLog {
  readonly #operations = new Map<bigint, CollectedOperation[]>();
  readonly #decimals = new Map<bigint, number>();

  constructor(private readonly run: GroupRun) {}

  /** Called after each task: takes the events of this task out of its Book. A refused task has left none. */
  collect(book: Book, task: CausedTask): void {
    const events = book.journal.takeEvents();
    if (events.length === 0) return;
    this.#decimals.set(task.accountId, book.account.decimals ?? NO_DECIMALS);
    this.add(task, events);
  }

  /** Adds events of rows that are stored, or of a Book. The list becomes its own. */
  add({ accountId, cause = UNKNOWN_CAUSE }: CausedTask, events: (LedgerEvent | LoggedEvent)[]): void {
    if (events.length === 0) return;
    const operations = this.#operations.get(accountId) ?? [];
    this.#operations.set(accountId, operations);
    const last = operations.at(-1);
    // The tasks of one chunk have one cause.
    if (last?.cause === cause) last.events.push(...events);
    else operations.push({ cause, events });
  }

  get accountIds(): readonly bigint[] {
    return [...this.#operations.keys()];
  }

  get eventCount(): number {
    let count = 0;
    for (const operations of this.#operations.values()) for (const { events } of operations) count += events.length;
    return count;
  }

  /** The first one has the id of the run: one entry of its index is enough for the whole group. */
  groups(refOf: RefOf): LoggedGroup[] {
    const { run } = this;
    const [first] = this.#operations.keys();
    run.accountId = first;
    return [...this.#operations].map(([accountId, operations]) => ({
      accountId,
      operations: operations.map(({ cause, events }) => ({
        cause,
        events: events.map((event) => loggedEvent(event, refOf)),
      })),
      decimals: this.#decimals.get(accountId),
      ...(accountId === first && { runId: run.id }),
    }));
  }
}

function loggedEvent(event: LedgerEvent | LoggedEvent, refOf: RefOf): LoggedEvent {
  const { kind } = event;
  if ('ref' in event) return event;
  if ('wager' in event) return { kind, ref: event.wager.id, extra: wagerExtra(event.facts) };
  if ('transaction' in event) return { kind, ref: refOf(event.transaction) };
  const { trail } = event;
  return { kind, ref: refOf(trail), extra: trailExtra(kind, trail) };
}

function trailExtra(kind: EventKind, { restBetId, reason }: TrailEntry): EventExtra | undefined {
  if (restBetId !== null) return { rest_bet_id: Number(restBetId) };
  return reason === null || !kind.startsWith('offer.') ? undefined : { reason };
}

const textOfMoment = (moment: bigint | null | undefined) => (typeof moment === 'bigint' ? String(moment) : moment);

/** What a request has set of the wager. Undefined: nothing; JSON leaves such a field out. */
function scheduleExtra({ closesAt, event, startsAt }: WagerFacts): EventExtra | undefined {
  if (closesAt === undefined && event === undefined && startsAt === undefined) return undefined;
  return { closes_at: textOfMoment(closesAt), event, starts_at: textOfMoment(startsAt) };
}

function wagerExtra({ outcome, voidMatchedAfter, canceling, reason, ...schedule }: WagerFacts): EventExtra | undefined {
  if (canceling !== undefined) return { canceling: storedPendingCancel(canceling) };
  const scheduled = scheduleExtra(schedule);
  if (scheduled !== undefined) return scheduled;
  const why = reason == null ? undefined : { reason };
  if (outcome === undefined) return why;
  const voids = voidMatchedAfter == null ? undefined : { void_matched_after: String(voidMatchedAfter) };
  return { outcome, ...voids, ...why };
}
