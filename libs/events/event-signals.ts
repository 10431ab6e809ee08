import { Cluster } from 'ioredis';
import { type Database, type OnLogged, Prisma, type Tables } from '#platform/database/database.js';
import { preparedAs } from '#platform/database/server.js';
import { queryRows } from '#platform/database/statements.js';
import type { Logger } from '#platform/logging/logger.js';
import type { RedisClient } from '#platform/redis/redis.js';

/* What follows a commit that makes logs grow: processes tell each other, and those who wait are woken. */

export type { OnLogged };

/**
 * Runs what follows a commit: messages, figures. The caller must hear that the commit happened, so a failure of `run` is
 * logged and goes no further.
 */
export function followCommit(logger: Pick<Logger, 'error'>, run: () => void): void {
  try {
    run();
  } catch (error) {
    logger.error({ err: error }, 'a commit happened, and what follows it failed');
  }
}

/** Commits of this time share a message; after a longer pause one is sent at once. */
const PUBLISH_EVERY_MS = 15;
/** While no process listens: a new listener looks as often anyway. */
const UNHEARD_EVERY_MS = 250;

/** Stands for a process that does not listen. */
const NO_LISTENER = '-';

/** The channel on which processes tell each other whose logs have grown. */
export const signalChannel = (prefix: string): string => `${prefix}:events`;

export interface EventSignalOptions {
  readonly redis: RedisClient;
  readonly prefix: string;
  /** Names this process in its messages: its own tail has heard of its commits already. */
  readonly sender?: string;
  /** These hear of the commits of this process at once. */
  readonly onLogged?: readonly OnLogged[];
}

/**
 * Returns what tells other processes, by Redis, that logs have grown: for `UnitOfWorkOptions` and `hearOfLoggedEvents`. A
 * message may get lost: readers also look every 250 ms. It is never a NOTIFY, which takes a lock of the whole database at
 * the commit.
 */
export function createEventSignals({
  redis,
  prefix,
  sender = NO_LISTENER,
  onLogged: hearers = [],
}: EventSignalOptions): OnLogged {
  const channel = signalChannel(prefix);
  const grown = new Set<bigint>();
  let isDue = false;
  let publishedAt = Number.NEGATIVE_INFINITY;
  let pauseMs = PUBLISH_EVERY_MS;

  async function publish(): Promise<void> {
    isDue = false;
    publishedAt = performance.now();
    const message = [sender, ...grown].join(' ');
    grown.clear();
    if (redis.status !== 'ready') return;
    const listeners = await redis.publish(channel, message).catch(() => 0);
    // A node of a cluster does not count the listeners at other nodes.
    pauseMs = listeners > 0 || redis instanceof Cluster ? PUBLISH_EVERY_MS : UNHEARD_EVERY_MS;
  }

  return (accountIds, eventCount) => {
    for (const hear of hearers) hear(accountIds, eventCount);
    for (const accountId of accountIds) grown.add(accountId);
    if (isDue) return;
    isDue = true;
    setTimeout(() => void publish(), publishedAt + pauseMs - performance.now()).unref();
  };
}

/** How long an event stays unseen when no signal of it arrives. */
const POLL_MS = 250;

export const wakeReasons = ['signal', 'poll', 'time'] as const;
export type WakeReason = (typeof wakeReasons)[number];

/** Hears that the log of an account may have grown past `seq`. */
export interface TailListener {
  /** The last event that it knows. */
  readonly seq: bigint;
  wake(reason: WakeReason): void;
}

interface Waiter extends TailListener {
  readonly isGone: () => boolean;
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
  readonly hint: (accountIds: readonly bigint[]) => void;
  /** Resolves when the log may have grown past `seq`, or after `ms`. Who waits holds a slot of the quota `long-polls`. */
  wait(wait: Wait): Promise<WakeReason>;
  /** Wakes the listener each time, without a time-out, until the returned function is called. */
  listen(accountId: bigint, listener: TailListener): () => void;
  /** For how long no look at the heads of the logs has succeeded; 0 while nothing waits. */
  blindMs(): number;
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
  /** Whose messages to leave alone: the commits of this process are hinted at. */
  readonly sender?: string;
  readonly onWake?: (reason: WakeReason) => void;
  readonly onShown?: (at: bigint) => void;
}

interface HeadRow {
  readonly accountId: bigint;
  readonly lastSeq: bigint;
}

const headsIn = (tables: Tables, accountIds: readonly bigint[]): Promise<HeadRow[]> =>
  queryRows<HeadRow>(
    tables,
    Prisma.sql`${preparedAs('heads of accounts')}
    SELECT account_id AS "accountId", last_seq AS "lastSeq" FROM event_heads WHERE account_id = ANY (${accountIds}::bigint[])`,
  );

/** A node of a cluster that is away fails the statement for all accounts: then each shard group is asked by itself. */
async function readHeads(database: Database, accountIds: readonly bigint[]): Promise<HeadRow[]> {
  try {
    return await headsIn(database.shared, accountIds);
  } catch (error) {
    if (!database.isDistributed) throw error;
    const parts = database.groups(accountIds, (accountId) => accountId);
    const read = await Promise.allSettled(parts.map(([tables, ids]) => headsIn(tables, ids)));
    if (read.every(({ status }) => status === 'rejected')) throw error;
    return read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }
}

class Tail implements EventTail {
  readonly #waiters = new Map<bigint, Set<Waiter>>();
  readonly #listeners = new Map<bigint, Set<TailListener>>();
  #count = 0;
  #lookedAt = 0;
  #poll: NodeJS.Timeout | undefined;
  #isPolling = false;
  #isClosed = false;
  #isSubscribed = false;

  constructor(private readonly options: EventTailOptions) {
    const { subscriber, sender } = options;
    subscriber.on('message', (_channel, text) => {
      const [from, ...accountIds] = text.split(' ');
      if (from !== sender) this.hint(accountIds.map(BigInt));
    });
  }

  readonly hint = (accountIds: readonly bigint[]): void => {
    for (const accountId of accountIds) {
      for (const listener of this.#of(accountId)) listener.wake('signal');
    }
  };

  wait({ accountId, seq, ms, isGone }: Wait): Promise<WakeReason> {
    const own = this.#waiters.get(accountId) ?? new Set<Waiter>();
    if (this.#isClosed) return Promise.resolve('time');
    this.#waiters.set(accountId, own);
    this.#startPolling();
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
          this.#restIfIdle();
          this.options.onWake?.(reason);
          resolve(reason);
        },
      };
      own.add(waiter);
      this.#count += 1;
    });
  }

  listen(accountId: bigint, listener: TailListener): () => void {
    const own = this.#listeners.get(accountId) ?? new Set<TailListener>();
    this.#listeners.set(accountId, own.add(listener));
    this.#startPolling();
    return () => {
      own.delete(listener);
      if (own.size === 0 && this.#listeners.get(accountId) === own) this.#listeners.delete(accountId);
      this.#restIfIdle();
    };
  }

  blindMs(): number {
    return this.#poll === undefined ? 0 : performance.now() - this.#lookedAt;
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
    this.#listeners.clear();
    this.#restIfIdle();
  }

  /** With the first reader that waits: a process without one gets no messages. */
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

  #of(accountId: bigint): TailListener[] {
    return [...(this.#waiters.get(accountId) ?? []), ...(this.#listeners.get(accountId) ?? [])];
  }

  #startPolling(): void {
    this.#subscribe();
    if (this.#poll !== undefined || this.#isClosed) return;
    this.#lookedAt = performance.now();
    this.#poll = setInterval(() => void this.#look(), POLL_MS).unref();
  }

  #restIfIdle(): void {
    if (this.#count > 0 || this.#listeners.size > 0) return;
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  /** One statement for all that wait in this process, as long as no node of a cluster is away. */
  async #look(): Promise<void> {
    for (const waiter of this.#all()) if (waiter.isGone()) waiter.wake('time');
    const accountIds = [...new Set([...this.#waiters.keys(), ...this.#listeners.keys()])];
    if (this.#isPolling || accountIds.length === 0) return;
    this.#isPolling = true;
    try {
      const heads = await readHeads(this.options.database, accountIds);
      this.#lookedAt = performance.now();
      for (const { accountId, lastSeq } of heads) {
        for (const listener of this.#of(accountId)) if (listener.seq < lastSeq) listener.wake('poll');
      }
    } catch {
      // PostgreSQL is away: the next look comes soon, and a reader that wakes reports it.
    } finally {
      this.#isPolling = false;
    }
  }
}

export const createEventTail = (options: EventTailOptions): EventTail => new Tail(options);
