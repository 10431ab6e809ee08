import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape
  readonly body: any;
}

/** What a receiver does with a request. */
export type Receive = (webhook: ReceivedWebhook, response: ServerResponse) => void | Promise<void>;

export interface WebhookReceiver {
  readonly url: string;
  /** In the order in which they came. */
  readonly received: ReceivedWebhook[];
  /** For all further requests. */
  receive: Receive;
  close(): Promise<void>;
}

/** In PEM. */
export interface TlsCertificate {
  readonly key: string;
  readonly cert: string;
}

export const answering =
  (status: number, headers: Record<string, string> = {}): Receive =>
  (_webhook, response) =>
    void response.writeHead(status, headers).end();

/** A receiver of webhooks on this machine, which takes everything until a test says otherwise. */
export async function startWebhookReceiver(certificate?: TlsCertificate): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const webhook = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
    received.push(webhook);
    await receiver.receive(webhook, response);
  };
  const server = certificate === undefined ? http.createServer(serve) : https.createServer(certificate, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: certificate === undefined ? `http://127.0.0.1:${port}/hook` : `https://localhost:${port}/hook`,
    received,
    receive: answering(204),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return receiver;
}
