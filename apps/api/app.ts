import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { errorHandler, unknownRoute } from '#http/error-handler.js';
import { HttpError } from '#http/errors.js';
import { METRICS_PATH } from '#http/metrics/metrics-page.js';
import { noStore } from '#http/no-store.js';
import { requestLog } from '#http/request-log.js';
import { noteArrival } from './deadline.js';
import { handlerOf } from './endpoint.js';
import { endpoints } from './endpoints.js';
import { createAuthenticate } from './guards/authenticate.js';
import { createRequestCounts } from './guards/request-counts.js';
import { healthz, readyz } from './health.js';
import { documentationPages } from './openapi/pages.js';
import { accountVerifyEmail } from './routes/accounts/verify-email.js';
import type { ApiServices } from './services.js';

const MAX_BODY = '256kb';

/** Answers are JSON only: browsers must not run them, frame them or guess their type. */
const apiHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  // These headers matter to pages only, and each of them costs every answer.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

export function createApp(services: ApiServices): Express {
  const app = express();
  app.set('trust proxy', services.trustedProxies);
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.disable('x-powered-by');
  app.use(noteArrival);
  app.use(requestLog(services.logger, services.metrics.observeRequest));
  app.use(apiHeaders, noStore);
  app.get('/healthz', healthz);
  app.get('/readyz', readyz(services));
  app.get(METRICS_PATH, services.metrics.page);

  const counts = createRequestCounts(services);
  const authenticate = createAuthenticate(services, counts);
  const countForAddress: RequestHandler = (request, response, next) => {
    counts.forAddress(request, response);
    next();
  };
  const readBody = express.json({ limit: MAX_BODY });
  // Express answers HEAD like GET: a mail scanner that checks the link would use the token up.
  app.head(accountVerifyEmail.path, () => {
    throw new HttpError(405, 'Use GET');
  });
  const roomForHash: RequestHandler = (_request, _response, next) => {
    services.accounts.passwords.assertRoom();
    next();
  };
  for (const definition of endpoints) {
    const anonymous = definition.access === 'public' ? [countForAddress] : [];
    const room = definition.hashesPassword ? [roomForHash] : [];
    const guards = [...anonymous, ...room, ...counts.forRoute(definition), ...authenticate(definition.access)];
    const body = definition.body === undefined ? [] : [readBody];
    app[definition.method](definition.path, ...guards, ...body, handlerOf(definition, services));
  }

  for (const [path, page] of documentationPages()) app.get(path, countForAddress, page);
  app.use(countForAddress, unknownRoute);
  app.use(errorHandler(services.logger));
  return app;
}
