import type { ChunkSettled } from '#core/decide-wager.js';
import { execute, needsOf } from '#core/operation.js';
import type { EventCause } from '#events/event-cause.js';
import type { AccountLocks } from '#jobs/account-lock.js';
import { findUndoneEntry, markDone, markWagerSettled, type OutboxEntry, type WagerEntryKey } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import { currentTraceId } from '#platform/logging/trace-context.js';
import { countPendingOf } from './pending-bets.js';
import type { Task, TaskResult } from './task.js';
import type { UnitOfWork } from './unit-of-work.js';

/**
 * The unit of work writes one part of a chunk while the core decides the next, which takes less time. The first part is small,
 * so that PostgreSQL begins early.
 */
const FIRST_PART = 50;
const PART_GROWTH = 1.5;
const LARGEST_PART = 400;

/** One turn of a job at settling a wager. */
export interface SettlementTurn {
  /** How many bets were pending before the first chunk; undefined: they are to be counted. */
  readonly total: number | undefined;
  /** Asked before each chunk but the first. */
  mayGoOn(): boolean;
  /** Called after the commit of each chunk. The next one may be at work already. */
  onSettled(settledCount: number, total: number): Promise<void>;
}

/** `busy`: another job of the account is at work. `more`: bets are left. */
type TurnEnd = 'busy' | 'more' | 'done';

export interface Settlement {
  /** Settles the wager's bets in chunks, each in one transaction, until none is left or the turn ends. */
  settle(job: WagerEntryKey, turn: SettlementTurn): Promise<TurnEnd>;
}

export interface SettlementOptions {
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly locks: AccountLocks;
  /** How many bets move in one transaction. */
  readonly chunk: number;
}

/** Of the request that made the outbox entry. */
export const causeOfEntry = ({ payload }: OutboxEntry): EventCause => ({
  actor: 'worker',
  requestId: payload.requestId ?? null,
});

/** How many bets each part of such a chunk has. */
function partsOf(chunk: number): number[] {
  const parts: number[] = [];
  let next = FIRST_PART;
  for (let left = chunk; left > 0; next = Math.min(Math.ceil(next * PART_GROWTH), LARGEST_PART)) {
    parts.push(Math.min(next, left));
    left -= next;
  }
  return parts;
}

type PartsSettled = Pick<ChunkSettled, 'settledCount' | 'isComplete'>;

/** A chunk that has begun. */
interface Chunk {
  /** Resolves when all of its bets are decided, with whether none is left; also when it fails. */
  readonly decided: Promise<Pick<ChunkSettled, 'isComplete'>>;
  /** Resolves after its commit. */
  readonly settled: Promise<PartsSettled>;
}

interface ChunkOptions {
  /** How many bets each part has. */
  readonly parts: readonly number[];
  readonly cause: EventCause;
  /** Called when the last part is decided. */
  onDecided(lastPart: ChunkSettled): void;
}

/** A chunk is a group of tasks, each of which settles a part of it. The first task's needs load the bets of all parts. */
function chunkTasks({ accountId, wagerId }: WagerEntryKey, { parts, cause, onDecided }: ChunkOptions) {
  const bound = parts.reduce((sum, part) => sum + part, 0);
  const needs = needsOf({ type: 'settle_chunk', wagerId, bound });
  return parts.map(
    (part, index): Task<ChunkSettled> => ({
      accountId,
      needs: index === 0 ? [needs] : [],
      run: (book) => {
        const answer = execute(book, { type: 'settle_chunk', wagerId, bound: part });
        if (index === parts.length - 1 && 'isComplete' in answer) onDecided(answer);
        return answer;
      },
      traceId: currentTraceId(),
      cause,
    }),
  );
}

function wholeOf(results: readonly TaskResult[]): PartsSettled {
  const answers = results.map((result) => {
    if (result.kind !== 'done') throw new Error(`settling was ${result.kind}`);
    return result.answer as ChunkSettled;
  });
  const settledCount = answers.reduce((sum, answer) => sum + answer.settledCount, 0);
  return { settledCount, isComplete: answers.some(({ isComplete }) => isComplete) };
}

/**
 * The worker's part of deciding a wager. The rows say what is settled, so a chunk that runs twice, or whose commit was not
 * confirmed, moves nothing twice; and the job of a later decision finds the work of an earlier one done.
 */
export function createSettlement({ database, work, locks, chunk }: SettlementOptions): Settlement {
  const parts = partsOf(chunk);

  function begin(job: WagerEntryKey, cause: EventCause): Chunk {
    let tellDecided: (part: Pick<ChunkSettled, 'isComplete'>) => void = () => undefined;
    const decided = new Promise<Pick<ChunkSettled, 'isComplete'>>((resolve) => {
      tellDecided = resolve;
    });
    const settled = work.runWaiting(chunkTasks(job, { parts, cause, onDecided: tellDecided })).then(wholeOf);
    settled.catch(() => tellDecided({ isComplete: true }));
    return { decided, settled };
  }

  /**
   * The next chunk begins when one is decided. Its transaction waits in PostgreSQL for the lock of the wager, so that it
   * loads its bets as soon as the one before has committed.
   */
  async function settleInTurn(job: WagerEntryKey, turn: SettlementTurn) {
    const tables = database.of(job.accountId);
    const entry = await findUndoneEntry(tables, job);
    if (entry === undefined) return 'done';
    const total = turn.total ?? (await countPendingOf(tables, job));
    const cause = causeOfEntry(entry);
    let next: Chunk | undefined = begin(job, cause);
    try {
      while (next !== undefined) {
        const present: Chunk = next;
        const isLast = (await present.decided).isComplete || !turn.mayGoOn();
        next = isLast ? undefined : begin(job, cause);
        const { settledCount, isComplete } = await present.settled;
        await turn.onSettled(settledCount, total);
        if (isComplete) {
          await markDone(tables, job);
          await markWagerSettled(tables, job);
          return 'done';
        }
      }
      return 'more';
    } finally {
      // Whoever gets the account's lock next finds no chunk at work. One that has begun behind a failed one may succeed.
      await next?.settled.then(({ settledCount }) => turn.onSettled(settledCount, total)).catch(() => undefined);
    }
  }

  return {
    settle: async (job, turn) => (await locks.tryHolding(job.accountId, () => settleInTurn(job, turn))) ?? 'busy',
  };
}
