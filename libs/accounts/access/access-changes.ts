import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import type { Logger } from '#platform/logging/logger.js';

const CHANNEL = 'access_changed';
const PROBE = 'access_probe';
const HEARD = 'access_heard';
const LISTENER_NAME = 'betting-ledger-access';
const HEARTBEAT_MS = 2_000;
/** Longer than a heartbeat takes, and short enough that a revoked credential seems to end at once. */
const LEASE_MS = 5_000;
const RECONNECT_MS = 500;
const HEARD_WAIT_MS = 1_000;

export interface AccessChanges {
  /** Until then notices of changes reach this process, by `performance.now()`. Afterwards no cached credential may be trusted. */
  readonly trustedUntilMs: number;
  /** Calls the listener with the account that changed; `undefined`: any account may have changed. */
  onChange(listener: (accountId: bigint | undefined) => void): void;
  /** Runs a change of credentials or roles, and returns when every process has received its notice. */
  announcing<Result>(accountId: bigint, change: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Receives PostgreSQL's notice, at the commit, that an account or one of its tokens has changed. A database trigger sends
 * the notice, so no code path can forget it, and it needs no Redis. A heartbeat proves that the connection is alive: a
 * process that was paused or cut off stops trusting its cache.
 */
class AccessChangeListener implements AccessChanges {
  trustedUntilMs = Number.NEGATIVE_INFINITY;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #client: pg.Client | undefined;
  #lastAsked: Promise<unknown> = Promise.resolve();
  #closed = false;
  #heartbeat: NodeJS.Timeout | undefined;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await this.#connect().catch((error) => {
      this.logger.warn({ reason: String(error) }, 'cannot hear of access changes yet: trying again');
      this.#scheduleReconnect();
    });
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  onChange(listener: (accountId: bigint | undefined) => void): void {
    this.#events.on('change', listener);
  }

  async announcing<Result>(accountId: bigint, change: () => Promise<Result>): Promise<Result> {
    const result = await change();
    this.#events.emit('change', accountId);
    // The change is committed. A process that does not answer is cut off or paused, and will not trust its cache.
    await this.#heardByAll().catch((error) =>
      this.logger.warn({ reason: String(error) }, 'access change not confirmed'),
    );
    return result;
  }

  /** Sends a probe to every process that listens, and returns when all have answered. */
  async #heardByAll(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    const nonce = randomUUID();
    const signal = AbortSignal.timeout(HEARD_WAIT_MS);
    let answers = 0;
    const count = () => {
      answers += 1;
    };
    this.#events.on(`heard:${nonce}`, count);
    try {
      const { rows } = await this.#ask(
        client,
        `SELECT count(*)::int AS listeners, pg_notify($1, $2) FROM pg_stat_activity
          WHERE application_name = $3 AND datname = current_database()`,
        [PROBE, nonce, LISTENER_NAME],
      );
      const listeners: number = rows[0]?.listeners ?? 1;
      while (answers < listeners) await once(this.#events, `heard:${nonce}`, { signal });
    } finally {
      this.#events.removeAllListeners(`heard:${nonce}`);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#reconnect);
    await this.#client?.end();
  }

  /** Runs one query at a time: heartbeats, probes and answers share the connection. */
  #ask(client: pg.Client, sql: string, values: unknown[]): Promise<pg.QueryResult> {
    const answer = this.#lastAsked.catch(() => undefined).then(() => client.query(sql, values));
    this.#lastAsked = answer;
    return answer;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: LEASE_MS,
      query_timeout: LEASE_MS,
      keepAlive: true,
      application_name: LISTENER_NAME,
    });
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === CHANNEL) this.#events.emit('change', BigInt(payload));
      else if (channel === HEARD) this.#events.emit(`heard:${payload}`);
      // Notices arrive in order: a process that receives the probe has received the change before it.
      else this.#ask(client, 'SELECT pg_notify($1, $2)', [HEARD, payload]).catch(() => this.#lose(client));
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}; LISTEN ${PROBE}; LISTEN ${HEARD}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) return void (await client.end());
    this.#client = client;
    // Notices sent before the connection are lost, so any account may have changed.
    this.#events.emit('change', undefined);
    this.trustedUntilMs = performance.now() + LEASE_MS;
  }

  #beat(): void {
    const client = this.#client;
    if (client === undefined) return;
    const askedAtMs = performance.now();
    this.#ask(client, 'SELECT 1', [])
      .then(() => {
        if (client === this.#client) this.trustedUntilMs = askedAtMs + LEASE_MS;
      })
      .catch(() => this.#lose(client));
  }

  #lose(client: pg.Client): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = undefined;
    this.trustedUntilMs = Number.NEGATIVE_INFINITY;
    this.#events.emit('change', undefined);
    this.logger.warn('lost the connection that hears of access changes: reconnecting');
    client.end().catch(() => undefined);
    this.#scheduleReconnect();
  }

  #scheduleReconnect(): void {
    if (this.#closed) return;
    this.#reconnect = setTimeout(() => {
      this.#connect().catch(() => this.#scheduleReconnect());
    }, RECONNECT_MS);
  }
}

export async function listenForAccessChanges(databaseUrl: string, logger: Logger): Promise<AccessChanges> {
  const listener = new AccessChangeListener(databaseUrl, logger);
  await listener.start();
  return listener;
}
