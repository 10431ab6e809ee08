import type { Failure } from '#core/decision.js';
import { MoreOffers } from '#core/needs.js';
import { Rejection } from '#core/rejection.js';
import { keepAnswers } from '#idempotency/kept-answers.js';
import type { RelaySoon } from '#jobs/outbox.js';
import { type Database, type Transaction, withTransaction } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { FollowUps } from './follow-ups.js';
import { GroupBook } from './load/group-book.js';
import type { Outcome, Task } from './task.js';
import { StepWriter } from './write/step-writer.js';

/** The transaction may or may not have committed: it must not be tried again by itself. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** More slices than any book can hold: a loop that does not end is a bug. */
const MAX_SLICES = 10_000;
const MAX_TRIES = 4;
/** Worth a statement of their own while the next ones are decided; more than an ordinary group brings. */
const MANY_STEPS = 250;

/** Conflicts that pass when tried again: deadlock, serialization, a wager that somebody else created just now. */
const PASSING = /\b(40P01|40001|23505)\b|TransactionWriteConflict|UniqueConstraintViolation|P2034|P2002/;

function isPassing(error: unknown): boolean {
  if (error instanceof CommitUnknown || !(error instanceof Error)) return false;
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: unknown } } };
  return PASSING.test(`${code} ${error.message} ${JSON.stringify(meta?.driverAdapterError?.cause ?? '')}`);
}

async function decide(group: GroupBook, task: Task): Promise<unknown> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const result: unknown | Failure = task.run(group.bookOf(task.accountId));
    if (!(result instanceof MoreOffers)) return result;
    await group.loadMore(task.accountId, result);
  }
  throw new Error('an operation asked for more offers than there can be');
}

const isDone = (result: unknown) => !(result instanceof Rejection || result instanceof Error);

async function keepNewAnswers(transaction: Transaction, tasks: readonly Task[], outcomes: readonly Outcome[]) {
  const answers = tasks.flatMap(({ kept }, index) => kept?.answerOf(outcomes[index] as Outcome) ?? []);
  if (answers.length > 0) await keepAnswers(transaction, answers);
}

export interface UnitOfWork {
  /**
   * Lock, read, decide in memory, write: one transaction and a constant number of round trips for any number of tasks
   * of any accounts. A task that the core refuses leaves no trace and touches no other.
   */
  run(tasks: readonly Task[]): Promise<Outcome[]>;
  /** The same, tried again when it lost against somebody else. */
  runPatiently(tasks: readonly Task[]): Promise<Outcome[]>;
}

export interface UnitOfWorkOptions {
  readonly database: Database;
  readonly relaySoon: RelaySoon;
  readonly logger: Logger;
}

export function createUnitOfWork({ database, relaySoon, logger }: UnitOfWorkOptions): UnitOfWork {
  async function run(tasks: readonly Task[]): Promise<Outcome[]> {
    let isDecided = false;
    try {
      const { outcomes, entries } = await withTransaction(database, async (transaction) => {
        const group = await GroupBook.load(transaction, tasks);
        const writer = new StepWriter(transaction);
        const followUps = new FollowUps();
        const results: unknown[] = [];
        for (const task of tasks) {
          results.push(group.repeatedBy(task) ?? (await decide(group, task)));
          followUps.collect(group.bookOf(task.accountId), task);
          if (group.stepCount() >= MANY_STEPS) await writer.writeMeanwhile(group.takeSteps());
        }
        const changes = group.changes();
        if (results.some(isDone)) await writer.write(changes);
        const outcomes = results.map((result) => ({ result, stored: writer.stored }));
        const entries = await followUps.write(transaction);
        await keepNewAnswers(transaction, tasks, outcomes);
        isDecided = true;
        return { outcomes, entries };
      });
      if (entries.length > 0) relaySoon(entries);
      return outcomes;
    } catch (error) {
      throw isDecided ? new CommitUnknown('the commit was not confirmed', { cause: error }) : error;
    }
  }

  async function runPatiently(tasks: readonly Task[]): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run(tasks);
      } catch (error) {
        if (attempt === MAX_TRIES || !isPassing(error)) throw error;
        logger.debug({ attempt, reason: String(error) }, 'ledger transaction is tried again');
      }
    }
  }

  return { run, runPatiently };
}
