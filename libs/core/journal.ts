import type { FollowUp, LedgerEvent } from './changes.js';
import type { TrailEntry, Transaction } from './records.js';

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
