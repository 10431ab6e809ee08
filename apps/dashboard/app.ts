import { Queue } from 'bullmq';
import express, { type Express, type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import { errorHandler, unknownRoute } from '#http/error-handler.js';
import { HttpError } from '#http/errors.js';
import { METRICS_PATH } from '#http/metrics/metrics-page.js';
import type { ServerMetrics } from '#http/metrics/part-metrics.js';
import { noStore } from '#http/no-store.js';
import { requestLog } from '#http/request-log.js';
import { closeAll } from '#jobs/closing.js';
import { queueDefinitions, queuePrefix } from '#jobs/queues.js';
import type { Logger } from '#platform/logging/logger.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { createBoard } from './board.js';
import { createSessionPages } from './session-pages.js';
import type { Sessions } from './sessions.js';

export interface DashboardOptions {
  readonly sessions: Sessions;
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly logger: Logger;
  readonly metrics: ServerMetrics;
  readonly trustedProxies: number;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers name the origin of a request; over plain HTTP only by `Origin`. A request without either is no browser's. */
function isFromElsewhere({ headers, host }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin';
  const { origin } = headers;
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}

/** Another site must not make a browser log in or act: the cookie is SameSite=Strict, and old browsers do not know it. */
const sameOriginOnly: RequestHandler = (request, _response, next) => {
  if (!SAFE_METHODS.has(request.method) && isFromElsewhere(request)) {
    throw new HttpError(403, 'Requests from other sites are refused');
  }
  next();
};

const redisNeeded =
  (redis: RedisClient): RequestHandler =>
  (_request, _response, next) => {
    if (redis.status !== 'ready') throw new HttpError(503, 'Redis is not reachable');
    next();
  };

export function createDashboardApp({ sessions, redis, prefix, logger, metrics, trustedProxies }: DashboardOptions): {
  readonly app: Express;
  close(): Promise<void>;
} {
  const queues = queueDefinitions.map(({ name }) => {
    const queue = new Queue(name, { connection: redis, prefix: queuePrefix(redis, prefix, name) });
    queue.on('error', (error) => logger.debug({ reason: error.message }, 'dashboard queue'));
    return queue;
  });
  const app = express();
  app.set('trust proxy', trustedProxies);
  app.disable('x-powered-by');
  app.use(requestLog(logger, metrics.observeRequest));
  // Bull Board has inline styles. A referrer policy that hides the origin would hide it from `sameOriginOnly` too.
  app.use(
    helmet({
      referrerPolicy: { policy: 'same-origin' },
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          'default-src': ["'self'"],
          'style-src': ["'self'", "'unsafe-inline'"],
          'img-src': ["'self'", 'data:'],
          'object-src': ["'none'"],
          'base-uri': ["'self'"],
          'form-action': ["'self'"],
          'frame-ancestors': ["'none'"],
        },
      },
    }),
  );
  app.use(noStore);
  app.get(METRICS_PATH, metrics.page);
  app.use(sameOriginOnly, createSessionPages(sessions));
  app.use(sessions.adminsOnly, redisNeeded(redis), createBoard(queues));
  app.use(unknownRoute);
  app.use(errorHandler(logger));
  return {
    app,
    close: () => closeAll(redis, queues),
  };
}
