import { BlockList, isIPv6 } from 'node:net';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { sameHash, sha256 } from '#accounts/access/secrets.js';
import type { Logger } from '#platform/logging/logger.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { errorHandler, unknownRoute } from '../error-handler.js';
import { HttpError, Unauthorized } from '../errors.js';

export const METRICS_PATH = '/metrics';

const BEARER = /^bearer (.+)$/i;

/** Loopback, and what no router of the internet carries. */
const privateNetworks = new BlockList();
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv4');
}
privateNetworks.addAddress('::1', 'ipv6');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** A proxy of our own stands at a private address too, so what came through one is nobody's neighbour. */
function isNeighbour({ socket, headers }: Request): boolean {
  const address = socket.remoteAddress;
  if (address === undefined || headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)
    return false;
  return privateNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function assertMayRead(request: Request, token: string | undefined): void {
  if (token !== undefined) {
    const given = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!sameHash(sha256(given), sha256(token))) throw new Unauthorized();
  } else if (!isNeighbour(request)) {
    throw new HttpError(403, 'Metrics are for callers at private addresses');
  }
}

/** For whoever has the token; where there is none, for callers at private addresses that came by no proxy. */
export function metricsPage(metrics: Metrics, token: string | undefined): RequestHandler {
  return async (request, response) => {
    assertMayRead(request, token);
    const text = await metrics.scrape();
    response.setHeader('Content-Type', metrics.contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  };
}

/** Nothing but the page: for a part that serves nothing else. */
export function createMetricsApp(metrics: Metrics, token: string | undefined, logger: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get(METRICS_PATH, metricsPage(metrics, token));
  app.use(unknownRoute);
  app.use(errorHandler(logger));
  return app;
}
