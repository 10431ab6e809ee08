import { Refusal } from '#platform/errors/refusal.js';
import { withoutTrace } from '#platform/tracing/tracing.js';
import type { Task, TaskResult } from './task.js';
import { CommitUnknown, type UnitOfWork } from './unit-of-work.js';

/** Few lanes make large groups. Measured: more lanes gain nothing in one process. */
const LANES = 2;
/** Operations in one transaction: a larger group holds its locks, and its rows in memory, for longer. */
const MAX_GROUP = 200;
/** A decision may move hundreds of bets, so a group takes few of them; most are small, so it takes more than one. */
const DECISION_WEIGHT = 20;
/** A second or two of work. A later caller gets a 503 with Retry-After instead of a long wait. */
const MAX_WAITING = 5_000;
const RETRY_AFTER_SECONDS = 1;

interface Waiting {
  readonly task: Task;
  resolve(result: TaskResult): void;
  reject(error: unknown): void;
}

const weightOf = ({ needs }: Task): number =>
  needs.reduce((weight, { pendingBets }) => weight + (pendingBets === null ? 1 : DECISION_WEIGHT), 0);

/** A queue with one transaction at a time, which takes all waiting tasks: groups grow with the load, without a timer. */
class Lane {
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(
    private readonly work: UnitOfWork,
    private readonly maxWaiting: number,
  ) {}

  get waitingCount(): number {
    return this.#waiting.length;
  }

  add(task: Task): Promise<TaskResult> {
    if (this.#waiting.length >= this.maxWaiting) {
      throw new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#running ??= withoutTrace(() => this.#run()).finally(() => {
        this.#running = undefined;
      });
    });
  }

  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#runGroup(this.#nextGroup());
  }

  /** From the front of the queue, at least one task; a batch counts with all its operations. */
  #nextGroup(): Waiting[] {
    let operations = 0;
    const end = this.#waiting.findIndex(({ task }, index) => {
      operations += weightOf(task);
      return index > 0 && operations > MAX_GROUP;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.work.run(group.map(({ task }) => task));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as TaskResult);
    } catch (error) {
      if (error instanceof CommitUnknown) for (const { reject } of group) reject(error);
      // Alone, only the task that caused the failure fails again.
      else for (const waiting of group) await this.#runAlone(waiting);
    }
  }

  async #runAlone({ task, resolve, reject }: Waiting): Promise<void> {
    try {
      const [result] = await this.work.runWithRetry([task]);
      resolve(result as TaskResult);
    } catch (error) {
      reject(error);
    }
  }
}

export interface Lanes {
  add(task: Task): Promise<TaskResult>;
  /** The number of tasks that wait in each lane for its next transaction. */
  waiting(): readonly number[];
  /** Resolves when every accepted task has its result. */
  drained(): Promise<void>;
}

export function createLanes(work: UnitOfWork, maxWaiting = MAX_WAITING): Lanes {
  const lanes = Array.from({ length: LANES }, () => new Lane(work, maxWaiting));
  return {
    // An account always uses the same lane, so that its operations stay in order.
    add: async (task) => (lanes[Number(task.accountId % BigInt(LANES))] as Lane).add(task),
    waiting: () => lanes.map(({ waitingCount }) => waitingCount),
    drained: async () => {
      await Promise.all(lanes.map((lane) => lane.drained()));
    },
  };
}
