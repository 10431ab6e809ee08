import { type Database, withTx } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { createLateWrites } from '#platform/process/late-writes.js';
import { UNKNOWN_ACTOR } from './account-event.js';
import { type CausedEvent, insertEvents } from './record-events.js';

export interface WrongLogin {
  readonly accountId: bigint;
  readonly address: string;
  readonly requestId: string | null;
}

export interface WrongLogins {
  /** Takes no time that could reveal whether the account exists: the event is written later. */
  note(login: WrongLogin): void;
  /** Writes what was noted. */
  close(): Promise<void>;
}

export interface WrongLoginsOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly onDropped: (logins: number) => void;
  readonly windowMs?: number;
}

/** An event is readable within 10 seconds: two windows, when the first write fails. */
const WINDOW_MS = 4_000;
const ADDRESSES_OF_ACCOUNT = 5;
const MAX_WAITING = 2_000;

interface WaitingEvent extends WrongLogin {
  /** When the first attempt was. */
  at: number;
  attempts: number;
}

/**
 * Writes wrong logins a window at a time, one row for each account and address with the number of attempts and the time of
 * the first. An account has at most five such rows in a window, and one more without an address for all other addresses: a
 * flood of guesses is no flood of rows.
 */
export function createWrongLogins({
  database,
  logger,
  onDropped,
  windowMs = WINDOW_MS,
}: WrongLoginsOptions): WrongLogins {
  let waiting = new Map<string, WaitingEvent>();
  let addresses = new Map<bigint, Set<string>>();
  const late = createLateWrites(windowMs, write);

  /** Empty: one of the other addresses. */
  function shownAddress({ accountId, address }: WrongLogin): string {
    const known = addresses.get(accountId) ?? new Set<string>();
    if (known.size < ADDRESSES_OF_ACCOUNT) addresses.set(accountId, known.add(address));
    return known.has(address) ? address : '';
  }

  function add(login: WaitingEvent): void {
    const address = shownAddress(login);
    const key = `${login.accountId} ${address}`;
    const same = waiting.get(key);
    if (same !== undefined) {
      same.attempts += login.attempts;
      same.at = Math.min(same.at, login.at);
    } else if (waiting.size < MAX_WAITING) waiting.set(key, { ...login, address });
    else onDropped(login.attempts);
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const events = [...waiting.values()];
    [waiting, addresses] = [new Map(), new Map()];
    try {
      await withTx(database.shared, (tx) => insertEvents(tx, events.map(eventOf)));
    } catch (error) {
      for (const event of events) add(event);
      logger.warn({ reason: String(error), rows: waiting.size }, 'wrong logins not written: trying again');
      late.soon();
    }
  }

  return {
    note(login) {
      add({ ...login, at: performance.now(), attempts: 1 });
      late.soon();
    },
    close: () => late.close(),
  };
}

const eventOf = ({ accountId, address, requestId, at, attempts }: WaitingEvent): CausedEvent => ({
  accountId,
  type: 'login-refused',
  after: { attempts },
  at,
  cause: { actor: UNKNOWN_ACTOR, address: address === '' ? null : address, requestId },
});
