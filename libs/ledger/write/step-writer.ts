import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tx } from '#platform/database/database.js';
import { type AccountChanges, persist, type StoredTransactions } from './persist.js';

/**
 * Writes decided steps while the core decides the next ones, so that PostgreSQL and this process work at the same time. The
 * statements run one after the other in the open transaction.
 */
export class StepWriter {
  readonly stored: StoredTransactions = new Map();
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly tx: Tx) {}

  /** Starts to write; `write` reports the errors. */
  async writeMeanwhile(changes: readonly AccountChanges[]): Promise<void> {
    void this.#append(changes);
    // Gives Node the turn in which it sends the statement, before deciding more occupies the process.
    await nextTurn();
  }

  /** Resolves when everything is written. */
  async write(changes: readonly AccountChanges[]): Promise<void> {
    await this.#append(changes);
  }

  #append(changes: readonly AccountChanges[]): Promise<void> {
    const previous = this.#writing;
    const writing = previous.then(async () => {
      for (const [move, row] of await persist(this.tx, changes)) this.stored.set(move, row);
    });
    writing.catch(() => undefined); // `write` awaits the whole chain and throws the error
    this.#writing = writing;
    return writing;
  }
}
