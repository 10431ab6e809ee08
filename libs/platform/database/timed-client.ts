import type { Socket } from 'node:net';
import pg from 'pg';

/** What pg has and its types leave out. */
interface WithConnection {
  readonly connection: { readonly stream: Socket };
}

/**
 * A client class for one pool. A statement that has no answer in time destroys its connection: PostgreSQL's own time-outs
 * do not help when the network drops packets without closing the connection. The pool's idle connections were opened
 * before the silence as well, so they are destroyed with it: otherwise the next statements would find out one by one.
 */
export function createTimedClient(timeoutMs: number): typeof pg.Client {
  const idle = new Set<TimedClient>();

  class TimedClient extends pg.Client {
    #running = 0;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.once('end', () => idle.delete(this));
    }

    override query = ((...args: Parameters<pg.Client['query']>) => {
      const result: unknown = Reflect.apply(super.query, this, args);
      if (result instanceof Promise) this.#watch(result);
      return result;
    }) as pg.Client['query'];

    #watch(answer: Promise<unknown>): void {
      idle.delete(this);
      this.#running += 1;
      const timer = setTimeout(() => {
        for (const client of [this, ...idle]) client.#destroy();
        idle.clear();
      }, timeoutMs);
      const end = () => {
        clearTimeout(timer);
        this.#running -= 1;
        if (this.#running === 0) idle.add(this);
      };
      answer.then(end, end);
    }

    #destroy(): void {
      const { stream } = (this as unknown as WithConnection).connection;
      stream.destroy(new Error(`PostgreSQL has not answered for ${timeoutMs} ms`));
    }
  }

  return TimedClient;
}
