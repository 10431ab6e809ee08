import type { Book } from '#core/book.js';
import { NO_NEEDS } from '#core/needs.js';
import { MoreOffers } from '#core/offers.js';
import { type BatchItem, execute, executeBatch, type Failure, needsOf, type Operation } from '#core/operation.js';
import type { EventKind } from '#core/records.js';
import { Rejection } from '#core/rejection.js';
import { UNKNOWN_CAUSE } from '#events/event-cause.js';
import type { LoggedEvent } from '#events/log-events.js';
import { lookUpOnce, refusalToStore, successToStore } from '#idempotency/idempotency.js';
import type { Replayed } from '#idempotency/stored-answers.js';
import { type Call, refusalOf } from '#ledger/ledger.js';
import type { Task, TaskResult } from '#ledger/task.js';
import { TakenBack, type UnitOfWork } from '#ledger/unit-of-work.js';
import type { Database, Tx } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import { currentTraceId } from '#platform/logging/trace-context.js';
import type { ChangeRequest, Person } from './change-request.js';

/** What one transaction does, once it has locked what it is about and looked at it. */
export interface Plan<Answer> {
  /** Undefined: nothing of the ledger happens. */
  readonly effect: Effect | undefined;
  doneAs(answer: unknown): Answer;
  /** Undefined: a refusal of the operation undoes all. */
  readonly refusedAs?: ((rejection: Rejection) => Answer) | undefined;
  /** Writes the rows of requests, and returns the events that follow those of the operation. */
  write(answer: Answer): Promise<readonly LoggedEvent[]>;
  /** For the Idempotency-Key. */
  readonly status?: number;
  body(answer: Answer): object;
}

export type Effect = Pick<Task, 'needs' | 'run'>;

export const effectOf = (operation: Operation): Effect => ({
  needs: [needsOf(operation)],
  run: (book) => execute(book, operation),
});

/** One after the other. A refusal of one before the last does not matter: there was nothing to do. */
export const effectsOf = (operations: readonly Operation[]): Effect => ({
  needs: operations.map(needsOf),
  run: (book) => operations.map((operation) => execute(book, operation) as unknown).at(-1),
});

export const batchEffect = (items: readonly BatchItem[]): Effect => ({
  needs: items.map(({ operation }) => needsOf(operation)),
  run: (book) => executeBatch(book, items),
});

export interface PlanContext {
  readonly database: Database;
  readonly work: Pick<UnitOfWork, 'runAfter'>;
}

export interface PlanScope {
  readonly accountId: bigint;
  readonly call: Call;
}

/** The key of the request has an answer already. */
class AlreadyAnswered extends TakenBack {
  override readonly name = 'AlreadyAnswered';

  constructor(readonly replayed: Replayed) {
    super('the request is answered already');
  }
}

/** Makes a plan and does it: locks, looks and effects are one transaction. A run that is tried again makes a new one. */
export function runPlan<Answer>(
  { database, work }: PlanContext,
  { accountId, call }: PlanScope,
  makePlan: (tx: Tx) => Promise<Plan<Answer>>,
): Promise<Answer | Replayed> {
  async function run(): Promise<Answer | Replayed> {
    try {
      const [result] = await work.runAfter(accountId, async (tx) => {
        const plan = await makePlan(tx);
        const { cause = UNKNOWN_CAUSE } = call;
        let events: readonly LoggedEvent[] = [];
        return {
          tasks: [taskOf(accountId, plan, call)],
          created: { cause, events: [] },
          judge: async ([judged]) => {
            events = await plan.write(answerOf<Answer>(judged));
          },
          concluded: () => ({ cause, events }),
        };
      });
      return answerOf<Answer>(result);
    } catch (error) {
      if (error instanceof AlreadyAnswered) return error.replayed;
      throw error;
    }
  }
  return lookUpOnce(database.of(accountId), call.idempotency, run);
}

function answerOf<Answer>(result: TaskResult | undefined): Answer {
  switch (result?.kind) {
    case 'done':
      return result.answer as Answer;
    case 'refused':
      throw refusalOf(result.rejection);
    case 'replayed':
      throw new AlreadyAnswered(result);
    case 'key-reused':
      throw new Refusal('key-reused');
    case undefined:
      throw new Error('a plan has no result');
  }
}

function taskOf<Answer>(accountId: bigint, plan: Plan<Answer>, { cause, idempotency }: Call): Task<Answer> {
  const stored = idempotency && { ...idempotency, status: plan.status ?? idempotency.status };
  return {
    accountId,
    needs: plan.effect?.needs ?? [NO_NEEDS],
    run: (book) => runEffect(book, plan),
    traceId: currentTraceId(),
    runs: undefined,
    cause,
    ...(stored && {
      idempotency: {
        request: stored,
        answerToStore: (result) =>
          result.kind === 'done'
            ? successToStore(stored, plan.body(result.answer))
            : refusalToStore(stored, refusalOf(result.rejection)),
      },
    }),
  };
}

function runEffect<Answer>(book: Book, { effect, doneAs, refusedAs }: Plan<Answer>): Answer | Failure {
  const result = effect?.run(book);
  if (result instanceof MoreOffers) return result;
  if (result instanceof Rejection) return refusedAs === undefined ? result : refusedAs(result);
  return doneAs(result);
}

type RequestEvent = Extract<EventKind, `change_request.${string}`>;

const shownPerson = (person: Person | undefined) =>
  person && { operator_id: person.id === null ? null : Number(person.id), name: person.name };

/** The event of a change of the request's state. It names both people, who may be gone when it is read. */
export const requestEvent = (kind: RequestEvent, request: ChangeRequest): LoggedEvent => ({
  kind,
  ref: request.id,
  extra: {
    operation: request.kind,
    made_by: shownPerson(request.madeBy),
    approved_by: shownPerson(request.approvedBy),
    decided_by: shownPerson(request.decidedBy),
    reason: request.decisionReason ?? request.reason ?? undefined,
    failure: request.failure ?? undefined,
  },
});
