import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { Request, Response } from 'express';
import { HttpError } from '#http/errors.js';

// The connection to the API.

/** Longer than a request waits for its answer, and than the API's pause between two signs of a stream. */
const SILENCE_MS = 45_000;

/** The API gave no answer. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly signal?: AbortSignal | undefined;
}

export interface Upstream {
  /** Begins a request. The caller writes its body, and ends it. */
  request(request: UpstreamRequest): ClientRequest;
  close(): void;
}

/** What the API must know of the request that this server makes its own for: who asks, and by which id it is logged. */
export const originOf = (request: Request, { locals }: Response): OutgoingHttpHeaders => ({
  ...(request.ip !== undefined && { 'X-Forwarded-For': request.ip }),
  ...(request.secure && { 'X-Forwarded-Proto': 'https' }),
  'X-Request-Id': locals.requestId,
});

export function createUpstream(apiUrl: string): Upstream {
  const base = new URL(apiUrl);
  const { request, Agent } = base.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });
  const folder = base.pathname.replace(/\/+$/, '');
  return {
    request({ method, path, headers, signal }) {
      const begun = request(new URL(`${base.origin}${folder}${path}`), { method, headers, agent, signal });
      begun.setTimeout(SILENCE_MS, () => begun.destroy(new ApiUnreachable('The API is silent')));
      return begun;
    },
    close: () => agent.destroy(),
  };
}

/** The answer's head, when it comes. */
export function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', (error) => {
      const isKnown = error instanceof ApiUnreachable || error instanceof HttpError;
      reject(isKnown ? error : new ApiUnreachable('The API is not reachable', { cause: error }));
    });
  });
}
