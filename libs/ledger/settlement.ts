import type { ChunkSettled } from '#core/decide-wager.js';
import { execute, needsOf } from '#core/operation.js';
import type { EventCause } from '#events/event-cause.js';
import type { AccountLocks } from '#jobs/account-lock.js';
import { findUndoneEntry, markDone, markWagerSettled, type OutboxEntry, type WagerEntryKey } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import { currentTraceId } from '#platform/logging/trace-context.js';
import { countPendingOf } from './pending-bets.js';
import { answersOf, type Task, type TaskResult } from './task.js';
import { STEPS_OF_LARGE_GROUP, type UnitOfWork } from './unit-of-work.js';

/**
 * The unit of work writes one part of a chunk while the core decides the next. The first part is small, so that PostgreSQL begins
 * early. Each may be larger than the one before, because the core decides it in less time than PostgreSQL writes that one.
 */
const FIRST_PART = STEPS_OF_LARGE_GROUP;
const PART_GROWTH = 1.5;
/** Deciding a part keeps the process from all else for ten milliseconds. */
const LARGEST_PART = 400;

type SettledChunk = Pick<ChunkSettled, 'settledCount' | 'isComplete'>;

/** What a job's run of settling a wager asks and hears. */
export interface SettlementRun {
  /** How many bets were pending before the first chunk. Undefined: the settlement counts them. */
  readonly total: number | undefined;
  /** Whether another chunk may begin. Asked when all bets of the latest one are decided and some may be left. */
  mayGoOn(): boolean;
  /** Called after the commit of each chunk, also of one that has begun behind a failed one. */
  onSettled(chunk: SettledChunk, total: number): Promise<void>;
}

/** `busy`: another job of the account is at work. `more`: bets are left. */
export type RunEnd = 'busy' | 'more' | 'done';

export interface Settlement {
  /** Settles the wager's bets in chunks, each in one transaction, until none is left or the run must not go on. */
  settle(job: WagerEntryKey, run: SettlementRun): Promise<RunEnd>;
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
  let [left, size] = [chunk, FIRST_PART];
  while (left > 0) {
    parts.push(Math.min(size, left));
    left -= size;
    size = Math.min(Math.ceil(size * PART_GROWTH), LARGEST_PART);
  }
  return parts;
}

/** A chunk whose transaction has begun. */
interface ChunkAtWork {
  /** Whether bets may be left behind it, known when all of its own are decided; false when it fails before that. Never rejects. */
  readonly mayLeaveBets: Promise<boolean>;
  /** Resolves after its commit. */
  readonly settled: Promise<SettledChunk>;
}

interface ChunkOptions {
  /** How many bets it moves at most. */
  readonly bound: number;
  readonly cause: EventCause;
  /** Called when the last part is decided: in each try, before the commit. */
  onDecided(lastPart: ChunkSettled): void;
}

/** A chunk is a group of tasks, each of which settles a part of it. The first task's needs load the bets of all parts. */
function chunkTasks({ accountId, wagerId }: WagerEntryKey, { bound, cause, onDecided }: ChunkOptions) {
  const needs = needsOf({ type: 'settle_chunk', wagerId, bound });
  return partsOf(bound).map(
    (part, index, parts): Task<ChunkSettled> => ({
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

function wholeOf(results: readonly TaskResult[]): SettledChunk {
  const answers = answersOf<ChunkSettled>(results, 'settling');
  const settledCount = answers.reduce((sum, answer) => sum + answer.settledCount, 0);
  return { settledCount, isComplete: answers.at(-1)?.isComplete === true };
}

interface Chunks {
  begin(): ChunkAtWork;
  mayGoOn(): boolean;
  /** Waits for the commit of the chunk; returns whether no bet is left. */
  end(chunk: ChunkAtWork): Promise<boolean>;
}

/**
 * When all bets of a chunk are decided, the next chunk begins: its transaction waits in PostgreSQL for the wager's lock, and
 * loads its bets as soon as the chunk before has committed.
 */
async function oneBehindTheOther({ begin, mayGoOn, end }: Chunks): Promise<RunEnd> {
  let atWork = begin();
  let behind: ChunkAtWork | undefined;
  try {
    for (;;) {
      behind = (await atWork.mayLeaveBets) && mayGoOn() ? begin() : undefined;
      if (await end(atWork)) return 'done';
      if (behind === undefined) return 'more';
      atWork = behind;
    }
  } finally {
    // No chunk may be at work when the account's lock is released. The one behind a failed chunk may succeed; its own error is
    // dropped, because the first one already fails the try.
    await (behind && end(behind))?.catch(() => undefined);
  }
}

/**
 * The worker's part of deciding a wager. The rows say what is settled, so a chunk that runs twice, or whose commit was not
 * confirmed, moves nothing twice; and the job of a later decision finds the work of an earlier one done.
 */
export function createSettlement({ database, work, locks, chunk: bound }: SettlementOptions): Settlement {
  function begin(job: WagerEntryKey, cause: EventCause): ChunkAtWork {
    let tell: (mayLeaveBets: boolean) => void = () => undefined;
    const mayLeaveBets = new Promise<boolean>((resolve) => {
      tell = resolve;
    });
    // A try after a conflict decides again; the first decision counts.
    const onDecided = ({ isComplete }: ChunkSettled) => tell(!isComplete);
    const settled = work.runWaiting(chunkTasks(job, { bound, cause, onDecided })).then(wholeOf);
    settled.catch(() => tell(false));
    return { mayLeaveBets, settled };
  }

  async function settleChunks(job: WagerEntryKey, run: SettlementRun): Promise<RunEnd> {
    const tables = database.of(job.accountId);
    const entry = await findUndoneEntry(tables, job);
    if (entry === undefined) return 'done';
    const total = run.total ?? (await countPendingOf(tables, job));
    return oneBehindTheOther({
      begin: () => begin(job, causeOfEntry(entry)),
      mayGoOn: () => run.mayGoOn(),
      async end({ settled }) {
        const chunk = await settled;
        if (chunk.isComplete) {
          await markDone(tables, job);
          await markWagerSettled(tables, job);
        }
        await run.onSettled(chunk, total);
        return chunk.isComplete;
      },
    });
  }

  return {
    settle: async (job, run) => (await locks.tryHolding(job.accountId, () => settleChunks(job, run))) ?? 'busy',
  };
}
