import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerClient, LedgerEvent } from '#clients/typescript/client.js';
import { whole } from '#tools/shared/command-line.js';

const SHOWN_TYPES = { 'offer.made': 'offers', 'offer.matched': 'matched', 'bet.settled': 'settled' } as const;
const LOOK_MS = 20;
const CAUGHT_UP_WITHIN_MS = 30_000;

/** The event log of the business, followed by the stream during the evening. */
export class FollowedLog {
  readonly events: LedgerEvent[] = [];
  #position = '';
  readonly #stopping = new AbortController();
  readonly #ended: Promise<unknown>;

  private constructor(
    private readonly business: LedgerClient,
    beginning: string,
  ) {
    this.#ended = this.#follow(beginning).catch((error) => error);
  }

  /** The events from now on. */
  static async from(business: LedgerClient): Promise<FollowedLog> {
    return new FollowedLog(business, await headOf(business));
  }

  async #follow(after: string): Promise<void> {
    const onPosition = (cursor: string) => {
      this.#position = cursor;
    };
    const { signal } = this.#stopping;
    for await (const event of this.business.events.follow({ after }, { signal, onPosition })) this.events.push(event);
  }

  /** So far. */
  get text(): string {
    const counts = Object.entries(SHOWN_TYPES).map(([type, name]) => {
      const count = this.events.filter((event) => event.type === type).length;
      return `${whole(count)} ${name}`;
    });
    return `           live: ${whole(this.events.length)} events, ${counts.join(', ')}`;
  }

  /** Waits until everything that has happened is here. */
  async caughtUp(): Promise<void> {
    const head = await headOf(this.business);
    const until = performance.now() + CAUGHT_UP_WITHIN_MS;
    while (this.#position !== head) {
      const failure = await Promise.race([this.#ended, delay(LOOK_MS)]);
      if (failure !== undefined) throw failure;
      if (performance.now() > until)
        throw new Error(`the stream is not at the end of the log after ${CAUGHT_UP_WITHIN_MS / 1_000} s`);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }
}

/** The end of the event log. */
const headOf = async (business: LedgerClient): Promise<string> =>
  (await business.get('/events', { params: { query: { per_page: 1 } } })).head;
