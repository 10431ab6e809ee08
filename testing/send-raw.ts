import http from 'node:http';
import type { HostileRequest } from './hostile-requests.js';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** Sends it unchanged: fetch would correct much of it. */
export function sendRaw(baseUrl: string, { method, path, headers, body }: HostileRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  // Node.js itself gives no length to the body of a GET, which would then be a broken second request.
  const framed = body === undefined ? headers : { 'Content-Length': Buffer.byteLength(body), ...headers };
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method, path, headers: framed, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      // A stream does not end by itself.
      const isStream = response.headers['content-type']?.startsWith('text/event-stream');
      response.on('data', (chunk: Buffer) => (isStream ? response.destroy() : chunks.push(chunk)));
      response.on('close', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(chunks).toString() });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
