/** A frame of a stream, as the HTML standard defines server-sent events. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Cuts the text of a stream into frames. */
export class ServerEventParser {
  #rest = '';
  /** The last time to wait that the server has named. */
  retryMs: number | undefined;

  /** The length of the frame that is not whole yet. */
  get waitingLength(): number {
    return this.#rest.length;
  }

  /** Forgets a frame that was cut. */
  reset(): void {
    this.#rest = '';
  }

  /** The frames that this part of the text completes. */
  push(text: string): ServerEvent[] {
    const frames = (this.#rest + text).split('\n\n');
    this.#rest = frames.pop() ?? '';
    return frames.flatMap((frame) => this.#parse(frame));
  }

  #parse(frame: string): ServerEvent[] {
    const fields = new Map<string, string>();
    for (const line of frame.split('\n')) {
      const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
      // Data of several lines is one text; a comment has no name.
      if (name === 'data' && fields.has(name)) fields.set(name, `${fields.get(name)}\n${value}`);
      else if (name !== '') fields.set(name, value);
    }
    const retry = fields.get('retry') ?? '';
    if (/^\d+$/.test(retry)) this.retryMs = Number(retry);
    const data = fields.get('data');
    return data === undefined ? [] : [{ id: fields.get('id'), event: fields.get('event') ?? 'message', data }];
  }
}
