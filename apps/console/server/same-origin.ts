import type { Request, RequestHandler } from 'express';
import { HttpError } from '#http/errors.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers name the origin of a request; over plain HTTP only by `Origin`. A request without either is no browser's. */
function isFromElsewhere({ headers, host }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  const { origin } = headers;
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}

/** Another site must not make a browser log in or act: the cookie is SameSite=Strict, and old browsers do not know it. */
export const sameOriginOnly: RequestHandler = (request, _response, next) => {
  if (!SAFE_METHODS.has(request.method) && isFromElsewhere(request)) {
    throw new HttpError(403, 'Requests from other sites are refused');
  }
  next();
};
