import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { type Dispatcher, errors, Pool } from 'undici';
import { originOfCaller } from '#http/console-secret.js';

// The connections to the API. undici frames the requests itself: it sends a length of its own with a body, and nothing of a
// body without one. It uses a connection for one request after the other, and closes it unless the request was sent and the
// answer read to its end. So no bytes of one request or answer reach another one.

/** Longer than a request waits for its answer, and than the API's pause between two signs of a stream. */
const SILENCE_MS = 45_000;

/** The API gave no answer. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}

export type UpstreamMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface UpstreamRequest {
  readonly method: UpstreamMethod;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: Buffer | undefined;
  /** Ends the request, or its answer. */
  readonly signal: AbortSignal;
}

export type UpstreamAnswer = Dispatcher.ResponseData;

export interface Upstream {
  /** Sends a request, and returns the head of its answer. The caller reads the body to its end, or destroys it. */
  request(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): void;
}

/** What the API must know of the request that this server makes its own for: who asks, and by which id it is logged. */
export type OriginOf = (request: Request, response: Response) => IncomingHttpHeaders;

export const createOriginOf =
  (consoleSecret: string | undefined): OriginOf =>
  ({ ip }, { locals }) => ({ ...originOfCaller(consoleSecret, ip), 'X-Request-Id': locals.requestId });

function faultOf(error: unknown): Error {
  const isSilence = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  return new ApiUnreachable(isSilence ? 'The API is silent' : 'The API is not reachable', { cause: error });
}

/** `keepsConnections`: whether a request may use the connection of an earlier one. */
export function createUpstream(apiUrl: string, { keepsConnections }: { readonly keepsConnections: boolean }): Upstream {
  const { origin, pathname } = new URL(apiUrl);
  const folder = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    pipelining: keepsConnections ? 1 : 0,
    allowH2: false,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
  });
  return {
    async request({ method, path, headers, body = null, signal }) {
      try {
        return await pool.request({ method, path: `${folder}${path}`, headers, body, signal });
      } catch (error) {
        throw faultOf(error);
      }
    },
    close: () => void pool.destroy(),
  };
}
