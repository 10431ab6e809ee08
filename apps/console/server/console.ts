import { fileURLToPath } from 'node:url';
import express, { type Router } from 'express';
import type { RateLimits } from '#http/limits/rate-limits.js';
import type { Logger } from '#platform/logging/logger.js';
import type { RedisClient } from '#platform/redis/redis.js';
import { createApiCalls } from './api-calls.js';
import { apiFaults } from './api-faults.js';
import { API_PATH, createApiProxy } from './api-proxy.js';
import { createReadFirstView } from './first-view.js';
import { createPageFiles } from './page-files.js';
import { createSessionRoutes, type EndToken } from './session-routes.js';
import { createSessionStore } from './session-store.js';
import { createSessions, type Sessions } from './sessions.js';
import { type CallerOf, createReadShownSession } from './shown-session.js';
import { createOriginOf, createUpstream } from './upstream.js';

/** The build writes the page into the folder of the compiled server. */
const PAGE_FOLDER = fileURLToPath(new URL('../public', import.meta.url));

export interface ConsoleOptions {
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly limits: RateLimits;
  readonly logger: Logger;
  readonly callerOf: CallerOf;
  readonly endToken: EndToken;
  /** Where this server reaches the API. */
  readonly apiUrl: string;
  /** By it, the API believes which address a request comes from. */
  readonly consoleSecret: string | undefined;
  /** Where programs reach the API. */
  readonly publicApiUrl: string;
}

export interface Console {
  readonly router: Router;
  readonly sessions: Sessions;
  close(): void;
}

/** The console: its page, the sessions of browsers, and the way of their requests to the API. */
export function createConsole(options: ConsoleOptions): Console {
  const { redis, prefix, limits, logger, callerOf, endToken, apiUrl, consoleSecret, publicApiUrl } = options;
  const originOf = createOriginOf(consoleSecret);
  // Requests of pages, of first views and of log-ins share no connection.
  const upstream = createUpstream(apiUrl, { keepsConnections: true });
  const reads = createUpstream(apiUrl, { keepsConnections: true });
  const logIns = createUpstream(apiUrl, { keepsConnections: false });
  const calls = createApiCalls({ logIns, reads, originOf });
  const readShownSession = createReadShownSession(callerOf, publicApiUrl);
  const sessions = createSessions(createSessionStore(redis, prefix));
  const proxy = createApiProxy({ upstream, originOf, sessions, logger });
  const router = express.Router();
  router.use(createSessionRoutes({ sessions, readShownSession, calls, endToken, limits }));
  router.all(`${API_PATH}/*path`, proxy.handle);
  router.use(createPageFiles(PAGE_FOLDER, createReadFirstView({ sessions, readShownSession, calls })));
  router.use(apiFaults);
  return {
    router,
    sessions,
    close() {
      proxy.close();
      for (const each of [upstream, reads, logIns]) each.close();
    },
  };
}
