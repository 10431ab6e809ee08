import type {
  Bet,
  EventKind,
  Moment,
  Outcome,
  PendingCancel,
  Position,
  TrailEntry,
  Transaction,
  User,
  Wager,
  WagerKind,
} from './records.js';

/* What operations change in a Book, and the way back for an attempt that fails. */

/** The records that the ledger has to write. Trail entries and transactions stand in the order in which they arose. */
export interface Changes {
  readonly insertedWagers: readonly Wager[];
  readonly updatedWagers: readonly Wager[];
  readonly insertedBets: readonly Bet[];
  readonly updatedBets: readonly Bet[];
  /** Free data of the business, by the inserted bet that a caller gave it to. The core never reads it. */
  readonly metas: ReadonlyMap<Bet, unknown>;
  /** Users whose balance or exposure changed. */
  readonly users: readonly User[];
  readonly insertedPositions: readonly Position[];
  readonly updatedPositions: readonly Position[];
  readonly trails: readonly TrailEntry[];
  readonly transactions: readonly Transaction[];
}

export const NO_CHANGES: Changes = {
  insertedWagers: [],
  updatedWagers: [],
  insertedBets: [],
  updatedBets: [],
  metas: new Map(),
  users: [],
  insertedPositions: [],
  updatedPositions: [],
  trails: [],
  transactions: [],
};

/** Asynchronous work that an operation calls for: the ledger stores it in the same Tx as the operation's changes. */
export interface FollowUp {
  readonly kind: 'settle-wager' | 'check-portfolios' | 'cancel-offers';
  readonly wagerId: bigint;
}

/** What readers of the event log are told of a wager beside its id: later it may be otherwise. */
export interface WagerFacts {
  readonly outcome?: Outcome;
  readonly voidMatchedAfter?: Moment | null;
  readonly canceling?: PendingCancel;
  readonly reason?: string | null;
  readonly closesAt?: Moment | null;
  readonly event?: string | null;
  readonly startsAt?: Moment | null;
}

/** An entry of the account's event log, in the order in which they arose. */
export type LedgerEvent =
  | { readonly kind: EventKind; readonly trail: TrailEntry }
  | { readonly kind: 'transaction.created'; readonly transaction: Transaction }
  | { readonly kind: WagerKind; readonly wager: Wager; readonly facts: WagerFacts };

/**
 * The Book's rows of one kind, by key. `inserted` and `updated` are the rows that the ledger has to write. For undoing,
 * the table copies each row at its first change in an attempt, so an undo costs as much as the attempt changed.
 */
export class Table<Key, Row extends object> {
  readonly inserted = new Set<Row>();
  readonly updated = new Set<Row>();
  readonly #rows = new Map<Key, Row>();
  /** Of these rows, those that are not stored: when they change, they count as inserted. */
  readonly #unstored = new Set<Row>();
  /** Each row that the attempt touched, as it was before; null: the attempt inserted it. */
  readonly #saved = new Map<Row, Row | null>();
  /** The rows that the attempt put among `inserted` or `updated`: an undo takes them out again. */
  readonly #marked: Row[] = [];

  constructor(
    private readonly keyOf: (row: Row) => Key,
    /** One for each kind of rows: a function that copies few shapes is fast (docs/decisions/0053-what-v8-likes.md). */
    private readonly copyOf: (row: Row) => Row,
  ) {}

  get(key: Key): Row | undefined {
    return this.#rows.get(key);
  }

  values(): Iterable<Row> {
    return this.#rows.values();
  }

  /** Adds a stored row. False: it was loaded before, and stays as it is, because it may have changed since. */
  load(row: Row): boolean {
    const key = this.keyOf(row);
    if (this.#rows.has(key)) return false;
    this.#rows.set(key, row);
    return true;
  }

  /** Adds a row that is not stored, with the figures that it has without being stored. */
  loadUnstored(row: Row): void {
    if (this.load(row)) this.#unstored.add(row);
  }

  insert(row: Row): void {
    this.#rows.set(this.keyOf(row), row);
    this.inserted.add(row);
    this.#saved.set(row, null);
    this.#marked.push(row);
  }

  /** Hands the inserted rows over to the caller, who must write them. Call it between two attempts. */
  takeInserted(): Row[] {
    const rows = [...this.inserted];
    this.inserted.clear();
    for (const row of rows) this.#unstored.delete(row);
    return rows;
  }

  /** As `takeInserted`. */
  takeUpdated(): Row[] {
    const rows = [...this.updated];
    this.updated.clear();
    return rows;
  }

  /** Must be called before the row is changed. */
  touch(row: Row): void {
    if (this.#saved.has(row)) return;
    this.#saved.set(row, this.copyOf(row));
    if (this.inserted.has(row) || this.updated.has(row)) return;
    (this.#unstored.has(row) ? this.inserted : this.updated).add(row);
    this.#marked.push(row);
  }

  /** The rows that the present attempt touched. */
  touched(): Iterable<Row> {
    return this.#saved.keys();
  }

  /** The row as it was when the present attempt began; undefined: it was not there. */
  before(row: Row): Row | undefined {
    const saved = this.#saved.get(row);
    return saved === undefined ? row : (saved ?? undefined);
  }

  /** Ends the attempt: its changes stay. */
  confirm(): void {
    this.#end();
  }

  /** Restores all rows of the attempt, the latest touched first. */
  undo({ onRemoved, onRestored }: { onRemoved?: (row: Row) => void; onRestored?: (row: Row) => void } = {}): void {
    for (const row of this.#marked) {
      this.inserted.delete(row);
      this.updated.delete(row);
    }
    for (const [row, saved] of [...this.#saved].reverse()) {
      if (saved === null) {
        this.#rows.delete(this.keyOf(row));
        onRemoved?.(row);
      } else {
        Object.assign(row, saved);
        onRestored?.(row);
      }
    }
    this.#end();
  }

  #end(): void {
    this.#saved.clear();
    this.#marked.length = 0;
  }
}

/** What the operations on a Book leave behind beside its records: lists that only grow, until the ledger takes them. */
export class Journal {
  readonly trails: TrailEntry[] = [];
  readonly transactions: Transaction[] = [];
  readonly followUps: FollowUp[] = [];
  readonly #events: LedgerEvent[] = [];

  /** Returns the way back to here, for an attempt that fails. */
  undoPoint(): () => void {
    const all = [this.trails, this.transactions, this.followUps, this.#events];
    const lists = all.map((list) => ({ list, length: list.length }));
    return () => {
      for (const { list, length } of lists) list.length = length;
    };
  }

  addTrail(trail: TrailEntry): void {
    this.trails.push(trail);
    for (const kind of trail.kinds) this.addEvent({ kind, trail });
  }

  /** A bet's transactions belong to the event of its step. */
  addTransaction(transaction: Transaction): void {
    this.transactions.push(transaction);
    if (transaction.trail === null) this.addEvent({ kind: 'transaction.created', transaction });
  }

  addFollowUp(work: FollowUp): void {
    this.followUps.push(work);
  }

  addEvent(event: LedgerEvent): void {
    this.#events.push(event);
  }

  /** Takes out the events that arose since the last call. Call it between two attempts. */
  takeEvents(): LedgerEvent[] {
    return this.#events.splice(0);
  }
}

/** Ids that the ledger reserved for a Book. An undone attempt gives its ids back for the next one. */
export class ReservedIds {
  /** In the order in which they were drawn the first time. */
  readonly #known: bigint[] = [];
  readonly #next: () => bigint;
  #drawnCount = 0;

  constructor(next: () => bigint) {
    this.#next = next;
  }

  draw(): bigint {
    const id = this.peek();
    this.#drawnCount += 1;
    return id;
  }

  /** The id that the next draw returns. */
  peek(): bigint {
    const id = this.#known[this.#drawnCount] ?? this.#next();
    this.#known[this.#drawnCount] = id;
    return id;
  }

  /** Returns the way back to here, for an attempt that fails: the next one draws the same ids. */
  undoPoint(): () => void {
    const count = this.#drawnCount;
    return () => {
      this.#drawnCount = count;
    };
  }
}
