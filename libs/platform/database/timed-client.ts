import type { Socket } from 'node:net';
import pg from 'pg';

// PostgreSQL's own time-outs do not help when the network drops packets without closing the connection: neither side hears
// of it. So every connection of a pool is watched. One that is silent for too long is destroyed; its caller gets an error,
// and the pool opens a new connection.

/** What pg has and its types leave out. */
interface WithConnection {
  readonly connection: { readonly stream: Socket };
}

interface SilenceLimits {
  /** For a statement: longer than PostgreSQL itself lets one run. */
  readonly statementMs: number;
  /** For the answer to a probe of an idle connection, or to a BEGIN, which PostgreSQL gives at once. */
  readonly probeMs: number;
}

export interface TimedClientOptions extends SilenceLimits {
  /** What a client sends for BEGIN. */
  readonly begin?: string | undefined;
}

/** The time after which an idle connection is probed, and between probes. */
const PROBE_AFTER_MS = 2_000;
const LOOK_EVERY_MS = 250;
/** A transaction that sets its own time-out, as an audit does, gives its statements more time. */
const OWN_TIMEOUT = 'statement_timeout';
const OWN_TIMEOUT_VALUE = /statement_timeout\W*?(?:,|=|\bTO\b)\s*'?(\d+)/i;
const OWN_TIMEOUT_MARGIN_MS = 2_000;
const TRANSACTION_BEGIN = 'BEGIN';
const WITH_NEXT = Symbol('a BEGIN that is sent with the next statement');
const BEGUN = { command: TRANSACTION_BEGIN, rowCount: null, oid: 0, fields: [], rows: [] } as const;
const TRANSACTION_END = /^(?:COMMIT|ROLLBACK)$/i;
const TRANSACTION_COMMIT = 'COMMIT';
/** As PostgreSQL refuses a statement of a transaction that an error has ended. */
const IN_FAILED_TRANSACTION = { code: '25P02', severity: 'ERROR' } as const;
/** As the operating system reports a connection whose peer does not answer. */
const ETIMEDOUT = { code: 'ETIMEDOUT', errno: -110, syscall: 'read' } as const;
/** As it reports one that was broken off. */
const ECONNRESET = { code: 'ECONNRESET', errno: -104, syscall: 'read' } as const;

type QueryCallback = (error: Error | null | undefined, result?: unknown) => void;

/** The clients of one pool. */
class Watch {
  readonly #limits: SilenceLimits;
  readonly #clients = new Set<TimedClient>();
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  constructor(limits: SilenceLimits) {
    this.#limits = limits;
  }

  add(client: TimedClient): void {
    this.#clients.add(client);
    if (this.#timer !== undefined) return;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  delete(client: TimedClient): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = performance.now();
    for (const client of this.#clients) client.listen(now);
    const wasPaused = now - this.#lookedAt > 2 * LOOK_EVERY_MS;
    this.#lookedAt = now;
    // Answers that arrived while this process stood still have not been read yet.
    if (wasPaused) return;
    this.#endSilent(now);
    for (const client of this.#clients) client.probeWhenIdle(now);
  }

  /** With a silent statement, the other connections that were silent all that time end too: for the same reason. */
  #endSilent(now: number): void {
    const { statementMs, probeMs } = this.#limits;
    let silentSince = Number.NEGATIVE_INFINITY;
    const silent = [...this.#clients].filter(({ waitsSince = now, isProbed, ownLimitMs = statementMs }) => {
      const isSilent = now - waitsSince >= (isProbed ? probeMs : ownLimitMs);
      // A probe says nothing about a statement that has started, which may take longer.
      if (isSilent && !isProbed) silentSince = Math.max(silentSince, waitsSince);
      return isSilent;
    });
    const alike = [...this.#clients].filter(
      ({ heardAt, ownLimitMs }) => heardAt <= silentSince && ownLimitMs === undefined,
    );
    for (const client of new Set([...silent, ...alike])) client.destroy();
  }
}

class TimedClient extends pg.Client {
  /** When the last byte came from PostgreSQL, to the accuracy of a look. */
  heardAt = 0;
  /** Of the present transaction, when it has set a time-out of its own. */
  ownLimitMs: number | undefined;
  /** Sent together with the next BEGIN. */
  afterBegin: string | undefined;
  /** Whether the next BEGIN is sent together with the statement behind it. */
  beginsWithNext = false;
  /** Whether a statement waits for what follows in the same turn of the event loop. */
  isHoldingBack = false;
  /** How many transactions it has ended. */
  endedCount = 0;
  #bytesRead = 0;
  #running = 0;
  #askedAt = 0;
  #isProbed = false;
  #isHeldBack = false;
  readonly #watch: Watch;
  readonly #beginText: string | undefined;

  constructor(watch: Watch, begin: string | undefined, config?: string | pg.ClientConfig) {
    super(config);
    this.#watch = watch;
    this.#beginText = begin;
    this.once('connect', () => {
      this.heardAt = performance.now();
      watch.add(this);
    });
    this.once('end', () => watch.delete(this));
    // PostgreSQL may end the connection right after an answer. The pool then has given it to the next user already, who
    // listens only a moment later. An error without a listener would end the process; the user's statement fails anyway.
    this.on('error', () => undefined);
  }

  /**
   * The pool passes a callback, a transaction does not. This client always passes one to pg
   * (docs/decisions/0053-what-v8-likes.md).
   */
  override query = ((statement: unknown, ...more: unknown[]) => {
    const text = textOf(statement);
    this.#noteLimitAndEnd(text);
    const sent = text === TRANSACTION_BEGIN ? this.#takeBegin(statement) : statement;
    if (sent === WITH_NEXT) return this.#beginWithNext();
    const values = Array.isArray(more[0]) ? more[0] : undefined;
    const ended = this.#noteSent();
    const run = (callback: QueryCallback) => {
      if (this.isHoldingBack) this.#holdBack();
      const query = Reflect.apply(super.query, this, [
        sent,
        values,
        (error: Error | null | undefined, result: unknown) => {
          ended();
          callback(error ?? refusalOf(text, result), result);
        },
      ]);
      if (!this.isHoldingBack) this.#sendHeldBack();
      return query;
    };
    const callback = more.find((one) => typeof one === 'function');
    if (callback !== undefined) return run(callback as QueryCallback);
    return new Promise((resolve, reject) => {
      run((error, result) => (error ? reject(error) : resolve(result)));
    }).catch(withOwnStack);
  }) as pg.Client['query'];

  /** Nobody waits any more for a statement under way, but pg would. A farewell that is not answered ends with the watch. */
  override end = ((...args: unknown[]) => {
    if (this.#running > 0) this.#stream.destroy();
    this.#noteSent();
    return Reflect.apply(super.end, this, args);
  }) as pg.Client['end'];

  /** Whether it waits for a probe, with or without a statement behind it. */
  get isProbed(): boolean {
    return this.#isProbed;
  }

  /** Since when it waits for an answer without having heard anything; undefined: it is idle. */
  get waitsSince(): number | undefined {
    return this.#running > 0 || this.#isProbed ? Math.max(this.#askedAt, this.heardAt) : undefined;
  }

  listen(now: number): void {
    const { bytesRead } = this.#stream;
    if (bytesRead === this.#bytesRead) return;
    this.#bytesRead = bytesRead;
    this.heardAt = now;
  }

  probeWhenIdle(now: number): void {
    if (this.waitsSince !== undefined || now - this.heardAt < PROBE_AFTER_MS) return;
    this.#probe('SELECT 1', () => undefined);
  }

  destroy(): void {
    this.#watch.delete(this);
    this.#stream.destroy(Object.assign(new Error('PostgreSQL does not answer on this connection'), ETIMEDOUT));
  }

  /** When PostgreSQL refuses the BEGIN, the connection ends: a second statement would commit alone. */
  #beginWithNext(): Promise<unknown> {
    this.#holdBack();
    this.#probe(TRANSACTION_BEGIN, (error) => {
      if (error) this.#stream.destroy(Object.assign(new Error(`a BEGIN failed: ${String(error)}`), ECONNRESET));
    });
    return Promise.resolve(BEGUN);
  }

  /** PostgreSQL answers it at once, or is away. */
  #probe(statement: string, answered: QueryCallback): void {
    this.#isProbed = true;
    this.#askedAt = performance.now();
    void super.query(statement, (error: Error | null | undefined) => {
      this.#isProbed = false;
      this.#askedAt = performance.now();
      answered(error);
    });
  }

  /** Until a statement that waits for no other, or the end of this turn of the event loop. */
  #holdBack(): void {
    if (this.#isHeldBack) return;
    this.#isHeldBack = true;
    this.#stream.cork();
    setImmediate(() => this.#sendHeldBack());
  }

  #sendHeldBack(): void {
    if (this.#isHeldBack) this.#stream.uncork();
    this.#isHeldBack = false;
  }

  /** What is sent for the BEGIN. One that sets something may be refused, so it is waited for. */
  #takeBegin(statement: unknown): unknown {
    const { afterBegin, beginsWithNext } = this;
    this.afterBegin = undefined;
    this.beginsWithNext = false;
    if (afterBegin === undefined && this.#beginText === undefined) return beginsWithNext ? WITH_NEXT : statement;
    const begin = this.#beginText ?? TRANSACTION_BEGIN;
    return withText(statement, afterBegin === undefined ? begin : `${begin}; ${afterBegin}`);
  }

  #noteLimitAndEnd(text: string): void {
    if (TRANSACTION_END.test(text)) {
      this.endedCount += 1;
      // PostgreSQL answers a COMMIT or ROLLBACK soon. Under a long limit, one that is lost would hold its caller up.
      this.ownLimitMs = undefined;
    } else if (text.includes(OWN_TIMEOUT)) {
      const [, ms = Number.POSITIVE_INFINITY] = OWN_TIMEOUT_VALUE.exec(text) ?? [];
      this.ownLimitMs = Number(ms) + OWN_TIMEOUT_MARGIN_MS;
    }
  }

  get #stream(): Socket {
    return (this as unknown as WithConnection).connection.stream;
  }

  /** Returns what notes the answer. */
  #noteSent(): () => void {
    if (this.#running === 0 && !this.#isProbed) this.#askedAt = performance.now();
    this.#running += 1;
    let isRunning = true;
    // pg calls back twice for a value that it cannot send.
    return () => {
      if (isRunning) this.#running -= 1;
      isRunning = false;
    };
  }
}

/** The stack of the code that waits for the query, in place of that of the socket's reader. */
function withOwnStack(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/** PostgreSQL answers the COMMIT of a transaction that an error has ended by a rollback, and calls that a success. */
const refusalOf = (text: string, result: unknown): Error | undefined =>
  text === TRANSACTION_COMMIT && (result as pg.QueryResult | undefined)?.command === 'ROLLBACK'
    ? Object.assign(new Error('PostgreSQL rolled the transaction back'), IN_FAILED_TRANSACTION)
    : undefined;

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text;

const withText = (statement: unknown, text: string): unknown =>
  typeof statement === 'string' ? text : { ...(statement as pg.QueryConfig), text };

/** The client, of a pool of timed clients, sends this in one message with its next BEGIN. */
export function sendAfterBegin(client: pg.ClientBase, statement: string): void {
  (client as TimedClient).afterBegin = statement;
}

/** The client, of a pool of timed clients, sends its next BEGIN together with the statement behind it. */
export function sendBeginWithNext(client: pg.ClientBase): void {
  (client as TimedClient).beginsWithNext = true;
}

/** The client, of a pool of timed clients, sends what `give` gives to it together with what follows in the same turn of the event loop. */
export function sendWithNext<Result>(client: pg.ClientBase, give: () => Result): Result {
  const timed = client as TimedClient;
  timed.isHoldingBack = true;
  try {
    return give();
  } finally {
    timed.isHoldingBack = false;
  }
}

/** How many transactions the client has ended. */
export const endedCountOf = (client: pg.ClientBase): number => (client as TimedClient).endedCount;

/** A client class for one pool. */
export function createTimedClient({ begin, ...limits }: TimedClientOptions): typeof pg.Client {
  const watch = new Watch(limits);
  return class extends TimedClient {
    constructor(config?: string | pg.ClientConfig) {
      super(watch, begin, config);
    }
  };
}
