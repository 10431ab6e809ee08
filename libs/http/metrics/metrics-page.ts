import express, { type Express, type Request, type RequestHandler } from 'express';
import { sameHash, sha256 } from '#accounts/access/secrets.js';
import { isPrivateAddress } from '#platform/config/private-networks.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { refuseFaultyFraming } from '../connection.js';
import { errorHandler, unknownRoute } from '../error-handler.js';
import { httpError, Unauthorized } from '../errors.js';

export const METRICS_PATH = '/metrics';

const BEARER = /^bearer (.+)$/i;

/** A request through a proxy does not count: our own proxies have private addresses, too. */
function isFromPrivateAddress({ socket, headers }: Request): boolean {
  const address = socket.remoteAddress;
  if (address === undefined || headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)
    return false;
  return isPrivateAddress(address);
}

function assertMayRead(request: Request, token: string | undefined): void {
  if (token !== undefined) {
    const given = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!sameHash(sha256(given), sha256(token))) throw new Unauthorized();
  } else if (!isFromPrivateAddress(request)) {
    throw httpError('metrics-private');
  }
}

/** Answers callers with the token; without a configured token, callers at private addresses. */
export function metricsPage(metrics: Metrics, token: string | undefined): RequestHandler {
  return async (request, response) => {
    assertMayRead(request, token);
    const text = await metrics.scrape();
    response.setHeader('Content-Type', metrics.contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  };
}

/** An application with the metrics page alone, for the worker. */
export function createMetricsApp(metrics: Metrics, token: string | undefined, logger: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(refuseFaultyFraming);
  app.get(METRICS_PATH, metricsPage(metrics, token));
  app.use(unknownRoute);
  app.use(errorHandler(logger));
  return app;
}
