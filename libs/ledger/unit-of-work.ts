import type { Failure } from '#core/decision.js';
import { MoreOffers } from '#core/needs.js';
import { Rejection } from '#core/rejection.js';
import { storeAnswers } from '#idempotency/stored-answers.js';
import type { RelaySoon } from '#jobs/outbox.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import { isConflict } from '#platform/database/errors.js';
import type { Logger } from '#platform/logging/logger.js';
import { FollowUps } from './follow-ups.js';
import { GroupBook } from './load/group-book.js';
import type { Task, TaskResult } from './task.js';
import { StepWriter } from './write/step-writer.js';

/** PostgreSQL did not confirm the commit, so it may have happened: the group must not be retried. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** More slices than any wager has offers for: a loop that does not end is a bug. */
const MAX_SLICES = 10_000;
const MAX_TRIES = 4;
/** So many steps are worth a statement of their own; an ordinary group has fewer. */
const MANY_STEPS = 250;

const isWorthRetry = (error: unknown): boolean => !(error instanceof CommitUnknown) && isConflict(error);

async function decide(group: GroupBook, task: Task): Promise<unknown> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const result: unknown | Failure = task.run(group.bookOf(task.accountId));
    if (!(result instanceof MoreOffers)) return result;
    await group.loadMore(task.accountId, result);
  }
  throw new Error('an operation asked for more offers than there can be');
}

const isDone = (result: unknown) => !(result instanceof Rejection || result instanceof Error);

async function storeNewAnswers(tx: Tx, tasks: readonly Task[], results: readonly TaskResult[]) {
  const answers = tasks.flatMap(
    ({ idempotency }, index) => idempotency?.answerToStore(results[index] as TaskResult) ?? [],
  );
  if (answers.length > 0) await storeAnswers(tx, answers);
}

export interface UnitOfWork {
  /**
   * Lock, read, decide in memory, write: one transaction and a constant number of round trips for any number of tasks
   * of any accounts. A task that the core refuses leaves no trace and touches no other.
   */
  run(tasks: readonly Task[]): Promise<TaskResult[]>;
  /** The same, retried after a deadlock, a serialization failure or a unique violation: four attempts. */
  runWithRetry(tasks: readonly Task[]): Promise<TaskResult[]>;
}

export interface UnitOfWorkOptions {
  readonly database: Database;
  readonly relaySoon: RelaySoon;
  readonly logger: Logger;
}

export function createUnitOfWork({ database, relaySoon, logger }: UnitOfWorkOptions): UnitOfWork {
  async function run(tasks: readonly Task[]): Promise<TaskResult[]> {
    let isDecided = false;
    try {
      const { results, entries } = await withTx(database, async (tx) => {
        const group = await GroupBook.load(tx, tasks);
        const writer = new StepWriter(tx);
        const followUps = new FollowUps();
        const values: unknown[] = [];
        for (const task of tasks) {
          values.push(group.replayOf(task) ?? (await decide(group, task)));
          followUps.collect(group.bookOf(task.accountId), task);
          if (group.stepCount() >= MANY_STEPS) await writer.writeMeanwhile(group.takeSteps());
        }
        const changes = group.changes();
        if (values.some(isDone)) await writer.write(changes);
        const results = values.map((value) => ({ value, stored: writer.stored }));
        const entries = await followUps.write(tx);
        await storeNewAnswers(tx, tasks, results);
        isDecided = true;
        return { results, entries };
      });
      if (entries.length > 0) relaySoon(entries);
      return results;
    } catch (error) {
      throw isDecided ? new CommitUnknown('the commit was not confirmed', { cause: error }) : error;
    }
  }

  async function runWithRetry(tasks: readonly Task[]): Promise<TaskResult[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run(tasks);
      } catch (error) {
        if (attempt === MAX_TRIES || !isWorthRetry(error)) throw error;
        logger.debug({ attempt, reason: String(error) }, 'ledger transaction is tried again');
      }
    }
  }

  return { run, runWithRetry };
}
