import path from 'node:path';
import type { Response } from 'express';
import { httpError } from './errors.js';
import type { HttpRefusalCode } from './http-refusals.js';

/** A caller that takes nothing for so long does not hold its connection and the file any longer. */
const STALLED_AFTER_MS = 60_000;

export interface SentFile {
  /** Absolute. */
  readonly path: string;
  /** What a browser calls it. Plain ASCII, without quotation marks. */
  readonly name: string;
  readonly type: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** The refusal when the file is no longer there. */
  readonly missing: () => Error;
}

/** An answer that is a file. */
export class FileAnswer {
  constructor(readonly file: SentFile) {}
}

const NOT_FOUND = 404;
/** What a request for a part may be refused with, by status. */
export const partRefusals: ReadonlyMap<number | undefined, HttpRefusalCode> = new Map([
  [412, 'file-changed'],
  [416, 'no-such-part'],
]);

function refusalOf(error: Error & { readonly status?: number }, { missing }: SentFile): Error {
  if (error.status === NOT_FOUND) return missing();
  const code = partRefusals.get(error.status);
  return code === undefined ? error : httpError(code);
}

const BROKEN_OFF = ['ECONNABORTED', 'ECONNRESET', 'EPIPE'];

/** Streams the file, or the part that the request names. Resolves at its end, or when the caller is gone. */
export function sendFile(response: Response, { file }: FileAnswer): Promise<void> {
  const { path: place, name, type, sha256 } = file;
  response.setTimeout(STALLED_AFTER_MS, () => response.destroy());
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    ETag: `"${sha256}"`,
  };
  return new Promise((resolve, reject) => {
    const options = { root: path.dirname(place), cacheControl: false, lastModified: false, headers };
    response.sendFile(path.basename(place), options, (error?: NodeJS.ErrnoException) => {
      if (error === undefined || BROKEN_OFF.includes(error.code ?? '')) return resolve();
      // They describe the file, and the answer is a refusal now.
      if (!response.headersSent) for (const header of Object.keys(headers)) response.removeHeader(header);
      reject(refusalOf(error, file));
    });
  });
}
