import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * A fault on the way of a request: it never arrives; it takes effect, but its answer is lost, wholly or after its first
 * half; it gets no answer; the proxy answers it.
 */
export type Mishap = 'lose request' | 'lose answer' | 'cut answer' | 'hang' | CannedAnswer;

export interface CannedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PassedRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
}

/** Stands between a caller and a server, and forwards every request that meets no mishap. */
export interface UnreliableProxy {
  readonly url: string;
  readonly requests: readonly PassedRequest[];
  /** Sets the mishaps of the next requests, in order. */
  next(...mishaps: readonly Mishap[]): void;
  close(): Promise<void>;
}

const HOP_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

function passedOn(headers: IncomingMessage['headers']): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name));
  return Object.fromEntries(passed.map(([name, value]) => [name, String(value)]));
}

async function forward(target: string, request: IncomingMessage): Promise<CannedAnswer & { readonly body: string }> {
  const body = await text(request);
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: passedOn(request.headers),
    body: body === '' ? null : body,
  });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !HOP_HEADERS.includes(name)));
  return { status: answer.status, headers, body: await answer.text() };
}

const send = (response: ServerResponse, { status, headers = {}, body = '' }: CannedAnswer) =>
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);

export async function startUnreliableProxy(target: string): Promise<UnreliableProxy> {
  const requests: PassedRequest[] = [];
  const mishaps: Mishap[] = [];

  async function treat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    requests.push({ method, path: url.split('?')[0] ?? '', key: headers['idempotency-key']?.toString() });
    const mishap = mishaps.shift();
    if (mishap === 'hang') return;
    if (mishap === 'lose request') return void request.socket.destroy();
    if (typeof mishap === 'object') return void send(response, mishap);
    const answer = await forward(target, request);
    if (mishap === 'lose answer') return void request.socket.destroy();
    if (mishap === undefined) return void send(response, answer);
    response.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) });
    response.write(answer.body.slice(0, answer.body.length / 2), () => request.socket.destroy());
  }

  const server = createServer((request, response) => {
    treat(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...more) => void mishaps.splice(0, mishaps.length, ...more),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
