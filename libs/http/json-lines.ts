import express, { type Request, type RequestHandler } from 'express';
import { ValidationError } from '#platform/errors/validation-error.js';
import { hasBody } from './connection.js';
import { bodyTooLarge, type HttpError, httpError } from './errors.js';
import { assertSafeJson, noteBytes } from './request-input.js';

// A body of JSON lines: each line is a JSON object by itself.

export const LINES_TYPE = 'application/x-ndjson';
export const MAX_LINES = 5_000;
export const MAX_LINES_BYTES = 4 * 1_024 * 1_024;
const MAX_LINE_BYTES = 16 * 1_024;

const LINES = /^application\/x-ndjson *(?:; *(.*))?$/i;
const UTF_8 = /^charset="?utf-8"?$/i;
const NEW_LINE = '\n'.charCodeAt(0);
const CARRIAGE_RETURN = '\r'.charCodeAt(0);
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Undefined: the body is JSON lines, or there is none. */
function typeFaultOf(request: Pick<Request, 'headers'>): HttpError | undefined {
  if (!hasBody(request)) return undefined;
  const [found, parameter] = LINES.exec(request.headers['content-type'] ?? '') ?? [];
  if (found === undefined) return httpError('not-lines');
  return parameter && !UTF_8.test(parameter) ? httpError('charset-unsupported') : undefined;
}

/** Reads a body of JSON lines to its end, so that one that was cut off has no effect. */
export function readJsonLines(): RequestHandler {
  const readAll = express.raw({
    type: () => true,
    limit: MAX_LINES_BYTES,
    verify: (request, _, bytes) => noteBytes(request, bytes),
  });
  return (request, response, next) => {
    if (Number(request.headers['content-length']) > MAX_LINES_BYTES) throw bodyTooLarge(MAX_LINES_BYTES);
    // `linesOf` refuses a body of another type.
    if (typeFaultOf(request) === undefined) readAll(request, response, next);
    else next();
  };
}

const isBlank = (line: Uint8Array): boolean => line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN);

export interface JsonLine {
  /** Counted from 1, blank ones too. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** The lines that are not blank, of a body that `readJsonLines` has read. */
export function linesOf(request: Pick<Request, 'body' | 'headers'>): readonly JsonLine[] {
  const fault = typeFaultOf(request);
  if (fault !== undefined) throw fault;
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) throw new ValidationError(['body should not be empty']);
  const lines: JsonLine[] = [];
  let start = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  for (let number = 1; start < body.length; number += 1) {
    if (number > MAX_LINES) throw new ValidationError([`body must contain no more than ${MAX_LINES} lines`]);
    const found = body.indexOf(NEW_LINE, start);
    const end = found === -1 ? body.length : found;
    const bytes = body.subarray(start, end);
    if (!isBlank(bytes)) lines.push({ number, bytes });
    start = end + 1;
  }
  if (lines.length === 0) throw new ValidationError(['body should not be empty']);
  return lines;
}

/** The value of a line. */
export function readLine({ bytes }: JsonLine): unknown {
  if (bytes.length > MAX_LINE_BYTES) {
    throw httpError('too-large', `A line must not be larger than ${MAX_LINE_BYTES / 1_024} KiB`);
  }
  const value = parsed(bytes.toString());
  assertSafeJson(value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ValidationError(['body must be valid JSON']);
  }
}
