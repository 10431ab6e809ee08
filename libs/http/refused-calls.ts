import { LRUCache } from 'lru-cache';
import type { Caller } from '#accounts/access/authenticator.js';
import { HOUR_MS } from '#platform/config/time-units.js';
import type { AccountTables, Database } from '#platform/database/database.js';
import { type DeletedRows, deleteExpiredRows, type ExpiredRows } from '#platform/database/expired-rows.js';
import { scalars, texts } from '#platform/database/statements.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { createLateWrites } from '#platform/process/late-writes.js';
import { routeOf } from './access-log.js';
import type { OnErrorAnswer } from './error-handler.js';

// The refused and failed calls of each account, for its own developers. A call that succeeds never comes here. A process
// notes a call in memory and writes it later, many at once.

type KeyKind = 'api-key' | 'session';

/** Without the path, the query and the body: these may name people and hold secrets. */
export interface RefusedCall {
  readonly accountId: bigint;
  readonly at: number;
  readonly method: string;
  /** The pattern of the route. */
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly keyKind: KeyKind;
  readonly keyId: bigint;
  readonly keyName: string | null;
}

/** Why a call is not in the log: its account or this process notes too many, or too many wait for PostgreSQL. */
type DroppedFor = 'account' | 'process' | 'waiting';

export interface RefusedCallsOptions {
  readonly database: Database;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onDropped: (reason: DroppedFor, calls: number) => void;
  readonly delayMs?: number;
  readonly now?: () => number;
}

export interface RefusedCalls {
  readonly note: OnErrorAnswer;
  /** Writes what was noted. */
  close(): Promise<void>;
}

const DELAY_MS = 1_000;
/** Calls of a few hundred bytes. */
const MAX_WAITING = 2_000;
/** An account whose calls were forgotten begins anew; the bound of the process holds. */
const MAX_ACCOUNTS = 10_000;

interface Share {
  readonly atOnce: number;
  readonly perHour: number;
}

/** In 7 days at most 10,280 rows of an account, and 610,000 in all, from each process. */
export const SHARES = {
  account: { atOnce: 200, perHour: 60 },
  process: { atOnce: 5_000, perHour: 3_600 },
} as const satisfies Record<string, Share>;

/** How many calls may still be noted: some at once, later one now and then. */
class Allowance {
  #left: number;

  constructor(
    private readonly share: Share,
    private sinceMs: number,
  ) {
    this.#left = share.atOnce;
  }

  hasRoom(nowMs: number): boolean {
    const grown = (Math.max(0, nowMs - this.sinceMs) * this.share.perHour) / HOUR_MS;
    this.#left = Math.min(this.share.atOnce, this.#left + grown);
    this.sinceMs = nowMs;
    return this.#left >= 1;
  }

  take(): void {
    this.#left -= 1;
  }
}

/** One allowance for each account, and one for all together: an account at its end takes nothing from the others. */
function createSampling(onDropped: RefusedCallsOptions['onDropped']) {
  const accounts = new LRUCache<bigint, Allowance>({ max: MAX_ACCOUNTS });
  let all: Allowance | undefined;

  return (accountId: bigint, nowMs: number): boolean => {
    const own = accounts.get(accountId) ?? new Allowance(SHARES.account, nowMs);
    accounts.set(accountId, own);
    all ??= new Allowance(SHARES.process, nowMs);
    const reason = own.hasRoom(nowMs) ? 'process' : 'account';
    if (reason === 'account' || !all.hasRoom(nowMs)) {
      onDropped(reason, 1);
      return false;
    }
    own.take();
    all.take();
    return true;
  };
}

const keyOf = ({ apiKey, tokenId }: Caller): Pick<RefusedCall, 'keyKind' | 'keyId' | 'keyName'> =>
  apiKey === undefined
    ? { keyKind: 'session', keyId: tokenId ?? 0n, keyName: null }
    : { keyKind: 'api-key', keyId: apiKey.id, keyName: apiKey.name };

/** The times are PostgreSQL's, as those of account events. A sandbox that is being deleted, or is gone, gets no more rows. */
async function insertCalls(tables: AccountTables, calls: readonly RefusedCall[], now: number): Promise<void> {
  await tables.$executeRaw`
    INSERT INTO refused_calls (account_id, created_at, method, route, status, code, request_id, key_kind, key_id, key_name)
    SELECT n.account_id, clock_timestamp() - n.ago * interval '1 ms', n.method, n.route, n.status, n.code, n.request_id, n.key_kind, n.key_id,
           n.key_name
      FROM unnest(${scalars(calls.map(({ accountId }) => accountId))}::bigint[],
                  ${scalars(calls.map(({ at }) => Math.round(now - at)))}::bigint[], ${texts(calls.map(({ method }) => method))}::text[],
                  ${texts(calls.map(({ route }) => route))}::text[], ${scalars(calls.map(({ status }) => status))}::smallint[],
                  ${texts(calls.map(({ code }) => code))}::text[], ${texts(calls.map(({ requestId }) => requestId))}::text[],
                  ${texts(calls.map(({ keyKind }) => keyKind))}::text[], ${scalars(calls.map(({ keyId }) => keyId))}::bigint[],
                  ${texts(calls.map(({ keyName }) => keyName))}::text[])
           n (account_id, ago, method, route, status, code, request_id, key_kind, key_id, key_name)
      JOIN accounts a ON a.id = n.account_id AND a.removed_since IS NULL`;
}

export function createRefusedCalls(options: RefusedCallsOptions): RefusedCalls {
  const { database, logger, onDropped, delayMs = DELAY_MS, now = () => performance.now() } = options;
  const isSampled = createSampling(onDropped);
  let waiting: RefusedCall[] = [];
  const late = createLateWrites(delayMs, write);

  async function write(): Promise<void> {
    const taken = waiting;
    waiting = [];
    const groups = taken.length === 0 ? [] : database.groups(taken, ({ accountId }) => accountId);
    for (const [tables, calls] of groups) await insertCalls(tables, calls, now()).catch((error) => keep(calls, error));
  }

  function keep(calls: readonly RefusedCall[], error: unknown): void {
    const dropped = Math.max(0, calls.length + waiting.length - MAX_WAITING);
    if (dropped > 0) onDropped('waiting', dropped);
    waiting = [...calls, ...waiting].slice(0, MAX_WAITING);
    logger.warn({ reason: String(error), rows: waiting.length, dropped }, 'refused calls not written: trying again');
    late.soon();
  }

  return {
    note(request, response, { status, code }) {
      const caller = request.user as Caller | undefined;
      if (caller === undefined || code === undefined) return;
      const { accountId } = caller.account;
      const at = now();
      if (!isSampled(accountId, at)) return;
      if (waiting.length >= MAX_WAITING) return onDropped('waiting', 1);
      const { method } = request;
      const { requestId } = response.locals;
      const call = { accountId, at, method, route: routeOf(request) ?? '', status, code, requestId };
      waiting.push({ ...call, ...keyOf(caller) });
      late.soon();
    },
    close: () => late.close(),
  };
}

export const deleteOldCalls = (tables: AccountTables, rows: ExpiredRows): Promise<DeletedRows> =>
  deleteExpiredRows(tables, { table: 'refused_calls', column: 'created_at' }, rows);

export function addRefusedCallMetrics({ counter }: Metrics): RefusedCallsOptions['onDropped'] {
  const dropped = counter({
    name: 'ledger_refused_calls_dropped_total',
    help: 'Refused calls that are in no request log: the account or the process had too many, or too many waited for PostgreSQL',
    labelNames: ['by'],
  });
  for (const by of ['account', 'process', 'waiting']) dropped.inc({ by }, 0);
  return (by, calls) => dropped.inc({ by }, calls);
}
