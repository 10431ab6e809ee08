import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '#platform/errors/refusal.js';
import type { Deadline } from '#platform/process/deadline.js';
import { MAX_ANSWER_BYTES } from '#platform/quotas/answer-size.js';
import { READING } from './methods.js';

// Node checks, lowers and stores each header that is set by itself, and Express looks each one up again. The headers of an
// answer are collected as a list instead, and written with the status line, all at once.

/** Names and values in turn. */
type HeaderList = string[];

export interface AnswerLocals {
  headers?: HeaderList;
  arrivedAt?: number;
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

/** Begins the list of the headers of each answer with these, and notes when the request came: its deadline counts from here. */
export const beginAnswers =
  (common: readonly string[]): RequestHandler =>
  (_request, response, next) => {
    const locals = response.locals as AnswerLocals;
    locals.headers = [...common];
    locals.arrivedAt = performance.now();
    next();
  };

/** Sets a header of an answer, in place of one of the same name. */
export function setAnswerHeader(response: Response, name: string, value: string): void {
  const { headers } = response.locals as AnswerLocals;
  if (headers === undefined) {
    response.setHeader(name, value);
    return;
  }
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index] !== name) continue;
    headers[index + 1] = value;
    return;
  }
  headers.push(name, value);
}

/** For an answer that is written without its list, such as a page or a file. What it has set itself goes before. */
export function setListedHeaders(response: ServerResponse): void {
  const { headers = [] }: AnswerLocals = (response as Response).locals ?? {};
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [headers[index] as string, headers[index + 1] as string];
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
}

/** Returns how many bytes the body has. */
function sendText(response: Response, status: number, contentType: string, body: string): number {
  const { headers = [] } = response.locals as AnswerLocals;
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

// When a request must be answered.

/** A lane drops a late task before the request itself is given up, so that its caller learns that nothing was done. */
const LANE_MARGIN = 0.95;
const RETRY_AFTER_SECONDS = 1;

/** Counts from the request's arrival, which `beginAnswers` has noted: a request may wait in its guards as well. */
const endOf = (response: Response, deadlineMs: number): number =>
  ((response.locals as AnswerLocals).arrivedAt as number) + deadlineMs;

const isGone = (response: Response): boolean => response.closed || response.writableEnded;

export const deadlineOf = (response: Response, deadlineMs: number): Deadline => ({
  at: endOf(response, deadlineMs * LANE_MARGIN),
  isGone: () => isGone(response),
});

/** A read whose caller is gone, or has no more time, is not run, or not run further. */
export function assertWanted({ at, isGone: isCallerGone }: Deadline): void {
  if (isCallerGone() || performance.now() >= at)
    throw new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export interface TimeLimit {
  readonly deadlineMs: number;
  /** Whether the work changes nothing. */
  readonly isRead: boolean;
}

/** Refuses after the deadline. The work goes on; when it changes data, the caller must look whether it was done. */
export function inTime<Result>(
  response: Response,
  work: Promise<Result>,
  { deadlineMs, isRead }: TimeLimit,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const refusal = isRead
        ? new Refusal('database-unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS })
        : new Refusal('outcome-unknown');
      reject(refusal);
    }, endOf(response, deadlineMs) - performance.now());
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
