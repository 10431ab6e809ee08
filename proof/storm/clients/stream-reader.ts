import { createLedgerClient, LedgerError, LedgerUnreachable } from '#clients/typescript/client.js';
import { BEGINNING, encodePosition } from '#events/event-position.js';
import type { FollowedLog } from '../history.js';
import { type LogReading, mayPass } from './log-readers.js';

/** It hangs up after a time of its own choice, from this one to that one. */
const SHORTEST_MS = 200;
const LONGEST_MS = 3_000;
/** No faults are left when the clients have ended. */
const PATIENCE_MS = 60_000;

type StreamReading = Omit<LogReading, 'way'>;

/** Follows a log by streams of any API, hangs up again and again, and continues at another one. */
export async function followByStream(reading: StreamReading): Promise<FollowedLog> {
  const { id: accountId, name } = reading.known.account;
  const reader = new StreamReader(reading, encodePosition(BigInt(accountId), BEGINNING));
  const refusal = await reader.readAll();
  return { accountId, name, way: 'stream', cursors: reader.cursors, ...(refusal !== undefined && { refusal }) };
}

class StreamReader {
  readonly cursors: string[] = [];
  #head: string | undefined;

  constructor(
    private readonly reading: StreamReading,
    private position: string,
  ) {}

  /** Returns why it was refused; undefined: everything is read. */
  async readAll(): Promise<string | undefined> {
    const { over } = this.reading;
    let endsAt = Number.POSITIVE_INFINITY;
    while (this.position !== this.#head) {
      if (over.aborted && endsAt === Number.POSITIVE_INFINITY) endsAt = performance.now() + PATIENCE_MS;
      if (performance.now() > endsAt) return 'the end of the log did not come in time';
      const refusal = await this.#readForAWhile();
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  async #readForAWhile(): Promise<string | undefined> {
    const { chance } = this.reading;
    const hangUp = new AbortController();
    const timer = setTimeout(() => hangUp.abort(), SHORTEST_MS + chance.below(LONGEST_MS - SHORTEST_MS));
    try {
      await this.#read(hangUp);
    } catch (error) {
      if (error instanceof LedgerError && !mayPass(error.status)) return error.message;
      const isPassing = error instanceof LedgerError || error instanceof LedgerUnreachable;
      if (!isPassing && !hangUp.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
    return undefined;
  }

  async #read(hangUp: AbortController): Promise<void> {
    const { known, apiUrls, chance, over } = this.reading;
    const baseUrl = apiUrls[chance.below(apiUrls.length)] ?? '';
    const client = createLedgerClient({ baseUrl, token: known.token, firstWaitMs: 50, maxWaitMs: 500 });
    if (over.aborted) this.#head ??= (await client.get('/events', { params: { query: { limit: 1 } } })).head;
    if (this.position === this.#head) return;
    const onPosition = (cursor: string) => {
      // The worker may have gone on, and its events may come in one piece with the one at the head.
      if (this.position === this.#head) return;
      this.position = cursor;
      if (cursor === this.#head) hangUp.abort();
    };
    const options = { signal: hangUp.signal, onPosition };
    for await (const { cursor } of client.events.follow({ after: this.position }, options)) this.cursors.push(cursor);
  }
}
