import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue } from 'bullmq';
import express, { type Express, type Request, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Redis } from 'ioredis';
import { errorHandler, unknownRoute } from '#http/error-handler.js';
import { HttpError } from '#http/errors.js';
import { METRICS_PATH } from '#http/metrics/metrics-page.js';
import type { ServerMetrics } from '#http/metrics/part-metrics.js';
import { noStore } from '#http/no-store.js';
import { requestLog } from '#http/request-log.js';
import { closeAll } from '#jobs/closing.js';
import { queueDefinitions } from '#jobs/queues.js';
import type { Logger } from '#platform/logging/logger.js';

export interface DashboardOptions {
  readonly gate: RequestHandler;
  readonly redis: Redis;
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

/** Browsers send Basic credentials with requests of any site, so a request that changes something must be same-origin. */
const sameOriginOnly: RequestHandler = (request, _response, next) => {
  if (!SAFE_METHODS.has(request.method) && isFromElsewhere(request)) {
    throw new HttpError(403, 'Requests from other sites are refused');
  }
  next();
};

const redisNeeded =
  (redis: Redis): RequestHandler =>
  (_request, _response, next) => {
    if (redis.status !== 'ready') throw new HttpError(503, 'Redis is not reachable');
    next();
  };

export function createDashboardApp({ gate, redis, prefix, logger, metrics, trustedProxies }: DashboardOptions): {
  readonly app: Express;
  close(): Promise<void>;
} {
  const queues = queueDefinitions.map(({ name }) => {
    const queue = new Queue(name, { connection: redis, prefix });
    queue.on('error', (error) => logger.debug({ reason: error.message }, 'dashboard queue'));
    return queue;
  });
  const board = new ExpressAdapter();
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Betting Ledger' } },
  });

  const app = express();
  app.set('trust proxy', trustedProxies);
  app.disable('x-powered-by');
  app.use(requestLog(logger, metrics.observeRequest));
  // Bull Board has inline styles. Its fonts from another host are blocked: the page works without internet, and no other
  // host sees that it is open.
  app.use(
    helmet({
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
  app.use(gate, sameOriginOnly, redisNeeded(redis), board.getRouter());
  app.use(unknownRoute);
  app.use(errorHandler(logger));
  return {
    app,
    close: () => closeAll(redis, queues),
  };
}
