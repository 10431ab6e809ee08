import type { Book, FollowUp } from '#core/book.js';
import { type NewEntry, type OutboxEntry, writeEntries } from '#jobs/outbox.js';
import type { Tx } from '#platform/database/database.js';
import { tracePayload } from '#platform/tracing/tracing.js';
import type { Task } from './task.js';

/** The work that a group of tasks calls for, each with the trace of the request that it follows from. */
export class FollowUps {
  readonly #entries = new Map<FollowUp, NewEntry>();

  /** After each task: what its Book calls for by now, and did not before. */
  collect(book: Book, { accountId, traceId }: Task): void {
    for (const work of book.followUps) {
      if (this.#entries.has(work)) continue;
      const payload = { wagerId: String(work.wagerId), ...tracePayload(traceId) };
      this.#entries.set(work, { accountId, topic: work.kind, payload });
    }
  }

  /** As outbox rows of the transaction that calls for it. */
  async write(tx: Tx): Promise<OutboxEntry[]> {
    return this.#entries.size === 0 ? [] : writeEntries(tx, [...this.#entries.values()]);
  }
}
