import type { Request } from 'express';
import { bodyTooLarge, HttpError } from '#http/errors.js';
import { Refusal } from '#platform/errors/refusal.js';

/** What the API takes. */
const MAX_BODY_BYTES = 256 * 1_024;
/** Of bodies that wait for their end, or for the API: of one account, and of all. A page has one or two at once. */
const MAX_ACCOUNT_BYTES = 8 * MAX_BODY_BYTES;
const MAX_BYTES = 32 * MAX_ACCOUNT_BYTES;
const RETRY_AFTER_SECONDS = 1;

/** Bytes of one body. */
interface Held {
  add(bytes: number): void;
  free(): void;
}

/** Counts the bytes of bodies in this process, and refuses what is beyond the bounds. */
function createRoom(): (accountId: bigint) => Held {
  const byAccount = new Map<bigint, number>();
  let all = 0;

  return (accountId) => {
    let own = 0;
    const count = (bytes: number) => {
      own += bytes;
      all += bytes;
      const left = (byAccount.get(accountId) ?? 0) + bytes;
      if (left === 0) byAccount.delete(accountId);
      else byAccount.set(accountId, left);
      return left;
    };
    return {
      add(bytes) {
        if (count(bytes) > MAX_ACCOUNT_BYTES || all > MAX_BYTES) {
          throw new Refusal('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        if (own > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
      },
      free: () => void count(-own),
    };
  };
}

function readWhole(request: Request, held: Held): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const gone = () => reject(new HttpError(400, 'The request ended too early'));
    // The browser left while the session was looked up: no event will come any more.
    if (request.destroyed) return gone();
    const take = (piece: Buffer) => {
      try {
        held.add(piece.length);
        pieces.push(piece);
      } catch (error) {
        request.off('data', take);
        reject(error);
      }
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(pieces)));
    request.once('error', gone);
    request.once('close', gone);
  });
}

/** Reads the body of a request of an account, and passes it to `use`: empty when the request has none. */
export type WithBody = <Result>(
  request: Request,
  accountId: bigint,
  use: (body: Buffer) => Promise<Result>,
) => Promise<Result>;

export function createWithBody(): WithBody {
  const hold = createRoom();
  return async (request, accountId, use) => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
    const held = hold(accountId);
    try {
      return await use(await readWhole(request, held));
    } finally {
      held.free();
    }
  };
}
