import type { TestClient } from './client.js';

export interface StreamFrame {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of any shape
  readonly data: any;
  readonly retry: number | undefined;
}

function frameIn(text: string): StreamFrame {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const retry = fields.get('retry');
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? 'message',
    data: JSON.parse(fields.get('data') ?? 'null'),
    retry: retry === undefined ? undefined : Number(retry),
  };
}

/** Reads a stream of server-sent events frame by frame, and reads nothing ahead. */
export class StreamReader {
  readonly #hangUp = new AbortController();
  readonly #decoder = new TextDecoder();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #text = '';
  status = 0;
  headers = new Headers();

  static async open(client: TestClient, path: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    const stream = new StreamReader();
    const { credential } = client;
    const authorization: Record<string, string> =
      credential === undefined || !('token' in credential) ? {} : { Authorization: `Bearer ${credential.token}` };
    const response = await fetch(`${client.baseUrl}${path}`, {
      headers: { ...authorization, ...headers },
      signal: stream.#hangUp.signal,
    });
    stream.status = response.status;
    stream.headers = response.headers;
    stream.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    return stream;
  }

  /** Undefined: the stream has ended, or was cut. */
  async next(): Promise<StreamFrame | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const frame = frameIn(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 2);
        return frame;
      }
      const read = await this.#reader?.read().catch(() => undefined);
      if (read?.value === undefined) return undefined;
      this.#text += this.#decoder.decode(read.value, { stream: true });
    }
  }

  /** The frames up to the first that fits, with it. */
  async until(fits: (frame: StreamFrame) => boolean): Promise<StreamFrame[]> {
    const frames: StreamFrame[] = [];
    for (;;) {
      const frame = await this.next();
      if (frame === undefined) throw new Error(`the stream ended after ${JSON.stringify(frames)}`);
      frames.push(frame);
      if (fits(frame)) return frames;
    }
  }

  /** The next events, without bookmarks and the like. */
  async events(count: number): Promise<StreamFrame[]> {
    const found: StreamFrame[] = [];
    while (found.length < count) {
      const frames = await this.until(({ event }) => event.includes('.'));
      found.push(...frames.slice(-1));
    }
    return found;
  }

  /** Everything to the end. */
  async rest(): Promise<StreamFrame[]> {
    const frames: StreamFrame[] = [];
    for (let frame = await this.next(); frame !== undefined; frame = await this.next()) frames.push(frame);
    return frames;
  }

  close(): void {
    this.#hangUp.abort();
  }
}
