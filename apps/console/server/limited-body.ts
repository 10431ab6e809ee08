import { Transform } from 'node:stream';
import { HttpError } from '#http/errors.js';

/** What the API takes. */
const MAX_BODY_BYTES = 256 * 1024;

/** Passes a request's body on until it is larger than any that the API takes. */
export function limitBody(): Transform {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > MAX_BODY_BYTES) done(new HttpError(413, 'The request body must not be larger than 256 KiB'));
      else done(null, piece);
    },
  });
}
