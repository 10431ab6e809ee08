import express, { type Request, type RequestHandler } from 'express';
import { bodyTooLarge, HttpError } from './errors.js';
import { ValidationError } from './validation.js';

/** As clients write it that send JSON without any option. */
const PLAIN = /^application\/json(?:; ?charset=utf-8)?$/i;
const BYTE_ORDER_MARK = '\ufeff';

/** Smaller bodies are not noted: an entry in a WeakMap takes V8 some time. */
const NOTED_BYTES = 512;
const noted = new WeakMap<object, number>();

function noteBytes(request: object, { length }: Uint8Array): void {
  if (length > NOTED_BYTES) noted.set(request, length);
}

/** How many bytes the reader read as the body of a request, uncompressed. 0 for a small body, and for one that was not read. */
export const bodyBytesOf = (request: object): number => noted.get(request) ?? 0;

/** An object or an array: no endpoint takes any other value. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Answered like a value of another kind.
  }
  throw new ValidationError(['body must be valid JSON']);
}

function isPlain({ headers }: Request, maxBytes: number): boolean {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= maxBytes &&
    headers['content-encoding'] === undefined &&
    PLAIN.test(headers['content-type'] ?? '')
  );
}

/**
 * Reads bodies of JSON. Almost every client sends one plainly, with its length: reading it takes a fraction of what
 * Express's own reader takes, which serves all others (compressed, in chunks, of another charset, too large).
 */
export function readJson(maxBytes: number): RequestHandler {
  const readAny = express.json({ limit: maxBytes, verify: (request, _, bytes) => noteBytes(request, bytes) });
  return (request, response, next) => {
    // Express's reader would read it to its end, however long it is, before it refuses it.
    if (Number(request.headers['content-length']) > maxBytes) throw bodyTooLarge(maxBytes);
    if (!isPlain(request, maxBytes)) return readAny(request, response, next);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('error', () => next(new HttpError(400, 'The request ended too early')));
    request.once('end', () => {
      try {
        const [first] = chunks;
        const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
        noteBytes(request, bytes);
        request.body = parseJson(bytes.toString());
      } catch (error) {
        return next(error);
      }
      next();
    });
  };
}
