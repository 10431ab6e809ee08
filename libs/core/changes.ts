import type {
  Bet,
  EventKind,
  Outcome,
  PendingCancel,
  Position,
  TrailEntry,
  Transaction,
  User,
  Wager,
  WagerKind,
} from './records.js';

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
  readonly canceling?: PendingCancel;
}

/** An entry of the account's event log, in the order in which they arose. */
export type LedgerEvent =
  | { readonly kind: EventKind; readonly trail: TrailEntry }
  | { readonly kind: 'transaction.created'; readonly transaction: Transaction }
  | { readonly kind: WagerKind; readonly wager: Wager; readonly facts: WagerFacts };

/** What the operations on a Book leave behind beside its records: lists that only grow, until the ledger takes them. */
export class Journal {
  readonly trails: TrailEntry[] = [];
  readonly transactions: Transaction[] = [];
  readonly followUps: FollowUp[] = [];
  readonly #events: LedgerEvent[] = [];

  /** Returns the way back to here, for an attempt that fails. */
  mark(): () => void {
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
