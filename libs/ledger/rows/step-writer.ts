import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TrailEntry } from '#core/records.js';
import type { OutboxEntry } from '#jobs/outbox.js';
import type { Tx } from '#platform/database/database.js';
import { type AccountChanges, type GroupWrite, hasMoves, type StoredTransactions, writeGroup } from './write-group.js';

/**
 * Writes decided steps while the core decides the next ones, so that PostgreSQL and this process work at the same time. The
 * statements run one after the other in the open transaction.
 */
export class StepWriter {
  readonly stored: StoredTransactions = new Map();
  readonly entries: OutboxEntry[] = [];
  /** Of the trail entries that are written. */
  readonly trailIds = new Map<TrailEntry, bigint>();
  /** Whether money came in or went out, which `stored` shows when it is written. */
  hasMoved = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly tx: Tx) {}

  /** Starts to write; `write` reports the errors. */
  async writeMeanwhile(changes: readonly AccountChanges[]): Promise<void> {
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
    // It puts this statement into text while PostgreSQL runs the previous one, and sends it after that.
    const written = writeGroup(this.tx, group, () => previous.then(() => this));
    written.catch(() => undefined); // `writing` throws the error
    const writing = previous.then(async () => {
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
