import { Cluster } from 'ioredis';
import type { RedisClient } from '#platform/redis/redis.js';
import type { OnLogged } from './on-logged.js';

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
