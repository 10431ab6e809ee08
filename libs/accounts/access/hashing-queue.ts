import { Worker } from 'node:worker_threads';
import { Refusal } from '#platform/errors/refusal.js';
import type { HashingTask } from './hashing.js';

/** More tasks than one thread can do in time: the time below is the bound that matters. */
const MAX_WAITING = 100;
/** A task that waited longer is refused, so that its caller has the answer well before the deadline of a request. */
const MAX_WAIT_MS = 8_000;
const RETRY_AFTER_SECONDS = 5;

interface WaitingTask {
  readonly task: HashingTask;
  readonly since: number;
  resolve(result: string | boolean): void;
  reject(error: Error): void;
}

export interface HashingQueue {
  run(task: HashingTask): Promise<string | boolean>;
  /** Throws the refusal that a task would get now. */
  assertRoom(): void;
  /** Ends the thread. */
  close(): Promise<void>;
}

const refusal = () => new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Hashes passwords in one thread, one at a time. The others wait; beyond a number and a time of waiting it refuses. */
export function createHashingQueue(): HashingQueue {
  const waiting: WaitingTask[] = [];
  let running: WaitingTask | undefined;
  let thread: Worker | undefined;

  function end(settle: (ended: WaitingTask) => void): void {
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

  function begin(): void {
    if (running !== undefined) return;
    let next = waiting.shift();
    while (next !== undefined && performance.now() - next.since > MAX_WAIT_MS) {
      next.reject(refusal());
      next = waiting.shift();
    }
    if (next === undefined) {
      // An idle thread must not keep the process alive.
      thread?.unref();
      return;
    }
    running = next;
    thread ??= openThread();
    thread.ref();
    thread.postMessage(next.task);
  }

  function assertRoom(): void {
    if (waiting.length >= MAX_WAITING) throw refusal();
  }

  return {
    assertRoom,
    run: async (task) => {
      assertRoom();
      return new Promise((resolve, reject) => {
        waiting.push({ task, since: performance.now(), resolve, reject });
        begin();
      });
    },
    async close() {
      for (const { reject } of waiting.splice(0)) reject(refusal());
      await thread?.terminate();
    },
  };
}
