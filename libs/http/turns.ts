import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '#platform/errors/refusal.js';
import type { QuotaHolder, QuotaUse } from '#platform/quotas/quota-use.js';
import { quotas } from '#platform/quotas/quotas.js';
import type { UnreadAnswers } from './unread-answers.js';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export type Turns = <Result>(key: string, retryAfterSeconds: number, work: () => Promise<Result>) => Promise<Result>;

export interface TurnLimits {
  readonly atOnce: number;
  readonly waiting: number;
  /** A task that has waited so long is refused: its caller has given up, or soon will. */
  readonly waitMs: number;
}

/** Runs a few tasks at once for each key; the others wait their turn. Beyond a number or a time of waiting it refuses. */
export function createTurns({ atOnce, waiting, waitMs }: TurnLimits): Turns {
  const lines = new Map<string, Line>();

  async function enter(key: string, retryAfterSeconds: number): Promise<Line> {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running < atOnce) line.running += 1;
    else if (line.waiting.length >= waiting) throw new Refusal('rate-limited', { retryAfterSeconds });
    else {
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          line.waiting.splice(line.waiting.indexOf(begin), 1);
          reject(new Refusal('overloaded', { retryAfterSeconds }));
        };
        const timer = setTimeout(giveUp, waitMs);
        // A task that ends passes its turn on, so `running` does not change.
        const begin = () => {
          clearTimeout(timer);
          resolve();
        };
        line.waiting.push(begin);
      });
    }
    return line;
  }

  function leave(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next === undefined) line.running -= 1;
    else next();
    if (line.running === 0) lines.delete(key);
  }

  return async (key, retryAfterSeconds, work) => {
    const line = await enter(key, retryAfterSeconds);
    try {
      return await work();
    } finally {
      leave(key, line);
    }
  };
}

// What holds database connections for long takes turns: first among the requests of its account, then among those of all.

const RETRY_AFTER_SECONDS = 1;
const WAITING = 500;
const WAIT_MS = 8_000;

/** A list reads its page and its total at the same time. */
const CONNECTIONS_OF_A_LIST = 2;
const LISTS_OF_AN_ACCOUNT = 2;
/** In a cluster one holds the locks of the account, and another one writes the event before the change commits. */
const CONNECTIONS_OF_A_CHANGE = 2;
/** For logins and bets. */
const LEFT_CONNECTIONS = 2;
const MANY_CONNECTIONS = 10;
/** Of those that one preview waits for, each may take a second. */
const PREVIEW_WAIT_MS = 5_000;
/** Each holds a connection only for the transactions of its chunks. */
const IMPORTS = 2;
const IMPORT_WAIT_MS = 30_000;

/** Work that runs when it is the turn of the account. */
type InTurn = <Result>(accountId: bigint, work: () => Promise<Result>) => Promise<Result>;

/** The same, within a quota of the account. */
type InQuotaTurn = <Result>(holder: QuotaHolder, work: () => Promise<Result>) => Promise<Result>;

interface TurnsOptions {
  readonly ofAccount: number;
  readonly ofAll: number;
  readonly waiting?: number;
  readonly waitMs?: number;
  /** Runs in the turn of the account, before that of all. */
  readonly first?: (accountId: bigint) => Promise<void>;
}

function createInTurn(options: TurnsOptions): InTurn {
  const { ofAccount, ofAll, waiting = WAITING, waitMs = WAIT_MS, first } = options;
  const ownTurn = createTurns({ atOnce: Math.max(1, ofAccount), waiting, waitMs });
  const turnOfAll = createTurns({ atOnce: Math.max(1, ofAll), waiting, waitMs });
  return (accountId, work) =>
    ownTurn(String(accountId), RETRY_AFTER_SECONDS, async () => {
      await first?.(accountId);
      return turnOfAll('all', RETRY_AFTER_SECONDS, work);
    });
}

export interface AllTurns {
  /** Reads a list. */
  readonly inListTurn: InQuotaTurn;
  /** Computes a preview. */
  readonly inPreviewTurn: InQuotaTurn;
  /** Imports users. */
  readonly inImportTurn: InQuotaTurn;
  /** Makes a change that locks the account. */
  readonly inChangeTurn: InTurn;
  /** Does what may need approval: it reads the bets of a wager that it has locked. */
  readonly inApprovalTurn: InQuotaTurn;
}

export interface TurnsContext {
  readonly databaseConnections: number;
  readonly unread: UnreadAnswers;
  readonly quotaUse: QuotaUse;
}

/** Counts what runs and what waits. A caller that does not take its answers gets no turn. */
const inQuota =
  (
    name: 'lists' | 'previews' | 'approvals' | 'imports',
    { quotaUse, unread }: TurnsContext,
    inTurn: InTurn,
  ): InQuotaTurn =>
  async (holder, read) => {
    const { accountId } = holder;
    const release = quotaUse.take(name, holder);
    return inTurn(accountId, async () => {
      unread.assertRoom(accountId);
      return read();
    }).finally(release);
  };

export function createAllTurns(context: TurnsContext): AllTurns {
  const { databaseConnections, unread } = context;
  /** Each holds a connection. */
  const previews = databaseConnections < MANY_CONNECTIONS ? 1 : 2;
  const leftForLists = databaseConnections - previews - LEFT_CONNECTIONS;
  const waitForReader = async (accountId: bigint) => {
    const waitMs = unread.waitOf(accountId);
    if (waitMs > 0) await delay(waitMs);
  };
  return {
    // A search through a million users holds its connections for as long as it runs.
    inListTurn: inQuota(
      'lists',
      context,
      createInTurn({
        ofAccount: LISTS_OF_AN_ACCOUNT,
        ofAll: Math.floor(leftForLists / CONNECTIONS_OF_A_LIST),
        first: waitForReader,
      }),
    ),
    // Each may read 20,000 bets: lists wait for none of them.
    inPreviewTurn: inQuota(
      'previews',
      context,
      createInTurn({ ofAccount: 1, ofAll: previews, waiting: quotas.previews.whole, waitMs: PREVIEW_WAIT_MS }),
    ),
    inImportTurn: inQuota(
      'imports',
      context,
      createInTurn({ ofAccount: 1, ofAll: IMPORTS, waiting: quotas.imports.whole, waitMs: IMPORT_WAIT_MS }),
    ),
    // All changes that run at once must find their second connection, or they wait for each other until their time is up.
    // Those of one account would wait for its lock anyway.
    inChangeTurn: createInTurn({ ofAccount: 1, ofAll: Math.floor(databaseConnections / CONNECTIONS_OF_A_CHANGE) }),
    // Each holds a connection, for seconds where the wager is large. Those of one account may wait for each other's locks.
    inApprovalTurn: inQuota('approvals', context, createInTurn({ ofAccount: 1, ofAll: previews })),
  };
}
