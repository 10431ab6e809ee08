import type { Request, Response } from 'express';
import type { AnswerLocals } from './answer.js';
import { httpError } from './errors.js';

// Server-sent events, as the HTML standard defines them (https://html.spec.whatwg.org/multipage/server-sent-events.html).

export const STREAM_TYPE = 'text/event-stream';

export interface Frame {
  /** Undefined: a reader's position does not change. */
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: object;
  /** How long a reader waits before it connects again. */
  readonly retryMs?: number;
}

export const frameText = ({ id, event, data, retryMs }: Frame): string =>
  `${retryMs === undefined ? '' : `retry: ${retryMs}\n`}${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** What the access log says of a stream, when it is over. */
export interface StreamFacts {
  /** From the request to the first frame. */
  readonly openedMs: number;
  /** Undefined: the stream was passed on from another server. */
  frames: number | undefined;
  end: string;
}

export function assertAcceptsStream(request: Request): void {
  if (!request.accepts(STREAM_TYPE)) throw httpError('not-acceptable');
}

interface StreamLocals extends AnswerLocals {
  stream?: StreamFacts;
}

/** The writing end of an answer that is a stream. */
export class EventStream {
  /** Since when the reader has to take what was written before more is written. */
  waitsSince: number | undefined;
  onDrain: () => void = () => undefined;
  /** Called once, also when the reader hangs up. */
  onClose: () => void = () => undefined;
  readonly facts: StreamFacts & { frames: number };
  readonly #response: Response;

  constructor(request: Request, response: Response) {
    const locals = response.locals as StreamLocals;
    const { headers = [], arrivedAt = performance.now() } = locals;
    this.#response = response;
    this.facts = { openedMs: performance.now() - arrivedAt, frames: 0, end: 'caller' };
    locals.stream = this.facts;
    // Proxies that buffer answers would hold frames back.
    response.writeHead(200, [...headers, 'Content-Type', `${STREAM_TYPE}; charset=utf-8`, 'X-Accel-Buffering', 'no']);
    delete locals.headers;
    response.on('drain', () => {
      this.waitsSince = undefined;
      this.onDrain();
    });
    response.on('close', () => this.onClose());
    // The answer to a HEAD has no body.
    if (request.method === 'HEAD') response.end();
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** Whether more may be written now. */
  get isReady(): boolean {
    return this.waitsSince === undefined && this.isOpen;
  }

  write(text: string, frameCount = 1): void {
    if (!this.isOpen) return;
    this.facts.frames += frameCount;
    if (!this.#response.write(text)) this.waitsSince ??= performance.now();
  }

  /** A reader that has not taken what was written before is cut off, because `last` would not reach it either. */
  end(reason: string, last: string): void {
    if (!this.isOpen) return;
    this.facts.end = reason;
    if (this.waitsSince === undefined) this.#response.end(last);
    else this.#response.destroy();
  }

  cut(reason: string): void {
    this.facts.end = reason;
    this.#response.destroy();
  }
}

/** An answer that is a stream: `begin` gets its writing end, or refuses before anything is written. */
export class StreamAnswer {
  constructor(private readonly begin: (open: () => EventStream) => void) {}

  send(request: Request, response: Response): void {
    // The reader has hung up meanwhile: no event would end a stream that begins now.
    if (response.closed) return;
    this.begin(() => new EventStream(request, response));
  }
}
