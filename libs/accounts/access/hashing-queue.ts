import { Worker } from 'node:worker_threads';
import { Refusal } from '#platform/errors/refusal.js';
import { type Asker, FairLine } from './fair-line.js';
import type { HashingTask } from './hashing.js';

/** More tasks than one thread can do in time: the time below is the bound that matters. */
const CAPACITY = 100;
/** For familiar askers alone. */
const FAMILIAR_CAPACITY = 50;
/** While others wait, too, they have every fourth turn. */
const FAMILIAR_IN_A_ROW = 3;
/** A task that waited longer is refused, so that its caller has the answer well before the deadline of a request. */
const MAX_WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 5;

interface QueuedTask {
  readonly task: HashingTask;
  readonly asker: Asker;
  readonly since: number;
  resolve(result: string | boolean): void;
  reject(error: Error): void;
}

export interface HashingQueue {
  run(task: HashingTask, asker: Asker): Promise<string | boolean>;
  /** Throws the refusal that a task of this asker would get now. */
  assertRoom(asker: Asker): void;
  /** Ends the thread. */
  close(): Promise<void>;
}

const refusal = () => new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** What waits: familiar askers have a line of their own and go first, so that a flood of strangers does not keep them out. */
class WaitingTasks {
  readonly #familiar = new FairLine<QueuedTask>(FAMILIAR_CAPACITY);
  readonly #others = new FairLine<QueuedTask>(CAPACITY);
  #familiarInARow = 0;

  lineOf({ isFamiliar }: Asker): FairLine<QueuedTask> {
    return isFamiliar ? this.#familiar : this.#others;
  }

  next(): QueuedTask | undefined {
    const isTheirs =
      this.#familiar.length > 0 && (this.#others.length === 0 || this.#familiarInARow < FAMILIAR_IN_A_ROW);
    this.#familiarInARow = isTheirs ? this.#familiarInARow + 1 : 0;
    return (isTheirs ? this.#familiar : this.#others).next();
  }

  removeBefore(moment: number): QueuedTask[] {
    return [this.#familiar, this.#others].flatMap((line) => line.removeBefore(moment));
  }
}

/** Hashes passwords in one thread, one at a time. The others wait; beyond a number and a time of waiting it refuses. */
export function createHashingQueue(): HashingQueue {
  const waiting = new WaitingTasks();
  let running: QueuedTask | undefined;
  let thread: Worker | undefined;

  function end(settle: (ended: QueuedTask) => void): void {
    const ended = running;
    running = undefined;
    if (ended !== undefined) settle(ended);
    begin();
  }

  function openThread(): Worker {
    const opened = new Worker(new URL('./hashing-thread.js', import.meta.url), { name: 'hashing' });
    opened.on('message', (result: string | boolean) => end(({ resolve }) => resolve(result)));
    const replace = (error: Error) => {
      if (thread !== opened) return;
      thread = undefined;
      end(({ reject }) => reject(error));
    };
    opened.on('error', replace);
    opened.on('exit', () => replace(new Error('the hashing thread has ended')));
    return opened;
  }

  function refuseBefore(moment: number): void {
    for (const { reject } of waiting.removeBefore(moment)) reject(refusal());
  }

  function begin(): void {
    if (running !== undefined) return;
    refuseBefore(performance.now() - MAX_WAIT_MS);
    running = waiting.next();
    if (running === undefined) {
      // An idle thread must not keep the process alive.
      thread?.unref();
      return;
    }
    thread ??= openThread();
    thread.ref();
    thread.postMessage(running.task);
  }

  return {
    assertRoom(asker) {
      if (!waiting.lineOf(asker).hasRoomFor(asker)) throw refusal();
    },
    run: (task, asker) =>
      new Promise((resolve, reject) => {
        const queued = { task, asker, since: performance.now(), resolve, reject };
        waiting.lineOf(asker).add(queued)?.reject(refusal());
        begin();
      }),
    async close() {
      refuseBefore(Number.POSITIVE_INFINITY);
      await thread?.terminate();
    },
  };
}
