import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import type { Logger } from '#logging/logger.js';

const CHANNEL = 'access_changed';
const HEARTBEAT_MS = 2_000;
/** Longer than a heartbeat takes, shorter than anyone would call "not at once". */
const LEASE_MS = 5_000;
const RECONNECT_MS = 500;
const OWN_NOTICE_WAIT_MS = 1_000;

export interface AccessChanges {
  /** Whether word of a change would have reached this process. When not, nothing cached may be trusted. */
  isTrusted(): boolean;
  /** `undefined`: anything may have changed. */
  onChange(listener: (accountId: bigint | undefined) => void): void;
  /** Runs a change of who may enter, and returns when word of it has gone out to every process. */
  announcing<Result>(accountId: bigint, change: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Hears from PostgreSQL, in the moment of the commit, that an account or one of its tokens has changed. A database
 * trigger sends the notice, so that no code path can forget it; and it needs no Redis. The connection proves by a
 * heartbeat that it is alive: a process that was paused or cut off stops trusting its cache by itself.
 */
class AccessChangeListener implements AccessChanges {
  readonly #events = new EventEmitter().setMaxListeners(0);
  #client: pg.Client | undefined;
  #provenAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;
  #heartbeat: NodeJS.Timeout | undefined;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await this.#connect();
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  isTrusted(): boolean {
    return performance.now() - this.#provenAtMs < LEASE_MS;
  }

  onChange(listener: (accountId: bigint | undefined) => void): void {
    this.#events.on('change', listener);
  }

  async announcing<Result>(accountId: bigint, change: () => Promise<Result>): Promise<Result> {
    const heard = once(this.#events, `account:${accountId}`, { signal: AbortSignal.timeout(OWN_NOTICE_WAIT_MS) });
    // The wait is a courtesy to the other processes, which hear it in the same moment; it must never fail the call.
    const heardOrLate = heard.catch(() => undefined);
    const result = await change();
    this.#events.emit('change', accountId);
    if (this.isTrusted()) await heardOrLate;
    return result;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#reconnect);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: LEASE_MS,
      query_timeout: LEASE_MS,
      keepAlive: true,
      application_name: 'betting-ledger-access',
    });
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ payload }) => {
      const accountId = BigInt(payload ?? '0');
      this.#events.emit('change', accountId);
      this.#events.emit(`account:${accountId}`);
    });
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    if (this.#closed) return void (await client.end());
    this.#client = client;
    // What was missed while nobody listened is unknown: everything may have changed.
    this.#events.emit('change', undefined);
    this.#provenAtMs = performance.now();
  }

  #beat(): void {
    const client = this.#client;
    if (client === undefined) return;
    const askedAtMs = performance.now();
    client
      .query('SELECT 1')
      .then(() => {
        if (client === this.#client) this.#provenAtMs = askedAtMs;
      })
      .catch(() => this.#lose(client));
  }

  #lose(client: pg.Client): void {
    if (this.#closed || client !== this.#client) return;
    this.#client = undefined;
    this.#provenAtMs = Number.NEGATIVE_INFINITY;
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
