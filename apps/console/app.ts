import express, { type Express } from 'express';
import helmet from 'helmet';
import { accessLog } from '#http/access-log.js';
import { refuseFaultyFraming } from '#http/connection.js';
import { errorHandler, unknownRoute } from '#http/error-handler.js';
import { METRICS_PATH } from '#http/metrics/metrics-page.js';
import type { ServerMetrics } from '#http/metrics/part-metrics.js';
import { noStore } from '#http/no-store.js';
import { closeAll } from '#jobs/closing.js';
import { openQueue, queueDefinitions } from '#jobs/queues.js';
import type { Logger } from '#platform/logging/logger.js';
import type { RedisClient } from '#platform/redis/redis.js';
import type { AdminGate } from './admin-gate.js';
import { BOARD_PATH, createBoard } from './board.js';
import type { RecordQueueAction } from './record-queue-action.js';
import type { Console } from './server/console.js';
import { sameOriginOnly } from './server/same-origin.js';

export interface DashboardOptions {
  readonly console: Console;
  readonly adminGate: AdminGate;
  readonly recordAction: RecordQueueAction;
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly logger: Logger;
  readonly metrics: ServerMetrics;
  readonly trustedProxies: number;
}

export function createDashboardApp(options: DashboardOptions): { readonly app: Express; close(): Promise<void> } {
  const { console, adminGate, recordAction, redis, prefix, logger, metrics, trustedProxies } = options;
  const queues = queueDefinitions.map((definition) => openQueue(definition, { redis, prefix }));
  const app = express();
  app.set('trust proxy', trustedProxies);
  app.disable('x-powered-by');
  app.use(accessLog(logger, metrics.observeRequest));
  // Each kind of page has a content security policy of its own. A referrer policy that hides the origin would hide it from
  // `sameOriginOnly` too.
  app.use(helmet({ referrerPolicy: { policy: 'same-origin' }, contentSecurityPolicy: false }));
  app.use(noStore);
  app.use(refuseFaultyFraming);
  app.get(METRICS_PATH, metrics.page);
  app.use(sameOriginOnly);
  app.use(BOARD_PATH, adminGate, createBoard(queues, recordAction));
  app.use(console.router);
  app.use(unknownRoute);
  app.use(errorHandler(logger));
  return {
    app,
    close: () => closeAll(redis, queues),
  };
}
