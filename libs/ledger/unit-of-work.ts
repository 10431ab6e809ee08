import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Book } from '#core/book.js';
import type { FollowUp } from '#core/changes.js';
import { MoreOffers } from '#core/offers.js';
import { Rejection } from '#core/rejection.js';
import { followCommit, type OnLogged } from '#events/event-signals.js';
import type { LoggedOperation } from '#events/log-events.js';
import type { StoredAnswer } from '#idempotency/stored-answers.js';
import type { NewEntry, OutboxEntry, RelaySoon } from '#jobs/outbox.js';
import { type Database, Prisma, type Tx, withTx } from '#platform/database/database.js';
import { CommitUnknown, hasSqlState, isConflict } from '#platform/database/errors.js';
import type { Logger } from '#platform/logging/logger.js';
import { tracePayload } from '#platform/logging/trace-context.js';
import { GroupBook } from './group-book.js';
import type { LockMode } from './load-group.js';
import { type Done, type Refused, SET_ASIDE, type Task, type TaskResult } from './task.js';
import { type BookChanges, GroupLog, type GroupRun, hasMoves, StepWriter } from './write-group.js';

/** Another transaction changed what this one goes by between two of its reads: a retry is likely to succeed. */
export class InTheWay extends Error {
  override readonly name = 'InTheWay';
}

export type GroupResult = TaskResult | typeof SET_ASIDE;

/** More slices than any wager has offers for: a loop that does not end is a bug. */
const MAX_SLICES = 10_000;
const MAX_TRIES = 4;
/** From this many decided, unwritten steps on, a group writes while it decides; an ordinary group has fewer. */
const MANY_STEPS = 250;
/** The same in a group with at least `MANY_STEPS` pending bets: more steps will follow, so PostgreSQL begins earlier. */
export const STEPS_OF_LARGE_GROUP = 50;

export interface UnitOfWork {
  /**
   * Lock, read, decide in memory, write: one transaction for any number of tasks of accounts in the same tables, most of them
   * in two round trips. A task that the core refuses leaves no trace and touches no other. The group waits for no lock: a
   * task whose rows another transaction holds is set aside.
   */
  run(tasks: readonly Task[]): Promise<GroupResult[]>;
  /** The same, but it waits for locks, and tries again after a conflict with another transaction: four times in all. */
  runWaiting(tasks: readonly Task[]): Promise<TaskResult[]>;
  /** As `runWaiting`, of one account, in one transaction with what `prepare` does first: it names the tasks. */
  runAfter(accountId: bigint, prepare: (tx: Tx) => Promise<Prepared>): Promise<TaskResult[]>;
}

/** What `judge` throws to take its transaction back, so that the caller can run it without a part. */
export class TakenBack extends Error {}

interface Prepared {
  readonly tasks: readonly Task[];
  /** They come before those of the tasks. */
  readonly created: LoggedOperation;
  /** Called before the tasks' effects are written: what it throws undoes all. */
  judge(results: readonly TaskResult[]): Promise<void>;
  /** Asked after `judge`: what comes behind the events of the tasks. */
  concluded?(): LoggedOperation;
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

  async function run(tasks: readonly Task[], lockMode: LockMode): Promise<GroupResult[]> {
    const begun = beginRun(tasks, lockMode);
    const runAll = async (tx: Tx) => {
      const written = await runGroup(tx, tasks, begun);
      // All are tried again, so none of them may be committed.
      if (lockMode === 'wait') assertWhole(written.results);
      return written;
    };
    const { results, entries } = await withTx(database.of(tasks[0]?.accountId ?? 0n), runAll, { readsFirst: true });
    for (const task of tasks.filter((_, index) => results[index] === SET_ASIDE)) forgetRun(task);
    reportRefusals(tasks, results);
    tellOf(begun.log, entries);
    return results;
  }

  function tellOf(log: GroupLog, entries: readonly OutboxEntry[]): void {
    if (entries.length > 0) followCommit(logger, () => relaySoon(entries));
    if (log.eventCount > 0) followCommit(logger, () => onLogged?.(log.accountIds, log.eventCount));
  }

  async function prepareAndRun(accountId: bigint, prepare: (tx: Tx) => Promise<Prepared>): Promise<GroupResult[]> {
    const { results, entries, log } = await withTx(database.of(accountId), async (tx) => {
      const given = await prepare(tx);
      const judge = (judged: readonly TaskResult[]) => {
        reportRefusals(given.tasks, judged);
        return given.judge(judged);
      };
      const prepared = { ...given, accountId, judge };
      const { group, log } = beginRun(prepared.tasks, 'wait');
      return { log, ...(await runGroup(tx, prepared.tasks, { group, log, earlier: [], prepared })) };
    });
    tellOf(log, entries);
    return results;
  }

  /** The books themselves are wrong: a provider must look. Any other refusal is the caller's business. */
  function reportRefusals(tasks: readonly Task[], results: readonly GroupResult[]): void {
    for (const [index, { accountId }] of tasks.entries()) {
      const result = results[index];
      if (result?.kind !== 'refused' || result.rejection.code !== 'payments-differ') continue;
      logger.error({ account_id: Number(accountId), reason: result.rejection.text }, 'a correction was refused');
      followCommit(logger, () => onPaymentsDiffer?.());
    }
  }

  async function untilDone(runOnce: () => Promise<GroupResult[]>): Promise<TaskResult[]> {
    for (let attempt = 1; ; attempt += 1) {
      const results = await runOnce().catch((error) => {
        const isPassing = error instanceof InTheWay || isConflict(error);
        if (attempt === MAX_TRIES || !isPassing) throw error;
        logger.debug({ attempt, reason: String(error) }, 'ledger transaction is tried again');
        return undefined;
      });
      if (results !== undefined && isWhole(results)) return results;
    }
  }

  return {
    run: (tasks) => run(tasks, 'skip'),
    runWaiting: (tasks) => untilDone(() => run(tasks, 'wait')),
    runAfter: (accountId, prepare) => untilDone(() => prepareAndRun(accountId, prepare)),
  };
}

function assertWhole(results: readonly GroupResult[]): asserts results is TaskResult[] {
  if (!isWhole(results)) throw new InTheWay('another transaction was in the way');
}

const isWhole = (results: readonly GroupResult[]): results is TaskResult[] =>
  results.every(({ kind }) => kind !== 'set-aside');

interface Run {
  readonly group: GroupBook;
  readonly log: GroupLog;
  /** Earlier runs with one of the tasks. */
  readonly earlier: readonly GroupRun[];
  readonly prepared?: PreparedOf;
}

interface PreparedOf extends Prepared {
  readonly accountId: bigint;
}

async function runGroup(
  tx: Tx,
  tasks: readonly Task[],
  { group, log, earlier, prepared }: Run,
): Promise<{ results: GroupResult[]; entries: OutboxEntry[] }> {
  await group.load(tx);
  await refuseSecondRun(tx, earlier);
  // Loading so many rows and deciding them occupy the process for ten milliseconds each: other requests come in between.
  const isLarge = group.pendingCount >= MANY_STEPS;
  if (isLarge) await nextTurn();
  const writer = new StepWriter(tx);
  const followUps = new FollowUps();
  if (prepared !== undefined) addOperation(log, prepared.accountId, prepared.created);
  const results: GroupResult[] = [];
  for (const task of tasks) {
    results.push(group.resultWithoutRunning(task) ?? (await runTask(group, task, writer)));
    followUps.collect(group.bookOf(task.accountId), task);
    log.collect(group.bookOf(task.accountId), task);
    if (group.stepCount() >= (isLarge ? STEPS_OF_LARGE_GROUP : MANY_STEPS))
      await writer.writeMeanwhile(group.takeSteps());
  }
  if (prepared !== undefined) {
    assertWhole(results);
    await prepared.judge(results);
    const { accountId, concluded } = prepared;
    if (concluded !== undefined) addOperation(log, accountId, concluded());
  }
  const hasKeys = tasks.some(({ idempotency }) => idempotency !== undefined);
  const isPrepared = prepared !== undefined;
  const decided = { writer, log, hasKeys, isPrepared, changes: group.changes(), entries: followUps.entries() };
  await writeDecided(decided, () => newAnswers(tasks, results));
  // The writer fills the entries when PostgreSQL answers, which `withTx` waits for.
  return { results, entries: writer.entries };
}

const addOperation = (log: GroupLog, accountId: bigint, { cause, events }: LoggedOperation): void =>
  log.add({ accountId, cause }, [...events]);

interface DecidedGroup {
  readonly writer: StepWriter;
  readonly log: GroupLog;
  /** Whether a task has an answer to store. */
  readonly hasKeys: boolean;
  /** Whether the transaction may have written before the group. */
  readonly isPrepared: boolean;
  readonly changes: readonly BookChanges[];
  readonly entries: readonly NewEntry[];
}

/**
 * One statement, but for a group that has answers to store and moves money: an answer shows the stored transaction, so the
 * answers follow the transactions. The events are in the last statement, after the answers.
 */
async function writeDecided(
  { writer, log, hasKeys, isPrepared, changes, entries }: DecidedGroup,
  answersOf: () => readonly StoredAnswer[],
): Promise<void> {
  const isMoving = writer.hasMoved || changes.some(hasMoves);
  if (!isMoving || !hasKeys) {
    const writeAll = () => writer.write({ changes, entries, answers: answersOf(), log });
    return isPrepared || writer.hasBegun ? writeAll() : writer.tx.commitBehind(writeAll);
  }
  await writer.write({ changes, entries, answers: [] });
  await writer.write({ changes: [], entries: [], answers: answersOf(), log });
}

/** Runs the task on its Book; loads further slices for as long as it needs more offers. */
async function runTask(group: GroupBook, task: Task, { tx, stored }: StepWriter): Promise<GroupResult> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const result = task.run(group.bookOf(task.accountId));
    if (result instanceof Rejection) return { kind: 'refused', rejection: result };
    if (!(result instanceof MoreOffers)) return { kind: 'done', answer: result, stored };
    if (!(await group.loadMore(tx, task.accountId, result))) return SET_ASIDE;
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

/** The background work that a group of tasks requires, each entry with the trace and the id of the request that caused it. */
class FollowUps {
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

// Each run of a group has an id, drawn before the run begins. The run writes the id into the event log together with its
// effects. When a task runs again, PostgreSQL looks for the ids of its earlier runs after it has taken the locks of the task, and
// refuses when one of them was committed. So a commit that was wrongly taken for undone costs an error, and never money.

/** What the function `refuse_second_run` raises. */
const DONE_ALREADY = 'BL001';

/** A UUID of version 7: ids of one time stand side by side in their index. */
function newRunId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Notes a new run in its tasks. */
function beginRun(tasks: readonly Task[], lockMode: LockMode): Run {
  const run: GroupRun = { id: newRunId(), accountId: undefined };
  const log = new GroupLog(run);
  const first = [run];
  const earlier = new Set<GroupRun>();
  for (const task of tasks) {
    for (const before of task.runs ?? []) earlier.add(before);
    task.runs = task.runs === undefined ? first : [...task.runs, run];
  }
  return { group: new GroupBook(tasks, lockMode), log, earlier: [...earlier] };
}

/** The task did not run: whether the group was committed says nothing about it. */
function forgetRun(task: Task): void {
  task.runs = task.runs?.slice(0, -1);
}

/** Throws `CommitUnknown` when one of the runs was committed. The transaction must hold the locks of the runs' tasks. */
async function refuseSecondRun(tx: Tx, earlier: readonly GroupRun[]): Promise<void> {
  // A run that wrote no event had no effect.
  const written = earlier.filter(({ accountId }) => accountId !== undefined);
  if (written.length === 0) return;
  const [accountIds, ids] = [written.map(({ accountId }) => accountId), written.map(({ id }) => id)];
  const check = Prisma.sql`SELECT refuse_second_run(${accountIds}::bigint[], ${ids}::uuid[])`;
  await tx.$executeRaw(check).catch((error: unknown) => {
    throw hasSqlState(error, DONE_ALREADY) ? new CommitUnknown(error) : error;
  });
}
