export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';

/**
 * Splits the bytes of a connection into answers. It reads only what the API sends: a status line and Content-Length. A
 * full HTTP client costs several times as much, on the same processors that are measured.
 */
export class ResponseReader {
  #received: Buffer | undefined;
  #headBytes = 0;
  #totalBytes = 0;
  #status = 0;

  /** Returns the answer when it is complete. */
  push(chunk: Buffer): Answer | undefined {
    const received = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = received;
    if (this.#totalBytes === 0 && !this.#readHead(received)) return undefined;
    if (received.length < this.#totalBytes) return undefined;
    const answer = { status: this.#status, body: received.subarray(this.#headBytes, this.#totalBytes) };
    if (received.length > this.#totalBytes) throw new Error('an answer without a request');
    this.#received = undefined;
    this.#totalBytes = 0;
    return answer;
  }

  #readHead(received: Buffer): boolean {
    const end = received.indexOf(HEAD_END);
    if (end < 0) return false;
    const head = received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#status = Number(head.slice(9, 12));
    if (length === undefined && this.#status !== 204) throw new Error('an answer without Content-Length');
    this.#headBytes = end + HEAD_END.length;
    this.#totalBytes = this.#headBytes + Number(length ?? 0);
    return true;
  }
}
