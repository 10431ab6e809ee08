import type { Database } from '#platform/database/database.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { signalChannel } from './event-signals.js';

/** How long an event stays unseen when no signal of it arrives. */
const POLL_MS = 250;
const MAX_WAITERS = 1_000;
const MAX_WAITERS_OF_ACCOUNT = 20;
const RETRY_AFTER_SECONDS = 1;

export const wakeReasons = ['signal', 'poll', 'time'] as const;
export type WakeReason = (typeof wakeReasons)[number];

interface Waiter {
  readonly seq: bigint;
  readonly isGone: () => boolean;
  wake(reason: WakeReason): void;
}

export interface Wait {
  readonly accountId: bigint;
  /** The last event that the reader knows. */
  readonly seq: bigint;
  readonly ms: number;
  /** Whether the reader has hung up. */
  isGone(): boolean;
}

/** Waits for the ends of event logs to move. */
export interface EventTail {
  /** These logs may have grown. */
  hint(accountIds: readonly bigint[]): void;
  /** Resolves when the log may have grown past `seq`, or after `ms`. Refuses when too many wait. */
  wait(wait: Wait): Promise<WakeReason>;
  waiterCount(): number;
  /** A reader that waited is shown an event of this time, in microseconds since 1970. */
  noteShown(at: bigint): void;
  /** Ends all waits. */
  close(): void;
}

export interface EventTailOptions {
  readonly database: Database;
  /** A connection of its own: it subscribes. */
  readonly subscriber: RedisClient;
  readonly prefix: string;
  readonly onWake?: (reason: WakeReason) => void;
  readonly onShown?: (at: bigint) => void;
}

interface HeadRow {
  readonly accountId: bigint;
  readonly lastSeq: bigint;
}

class Tail implements EventTail {
  readonly #waiters = new Map<bigint, Set<Waiter>>();
  #count = 0;
  #poll: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;
  #isSubscribed = false;

  constructor(private readonly options: EventTailOptions) {
    options.subscriber.on('message', (_channel, text) => this.hint(text.split(' ').filter(Boolean).map(BigInt)));
  }

  hint(accountIds: readonly bigint[]): void {
    if (this.#count === 0) return;
    for (const accountId of accountIds) {
      for (const waiter of [...(this.#waiters.get(accountId) ?? [])]) waiter.wake('signal');
    }
  }

  wait({ accountId, seq, ms, isGone }: Wait): Promise<WakeReason> {
    const own = this.#waiters.get(accountId) ?? new Set();
    if (this.#isClosed) return Promise.resolve('time');
    if (this.#count >= MAX_WAITERS || own.size >= MAX_WAITERS_OF_ACCOUNT) {
      throw new Refusal('too-many-waiting', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#subscribe();
    this.#waiters.set(accountId, own);
    this.#poll ??= setInterval(() => void this.#look(), POLL_MS).unref();
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.wake('time'), ms);
      const waiter: Waiter = {
        seq,
        isGone,
        wake: (reason) => {
          clearTimeout(timer);
          if (!own.delete(waiter)) return;
          this.#count -= 1;
          if (own.size === 0) this.#waiters.delete(accountId);
          if (this.#count === 0) this.#rest();
          this.options.onWake?.(reason);
          resolve(reason);
        },
      };
      own.add(waiter);
      this.#count += 1;
    });
  }

  waiterCount(): number {
    return this.#count;
  }

  noteShown(at: bigint): void {
    this.options.onShown?.(at);
  }

  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#all()) waiter.wake('time');
    this.#rest();
  }

  /** With the first wait: a process whose readers never wait gets no messages. */
  #subscribe(): void {
    if (this.#isSubscribed) return;
    this.#isSubscribed = true;
    const { subscriber, prefix } = this.options;
    // It waits until Redis is there, and is renewed with the connection.
    subscriber.subscribe(signalChannel(prefix)).catch(() => {
      this.#isSubscribed = false;
    });
  }

  #all(): Waiter[] {
    return [...this.#waiters.values()].flatMap((own) => [...own]);
  }

  #rest(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  /** One statement for all that wait in this process. */
  async #look(): Promise<void> {
    for (const waiter of this.#all()) if (waiter.isGone()) waiter.wake('time');
    const accountIds = [...this.#waiters.keys()];
    if (this.#isPolling || accountIds.length === 0) return;
    this.#isPolling = true;
    try {
      const heads = await this.options.database.$queryRaw<HeadRow[]>`
        SELECT account_id AS "accountId", last_seq AS "lastSeq" FROM event_heads WHERE account_id = ANY (${accountIds}::bigint[])`;
      for (const { accountId, lastSeq } of heads) {
        for (const waiter of [...(this.#waiters.get(accountId) ?? [])]) {
          if (waiter.seq < lastSeq) waiter.wake('poll');
        }
      }
    } catch {
      // PostgreSQL is away: the next look comes soon, and a reader that wakes reports it.
    } finally {
      this.#isPolling = false;
    }
  }
}

export const createEventTail = (options: EventTailOptions): EventTail => new Tail(options);
