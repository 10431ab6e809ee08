import { setImmediate as nextTurn } from 'node:timers/promises';
import { MoreOffers } from '#core/needs.js';
import { Rejection } from '#core/rejection.js';
import type { OnLogged } from '#events/on-logged.js';
import type { StoredAnswer } from '#idempotency/stored-answers.js';
import type { NewEntry, OutboxEntry, RelaySoon } from '#jobs/outbox.js';
import { type Database, type Tx, withTx } from '#platform/database/database.js';
import { isConflict } from '#platform/database/errors.js';
import { placementOf } from '#platform/database/placement.js';
import type { Logger } from '#platform/logging/logger.js';
import { followCommit } from '#platform/process/follow-commit.js';
import { FollowUps } from './follow-ups.js';
import { beginRun, forgetRun, refuseSecondRun } from './group-run.js';
import { GroupBook } from './rows/group-book.js';
import { GroupLog, type GroupRun } from './rows/group-log.js';
import type { LockMode } from './rows/load-group.js';
import { StepWriter } from './rows/step-writer.js';
import { type AccountChanges, hasMoves } from './rows/write-group.js';
import { type Done, type Refused, SET_ASIDE, type Task, type TaskResult } from './task.js';

/** A row was free for the lock that this group waited for, and taken when it was read: a retry is likely to succeed. */
class InTheWay extends Error {
  override readonly name = 'InTheWay';
}

export type GroupResult = TaskResult | typeof SET_ASIDE;

/** More slices than any wager has offers for: a loop that does not end is a bug. */
const MAX_SLICES = 10_000;
const MAX_TRIES = 4;
/** So many steps are worth a statement of their own; an ordinary group has fewer. */
const MANY_STEPS = 250;

export interface UnitOfWork {
  /**
   * Lock, read, decide in memory, write: one transaction and a constant number of round trips for any number of tasks of
   * accounts of one placement. A task that the core refuses leaves no trace and touches no other. It waits for no lock: a task whose
   * rows another transaction holds is set aside.
   */
  run(tasks: readonly Task[]): Promise<GroupResult[]>;
  /** Waits for locks, and retries after a conflict with another transaction: four attempts. */
  runWaiting(tasks: readonly Task[]): Promise<TaskResult[]>;
}

export interface UnitOfWorkOptions {
  readonly database: Database;
  readonly relaySoon: RelaySoon;
  readonly logger: Logger;
  /** Called after a commit with the accounts whose logs have grown. A failure is logged: the commit has happened. */
  readonly onLogged?: OnLogged;
  /** Called for each correction that was refused because the transactions of a bet differ from its outcome. */
  readonly onPaymentsDiffer?: () => void;
}

export function createUnitOfWork(options: UnitOfWorkOptions): UnitOfWork {
  const { database, relaySoon, logger, onLogged, onPaymentsDiffer } = options;

  const placementOfAll = ({ 0: task }: readonly Task[]) =>
    task === undefined ? database : placementOf(database, task.accountId);

  async function run(tasks: readonly Task[], lockMode: LockMode): Promise<GroupResult[]> {
    const { run: begun, earlier } = beginRun(tasks);
    const { results, entries, log } = await withTx(placementOfAll(tasks), async (tx) => {
      const written = await runGroup(tx, tasks, { run: begun, earlier, lockMode });
      // All are tried again, so none of them may be committed.
      if (lockMode === 'wait' && !isWhole(written.results)) throw new InTheWay('another transaction was in the way');
      return written;
    });
    for (const [index, task] of tasks.entries()) {
      const result = results[index];
      if (result === SET_ASIDE) forgetRun(task);
      else if (result?.kind === 'refused') reportRefusal(task, result);
    }
    if (entries.length > 0) followCommit(logger, () => relaySoon(entries));
    if (log.eventCount > 0) followCommit(logger, () => onLogged?.(log.accountIds, log.eventCount));
    return results;
  }

  /** The books themselves are wrong: an operator must look. Any other refusal is the caller's business. */
  function reportRefusal({ accountId }: Task, { rejection: { code, text } }: Refused): void {
    if (code !== 'payments-differ') return;
    logger.error({ account_id: Number(accountId), reason: text }, 'a correction was refused');
    followCommit(logger, () => onPaymentsDiffer?.());
  }

  async function runWaiting(tasks: readonly Task[]): Promise<TaskResult[]> {
    for (let attempt = 1; ; attempt += 1) {
      const results = await run(tasks, 'wait').catch((error) => {
        const isPassing = error instanceof InTheWay || isConflict(error);
        if (attempt === MAX_TRIES || !isPassing) throw error;
        logger.debug({ attempt, reason: String(error) }, 'ledger transaction is tried again');
        return undefined;
      });
      if (results !== undefined && isWhole(results)) return results;
    }
  }

  return { run: (tasks) => run(tasks, 'skip'), runWaiting };
}

const isWhole = (results: readonly GroupResult[]): results is TaskResult[] =>
  results.every(({ kind }) => kind !== 'set-aside');

interface Run {
  readonly run: GroupRun;
  /** Earlier runs with one of the tasks. */
  readonly earlier: readonly GroupRun[];
  readonly lockMode: LockMode;
}

async function runGroup(
  tx: Tx,
  tasks: readonly Task[],
  { run, earlier, lockMode }: Run,
): Promise<{ results: GroupResult[]; entries: OutboxEntry[]; log: GroupLog }> {
  const group = await GroupBook.load(tx, tasks, lockMode);
  await refuseSecondRun(tx, earlier);
  // Loading so many rows and deciding them occupy the process for ten milliseconds each: other requests come in between.
  if (group.pendingCount >= MANY_STEPS) await nextTurn();
  const writer = new StepWriter(tx);
  const followUps = new FollowUps();
  const log = new GroupLog(run);
  const results: GroupResult[] = [];
  for (const task of tasks) {
    results.push(group.resultWithoutRunning(task) ?? (await runTask(group, task, writer)));
    followUps.collect(group.bookOf(task.accountId), task);
    log.collect(group.bookOf(task.accountId), task);
    if (group.stepCount() >= MANY_STEPS) await writer.writeMeanwhile(group.takeSteps());
  }
  const hasKeys = tasks.some(({ idempotency }) => idempotency !== undefined);
  await writeGroup({ writer, log, hasKeys, changes: group.changes(), entries: followUps.entries() }, () =>
    newAnswers(tasks, results),
  );
  return { results, entries: writer.entries, log };
}

interface DecidedGroup {
  readonly writer: StepWriter;
  readonly log: GroupLog;
  /** Whether a task has an answer to store. */
  readonly hasKeys: boolean;
  readonly changes: readonly AccountChanges[];
  readonly entries: readonly NewEntry[];
}

/**
 * One statement, but for a group that has answers to store and moves money: an answer shows the stored transaction, so the
 * answers follow the transactions. The events are in the last statement, after the answers.
 */
async function writeGroup(
  { writer, log, hasKeys, changes, entries }: DecidedGroup,
  answersOf: () => readonly StoredAnswer[],
): Promise<void> {
  const isMoving = writer.hasMoved || changes.some(hasMoves);
  if (!isMoving || !hasKeys) return writer.write({ changes, entries, answers: answersOf(), log });
  await writer.write({ changes, entries, answers: [] });
  await writer.write({ changes: [], entries: [], answers: answersOf(), log });
}

/** Runs the task on its Book; loads further slices for as long as it needs more offers. */
async function runTask(group: GroupBook, task: Task, { stored }: StepWriter): Promise<GroupResult> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const result = task.run(group.bookOf(task.accountId));
    if (result instanceof Rejection) return { kind: 'refused', rejection: result };
    if (!(result instanceof MoreOffers)) return { kind: 'done', answer: result, stored };
    if (!(await group.loadMore(task.accountId, result))) return SET_ASIDE;
  }
  throw new Error('an operation asked for more offers than there can be');
}

const isFresh = (result: GroupResult | undefined): result is Done<unknown> | Refused =>
  result?.kind === 'done' || result?.kind === 'refused';

const newAnswers = (tasks: readonly Task[], results: readonly GroupResult[]): StoredAnswer[] =>
  tasks.flatMap(({ idempotency }, index) => {
    const result = results[index];
    return (idempotency && isFresh(result) && idempotency.answerToStore(result)) || [];
  });
