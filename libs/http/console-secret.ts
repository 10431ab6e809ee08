import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { sameHash, sha256 } from '#accounts/access/secrets.js';

// The console's server sends the requests of browsers to the API. The API counts tries and records account events by the
// address of the browser, which the console names. It proves by the secret that both know that it is the console.

export const SECRET_HEADER = 'console-secret';
const ADDRESS_HEADER = 'console-address';

/** What the console adds to a request for the API. */
export const originOfCaller = (secret: string | undefined, address: string | undefined): Record<string, string> =>
  secret === undefined || address === undefined ? {} : { [SECRET_HEADER]: secret, [ADDRESS_HEADER]: address };

/**
 * For requests with a secret. With the right one, the caller's address is the one that the console names. With another one,
 * or when the API has none, it is that of the connection's other end, as for every direct request.
 */
export function believeConsole(secret: string | undefined): RequestHandler {
  const expected = secret === undefined ? undefined : sha256(secret);
  return (request, _response, next) => {
    const { headers } = request;
    const given = headers[SECRET_HEADER];
    delete headers[SECRET_HEADER];
    const address = headers[ADDRESS_HEADER];
    const isConsole = expected !== undefined && sameHash(sha256(String(given)), expected);
    if (isConsole && typeof address === 'string' && isIP(address) > 0) {
      Object.defineProperty(request, 'ip', { value: address });
    }
    next();
  };
}
