import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '#platform/errors/refusal.js';
import { MAX_ANSWER_BYTES } from '#platform/quotas/answer-size.js';
import { READING } from './methods.js';

// Node checks, lowers and stores each header that is set by itself, and Express looks each one up again. The headers of an
// answer are collected as a list instead, and written with the status line, all at once.

/** Names and values in turn. */
type HeaderList = string[];

interface WithHeaders {
  headers?: HeaderList;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What a middleware sets on every answer alike. It runs once. */
export function headersOf(middleware: RequestHandler): readonly string[] {
  const list: HeaderList = [];
  const response = {
    setHeader: (name: string, value: string) => list.push(name, value),
    removeHeader: () => undefined,
  };
  middleware({} as Request, response as unknown as Response, (error) => {
    if (error) throw error;
  });
  return list;
}

/** Begins the list of an answer's headers. */
export function startHeaders(response: Response, common: readonly string[]): void {
  (response.locals as WithHeaders).headers = [...common];
}

/** Sets a header of an answer that `sendJson` will write. */
export function setAnswerHeader(response: Response, name: string, value: string): void {
  const { headers } = response.locals as WithHeaders;
  if (headers === undefined) {
    response.setHeader(name, value);
    return;
  }
  for (let place = 0; place < headers.length; place += 2) {
    if (headers[place] !== name) continue;
    headers[place + 1] = value;
    return;
  }
  headers.push(name, value);
}

/** For answers that Express writes, such as pages. */
export const headersToExpress: RequestHandler = (_request, response, next) => {
  const { headers = [] } = response.locals as WithHeaders;
  for (let place = 0; place < headers.length; place += 2) {
    response.setHeader(headers[place] as string, headers[place + 1] as string);
  }
  delete (response.locals as WithHeaders).headers;
  next();
};

/** Returns how many bytes the body has. */
export function sendText(response: Response, status: number, contentType: string, body: string): number {
  const { headers = [] } = response.locals as WithHeaders;
  const bytes = Buffer.byteLength(body);
  // The effect of another request stands, so its answer is sent. Such answers are bounded by what one request may do.
  if (bytes > MAX_ANSWER_BYTES && READING.has(response.req.method)) throw new Refusal('answer-too-large');
  headers.push('Content-Type', contentType, 'Content-Length', String(bytes));
  response.writeHead(status, headers);
  response.end(body);
  return bytes;
}

/** Writes an answer whose body is JSON already. */
export const sendJsonText = (response: Response, status: number, body: string): number =>
  sendText(response, status, JSON_TYPE, body);

export const sendJson = (response: Response, status: number, body: object): number =>
  sendJsonText(response, status, JSON.stringify(body));

/** An answer that is no JSON. */
export class TextAnswer {
  constructor(
    private readonly contentType: string,
    private readonly text: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  send(response: Response, status: number): void {
    for (const [name, value] of Object.entries(this.headers)) setAnswerHeader(response, name, value);
    sendText(response, status, this.contentType, this.text);
  }
}
