import type { RequestHandler } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import type { QuotaName } from '#platform/quotas/quotas.js';
import type { ApiServices } from '../services.js';

/** Takes one of the caller's quota until the request has ended, or refuses. */
export const holdQuota =
  (name: QuotaName, { quotas }: Pick<ApiServices, 'quotas'>): RequestHandler =>
  (request, response, next) => {
    response.once('close', quotas.take(name, (request.user as Caller).account));
    next();
  };
