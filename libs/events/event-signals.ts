import type { RedisClient } from '#platform/redis/redis.js';
import type { OnLogged } from './on-logged.js';

/** Commits of this time share a message. */
const PUBLISH_EVERY_MS = 10;

/** Stands for a process that does not listen. */
const NO_LISTENER = '-';

/** The channel on which processes tell each other whose logs have grown. */
export const signalChannel = (prefix: string): string => `${prefix}:events`;

export interface EventSignalOptions {
  readonly redis: RedisClient;
  readonly prefix: string;
  /** Names this process in its messages: its own tail has heard of its commits already. */
  readonly sender?: string;
  /** Hears of the commits of this process at once. */
  readonly onLogged?: OnLogged | undefined;
}

/**
 * Returns what tells other processes, by Redis, that logs have grown: for `UnitOfWorkOptions` and `hearOfLoggedEvents`. A message may get lost: readers also look every 250 ms. It is never
 * a NOTIFY, which takes a lock of the whole database at the commit.
 */
export function createEventSignals({
  redis,
  prefix,
  sender = NO_LISTENER,
  onLogged: onOwn,
}: EventSignalOptions): OnLogged {
  const channel = signalChannel(prefix);
  const grown = new Set<bigint>();
  let isDue = false;

  function publish(): void {
    isDue = false;
    const message = [sender, ...grown].join(' ');
    grown.clear();
    if (redis.status === 'ready') redis.publish(channel, message).catch(() => undefined);
  }

  return (accountIds, eventCount) => {
    onOwn?.(accountIds, eventCount);
    for (const accountId of accountIds) grown.add(accountId);
    if (!isDue) setTimeout(publish, PUBLISH_EVERY_MS).unref();
    isDue = true;
  };
}
