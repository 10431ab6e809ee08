import type { Book } from '#core/book.js';
import type { FollowUp } from '#core/changes.js';
import type { NewEntry } from '#jobs/outbox.js';
import { tracePayload } from '#platform/logging/tracing.js';
import type { Task } from './task.js';

/** The background work that a group of tasks requires, each entry with the trace and the id of the request that caused it. */
export class FollowUps {
  readonly #entries = new Map<FollowUp, NewEntry>();

  /** Called after each task: collects the follow-ups that this task added to its Book. */
  collect(book: Book, { accountId, traceId, cause }: Task): void {
    for (const work of book.journal.followUps) {
      if (this.#entries.has(work)) continue;
      const request = cause?.requestId == null ? {} : { requestId: cause.requestId };
      const payload = { wagerId: String(work.wagerId), ...tracePayload(traceId), ...request };
      this.#entries.set(work, { accountId, topic: work.kind, payload });
    }
  }

  /** For the outbox, to be written in the transaction that requires them. */
  entries(): NewEntry[] {
    return [...this.#entries.values()];
  }
}
