import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tx } from '#platform/database/database.js';
import { type AccountChanges, persist, type StoredTransactions } from './persist.js';

/**
 * Writes what is decided, much of it while more is being decided: the database and this process then work at the same
 * time. One statement after the other, all in the open transaction.
 */
export class StepWriter {
  readonly stored: StoredTransactions = new Map();
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly tx: Tx) {}

  /** Begins to write; what goes wrong is told by `write`. */
  async writeMeanwhile(changes: readonly AccountChanges[]): Promise<void> {
    void this.#append(changes);
    // Until the statement has been sent: what is decided next keeps the process busy.
    await nextTurn();
  }

  /** When it resolves, everything is written. */
  async write(changes: readonly AccountChanges[]): Promise<void> {
    await this.#append(changes);
  }

  #append(changes: readonly AccountChanges[]): Promise<void> {
    const previous = this.#writing;
    const writing = previous.then(async () => {
      for (const [move, row] of await persist(this.tx, changes)) this.stored.set(move, row);
    });
    writing.catch(() => undefined); // whoever waits for the last one hears of it
    this.#writing = writing;
    return writing;
  }
}
