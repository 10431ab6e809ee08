import type { RequestHandler } from 'express';
import type { Caller } from '#accounts/access/authenticator.js';
import type { QuotaName } from '#platform/quotas/quotas.js';
import type { ApiServices } from '../services.js';

/**
 * Takes one of the caller's quota while `read` reads the body, or refuses. A response that waits behind another one of its
 * connection is never closed by itself, so the end of the connection counts too.
 */
export const whileReading =
  (name: QuotaName, { quotas }: Pick<ApiServices, 'quotas'>, read: RequestHandler): RequestHandler =>
  (request, response, next) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const release = quotas.take(name, (request.user as Caller).account);
    const end = () => {
      socket.removeListener('close', end);
      release();
    };
    socket.once('close', end);
    const done = (error?: unknown) => {
      end();
      next(error);
    };
    try {
      read(request, response, done);
    } catch (error) {
      done(error);
    }
  };
