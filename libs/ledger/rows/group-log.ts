import type { Book } from '#core/book.js';
import type { LedgerEvent, WagerFacts } from '#core/changes.js';
import type { EventKind, TrailEntry, Transaction } from '#core/records.js';
import { type EventCause, UNKNOWN_CAUSE } from '#events/event-cause.js';
import type { EventExtra, EventRef, LoggedEvent, LoggedGroup } from '#events/log-events.js';
import { storedPendingCancel } from '../pending-cancels.js';

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
  readonly events: LedgerEvent[];
}

/** Of a trail entry or a transaction. */
export type RefOf = (row: TrailEntry | Transaction) => EventRef;

/** Each of them raises the revision of its wager: who has seen a preview can tell whether another decision came since. */
const deciding: ReadonlySet<EventKind> = new Set<EventKind>([
  'wager.decided',
  'wager.corrected',
  'bet.overridden',
  'bet.activated',
  'bet.deactivated',
]);

function revisedBy(event: LedgerEvent): bigint | undefined {
  if (!deciding.has(event.kind)) return undefined;
  if ('wager' in event) return event.wager.id;
  return 'trail' in event ? event.trail.wagerId : undefined;
}

/** The events of a group of tasks, by account, for the last statement of its transaction. */
export class GroupLog {
  readonly #operations = new Map<bigint, CollectedOperation[]>();
  readonly #revised = new Map<string, { readonly accountId: bigint; readonly id: bigint }>();

  constructor(private readonly run: GroupRun) {}

  /** Called after each task: takes the events of this task out of its Book. A refused task has left none. */
  collect(book: Book, { accountId, cause = UNKNOWN_CAUSE }: CausedTask): void {
    const events = book.journal.takeEvents();
    if (events.length === 0) return;
    for (const event of events) {
      const id = revisedBy(event);
      if (id !== undefined) this.#revised.set(`${accountId} ${id}`, { accountId, id });
    }
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

  /** The wagers that were decided or corrected, or a bet of which was. */
  get revisedWagers() {
    return [...this.#revised.values()];
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
      ...(accountId === first && { runId: run.id }),
    }));
  }
}

function loggedEvent(event: LedgerEvent, refOf: RefOf): LoggedEvent {
  const { kind } = event;
  if ('wager' in event) return { kind, ref: event.wager.id, extra: wagerExtra(event.facts) };
  if ('transaction' in event) return { kind, ref: refOf(event.transaction) };
  const { trail } = event;
  const rest = trail.restBetId === null ? undefined : { rest_bet_id: Number(trail.restBetId) };
  return { kind, ref: refOf(trail), extra: rest };
}

function wagerExtra({ outcome, canceling }: WagerFacts): EventExtra | undefined {
  if (canceling !== undefined) return { canceling: storedPendingCancel(canceling) };
  return outcome === undefined ? undefined : { outcome };
}
