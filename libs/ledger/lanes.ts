import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '#platform/database/database.js';
import { isConflict, isDatabaseAway, isLockTimeout } from '#platform/database/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { Logger } from '#platform/logging/logger.js';
import { withoutTrace } from '#platform/logging/trace-context.js';
import type { Deadline } from '#platform/process/deadline.js';
import { AccountQueues } from './account-queues.js';
import { SET_ASIDE, type Task, type TaskResult } from './task.js';
import type { GroupResult, UnitOfWork } from './unit-of-work.js';

/** Few lanes make large groups. Measured: more lanes gain nothing in one process. */
const LANES = 2;
/** On a cluster a group has one shard group, so it is small: more lanes share the flushes of the node's log. */
const LANES_OF_NODE = 4;
/** Operations in one transaction: a larger group holds its locks, and its rows in memory, for longer. */
const MAX_GROUP_WEIGHT = 200;
/** A decision may move hundreds of bets, so a group takes few of them; most are small, so it takes more than one. */
const DECISION_WEIGHT = 20;
/** A task that decides so many bets takes longer than a group: it goes beside its lane, where only its own rows wait for it. */
const LARGE_DECISION = 100;
/** Bounds the memory of a process: no lane serves so many operations within any deadline. */
const MAX_WAITING_WEIGHT = 20_000;
/** Accounts whose tasks may run beside a lane at the same time: each takes a connection, also while it waits for locks. */
const TRANSACTIONS_BESIDE_LANE = 2;
const TRANSACTIONS_BESIDE_LANE_OF_NODE = 1;
/** How much the latest group counts in the measured speed of a lane. */
const SPEED_SMOOTHING = 0.2;
const FIRST_SPEED_PER_MS = 1;
const SWEEP_MS = 250;
const RETRY_AFTER_SECONDS = 1;

interface Waiting {
  readonly task: Task;
  readonly accountId: bigint;
  readonly weight: number;
  readonly deadline: Deadline | undefined;
  resolve(result: TaskResult): void;
  reject(error: unknown): void;
}

const weightOf = ({ needs }: Task): number =>
  needs.reduce((weight, { pendingBets }) => weight + (pendingBets === null ? 1 : DECISION_WEIGHT), 0);

const isLarge = ({ needs }: Task): boolean =>
  needs.reduce((bets, { pendingBets }) => bets + (pendingBets?.counted ?? 0), 0) >= LARGE_DECISION;

const overloaded = () => new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

export interface LaneOptions {
  readonly work: UnitOfWork;
  /** A group has tasks of accounts in the same tables. */
  readonly database: Database;
  readonly logger: Logger;
  readonly maxWaitingWeight?: number;
}

/** A queue with one transaction at a time, which takes all waiting tasks: groups grow with the load, without a timer. */
class Lane {
  readonly #waiting: AccountQueues<Waiting>;
  /** Set-aside tasks, and large ones. */
  readonly #beside = new AccountQueues<Waiting>();
  readonly #work: UnitOfWork;
  readonly #logger: Logger;
  readonly #maxWaitingWeight: number;
  readonly #maxTransactionsBeside: number;
  #isRunning = false;
  /** When the present group began. */
  #groupSince: number | undefined;
  #transactionsBeside = 0;
  /** Weight that the lane serves in a millisecond. */
  #speed = FIRST_SPEED_PER_MS;
  #sweep: NodeJS.Timeout | undefined;
  #whenIdle: (() => void)[] = [];

  constructor({ work, database, logger, maxWaitingWeight = MAX_WAITING_WEIGHT }: LaneOptions) {
    const isOnCluster = database.isDistributed;
    this.#waiting = new AccountQueues(isOnCluster ? (accountId) => database.of(accountId) : undefined);
    this.#maxTransactionsBeside = isOnCluster ? TRANSACTIONS_BESIDE_LANE_OF_NODE : TRANSACTIONS_BESIDE_LANE;
    this.#work = work;
    this.#logger = logger;
    this.#maxWaitingWeight = maxWaitingWeight;
  }

  get waitingCount(): number {
    return this.#waiting.count + this.#beside.count;
  }

  get groupMs(): number {
    return this.#groupSince === undefined ? 0 : performance.now() - this.#groupSince;
  }

  add(task: Task, deadline: Deadline | undefined): Promise<TaskResult> {
    const weight = weightOf(task);
    const isBeside = isLarge(task);
    if (this.#waiting.weight + this.#beside.weight + weight > this.#maxWaitingWeight) throw overloaded();
    if (deadline !== undefined && !isBeside) {
      const startsAt = performance.now() + this.#waiting.weightBefore(task.accountId) / this.#speed;
      if (startsAt > deadline.at) throw overloaded();
    }
    return new Promise((resolve, reject) => {
      const queue = isBeside ? this.#beside : this.#waiting;
      queue.add({ task, accountId: task.accountId, weight, deadline, resolve, reject });
      this.#sweep ??= setInterval(() => this.#dropLate(), SWEEP_MS).unref();
      if (isBeside) withoutTrace(() => this.#runBeside());
      else if (!this.#isRunning) void withoutTrace(() => this.#run());
    });
  }

  drained(): Promise<void> {
    return this.#isIdle() ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #isIdle(): boolean {
    return !this.#isRunning && this.#transactionsBeside === 0 && this.waitingCount === 0;
  }

  /** Ends with the queue seen empty in the same turn, so that a task added right after starts the lane again. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      this.#dropLate();
      const group = this.#waiting.take(MAX_GROUP_WEIGHT);
      if (group.length === 0) break;
      const startedAt = performance.now();
      this.#groupSince = startedAt;
      await this.#runGroup(group, this.#work.run);
      // Under load the requests that have arrived meanwhile join the next group.
      if (group.length > 1) await nextTurn();
      this.#measure(group, performance.now() - startedAt);
    }
    this.#groupSince = undefined;
    this.#isRunning = false;
    this.#restIfIdle();
  }

  #restIfIdle(): void {
    if (!this.#isIdle()) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #measure(group: readonly Waiting[], ms: number): void {
    const weight = group.reduce((sum, waiting) => sum + waiting.weight, 0);
    // A small group says little about how fast the lane is under load.
    if (weight * 2 < MAX_GROUP_WEIGHT && weight / ms < this.#speed) return;
    this.#speed += SPEED_SMOOTHING * (weight / Math.max(ms, 1) - this.#speed);
  }

  /** Drops, unexecuted, what waits past its deadline and what has lost its caller. */
  #dropLate(): void {
    const now = performance.now();
    const isLate = ({ deadline }: Waiting) => deadline !== undefined && (deadline.at <= now || deadline.isGone());
    for (const queues of [this.#waiting, this.#beside]) {
      for (const { reject } of queues.remove(isLate)) reject(overloaded());
    }
    this.#restIfIdle();
  }

  async #runGroup(group: readonly Waiting[], run: UnitOfWork['run']): Promise<void> {
    let results: readonly GroupResult[] | undefined;
    try {
      results = await run(group.map(({ task }) => task));
    } catch (error) {
      await this.#fail(group, run, error);
    }
    // The group is committed: nothing that fails from here on may run it again.
    if (results !== undefined) {
      for (const [index, waiting] of group.entries()) this.#finish(waiting, results[index] ?? SET_ASIDE);
    }
    this.#runBeside();
  }

  /**
   * When PostgreSQL is away or a commit is unknown, the whole group fails. Any other failure may be that of one task: the
   * group is split by account, then by halves, so that the other tasks only wait for a few more transactions.
   */
  async #fail(group: readonly Waiting[], run: UnitOfWork['run'], error: unknown): Promise<void> {
    if (isDatabaseAway(error)) return rejectAll(group, error);
    const isFirstConflict = group.length === 1 && isConflict(error) && run !== this.#work.runWaiting;
    // Set-aside tasks wait again, until their deadlines drop them.
    if (isFirstConflict || isLockTimeout(error)) for (const waiting of group) this.#beside.add(waiting);
    else if (group.length > 1) for (const part of splitOf(group)) await this.#runGroup(part, run);
    else rejectAll(group, error);
  }

  /** Tasks beside the lane wait for their locks, those of one account in a transaction. */
  #runBeside(): void {
    while (this.#transactionsBeside < this.#maxTransactionsBeside) {
      const group = this.#beside.takeAccount(MAX_GROUP_WEIGHT);
      if (group.length === 0) return;
      this.#transactionsBeside += 1;
      void this.#runGroup(group, this.#work.runWaiting).finally(() => {
        this.#transactionsBeside -= 1;
        this.#runBeside();
        this.#restIfIdle();
      });
    }
  }

  #finish(waiting: Waiting, result: GroupResult): void {
    if (result.kind === 'set-aside') this.#beside.add(waiting);
    else this.#answer(waiting, result);
  }

  #answer({ task, deadline, resolve }: Waiting, result: TaskResult): void {
    resolve(result);
    if (deadline?.isGone() && result.kind === 'done') {
      this.#logger.warn({ account_id: Number(task.accountId) }, 'an operation was done after its caller had gone');
    }
  }
}

function rejectAll(group: readonly Waiting[], error: unknown): void {
  for (const { reject } of group) reject(error);
}

/** By account; one account's tasks by halves. */
function splitOf(group: readonly Waiting[]): Waiting[][] {
  const byAccount = new Map<bigint, Waiting[]>();
  for (const waiting of group) {
    const own = byAccount.get(waiting.accountId);
    if (own === undefined) byAccount.set(waiting.accountId, [waiting]);
    else own.push(waiting);
  }
  if (byAccount.size > 1) return [...byAccount.values()];
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

export interface Lanes {
  add<Answer>(task: Task<Answer>, deadline?: Deadline): Promise<TaskResult<Answer>>;
  /** The number of tasks that wait in each lane. */
  waiting(): readonly number[];
  /** For how long the present group of each lane has run: a group waits for no lock, so it is usually a moment. */
  groupMs(): readonly number[];
  /** Resolves when every accepted task has its result. */
  drained(): Promise<void>;
}

export function createLanes(options: LaneOptions): Lanes {
  const { database } = options;
  const lanes = new Map(Array.from({ length: LANES }, (_, index) => [String(index), new Lane(options)]));
  const isOnCluster = database.isDistributed;
  /** An account always uses the same lane, so that its share of the process is the share of a lane. */
  const laneFor = (accountId: bigint): Lane => {
    const name = isOnCluster ? database.laneOfNode(accountId, LANES_OF_NODE) : String(accountId % BigInt(LANES));
    const lane = lanes.get(name) ?? new Lane(options);
    lanes.set(name, lane);
    return lane;
  };
  return {
    add: async <Answer>(task: Task<Answer>, deadline?: Deadline) =>
      laneFor(task.accountId).add(task, deadline) as Promise<TaskResult<Answer>>,
    waiting: () => [...lanes.values()].map(({ waitingCount }) => waitingCount),
    // On a cluster a node that is stuck must not take the process from the accounts of the others.
    groupMs: () => (isOnCluster ? [] : [...lanes.values()].map(({ groupMs }) => groupMs)),
    drained: async () => {
      await Promise.all([...lanes.values()].map((lane) => lane.drained()));
    },
  };
}
