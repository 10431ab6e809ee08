import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { accessLog } from '#http/access-log.js';
import { beginAnswers, headersOf } from '#http/answer.js';
import { createAuthenticate } from '#http/authenticate.js';
import { refuseFaultyFraming } from '#http/connection.js';
import { believeConsole, SECRET_HEADER } from '#http/console-secret.js';
import { errorHandler, unknownRoute } from '#http/error-handler.js';
import { httpError } from '#http/errors.js';
import { readJsonLines } from '#http/json-lines.js';
import { askerAt } from '#http/limits/rate-limits.js';
import { METRICS_PATH } from '#http/metrics/metrics-page.js';
import { noStore } from '#http/no-store.js';
import { parseQueryText, readJson, refuseQuery } from '#http/request-input.js';
import { inOrder, onlyWith, type Route, serveRoutes } from '#http/router.js';
import { announceDeprecation } from './deprecation.js';
import type { Endpoint } from './endpoint.js';
import { namedEndpoints } from './endpoints.js';
import { freshProofGuards } from './guards/fresh-proof.js';
import { createRequestCounts, type RequestCounts } from './guards/request-counts.js';
import { whileReading } from './guards/while-reading.js';
import { handlerOf } from './handler.js';
import { healthz, readyz } from './health.js';
import { documentationPages } from './openapi/pages.js';
import { DOCUMENT_PATH } from './openapi/paths.js';
import { type EndpointName, leastRoleOf } from './roles.js';
import { accountVerifyEmail } from './routes/accounts/verify-email.js';
import type { ApiServices } from './services.js';
import { API_VERSION, VERSION_HEADER } from './version.js';

const MAX_BODY_BYTES = 256 * 1_024;

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
const commonHeaders = [...headersOf(apiHeaders), ...headersOf(noStore), VERSION_HEADER, API_VERSION];

const useGet: RequestHandler = () => {
  throw httpError('method-not-allowed');
};

const countForAddress =
  (counts: RequestCounts): RequestHandler =>
  (request, response, next) => {
    counts.forAddress(request, response);
    next();
  };

/** All routes, each behind its guards. The pages and what providers ask are of the process, and of no version. */
export function routesOf(services: ApiServices, counts: RequestCounts): readonly Route[] {
  const count = countForAddress(counts);
  const authenticate = createAuthenticate(services.authenticator, services.requestDeadlineMs, counts);
  /** A familiar caller may have room where a stranger has none: its network is known before its body is read. */
  const roomForHash: RequestHandler = ({ ip = '' }, _response, next) => {
    if (!services.limits.hasFamiliar(ip)) services.passwords.assertRoom(askerAt(ip));
    next();
  };
  const readBody = readJson(MAX_BODY_BYTES);
  const ofEndpoints = Object.entries<Endpoint>(namedEndpoints).map(([name, definition]): Route => {
    const anonymous = definition.access === 'public' ? [count] : [];
    const room = definition.hashesPassword && definition.access === 'public' ? [roomForHash] : [];
    const guards = [
      ...announceDeprecation(definition),
      ...anonymous,
      ...room,
      ...counts.forRoute(definition),
      ...authenticate(definition, leastRoleOf(name as EndpointName)),
      ...freshProofGuards(definition),
    ];
    const lines = definition.lines === undefined ? [] : [whileReading('import-bodies', services, readJsonLines())];
    const body = definition.body === undefined ? lines : [readBody];
    const { method, path } = definition;
    const handler = inOrder([...guards, ...body, handlerOf(definition, services)]);
    return { method, path, handler, isVersioned: true };
  });
  const pages = documentationPages().map(
    ([path, page]): Route => ({
      method: 'get',
      path,
      handler: inOrder([count, refuseQuery, page]),
      isVersioned: path === DOCUMENT_PATH,
    }),
  );
  return [
    ...ofEndpoints,
    // HEAD would be answered like GET: a mail scanner that checks the link would use the token up.
    { method: 'head', path: accountVerifyEmail.path, handler: useGet, isVersioned: true },
    // Probes add queries of their own, to pass caches.
    { method: 'get', path: '/healthz', handler: healthz },
    { method: 'get', path: '/readyz', handler: readyz(services.health) },
    { method: 'get', path: METRICS_PATH, handler: services.metrics.page },
    ...pages,
  ];
}

export function createApp(services: ApiServices): Express {
  const app = express();
  app.set('trust proxy', services.trustedProxies);
  app.set('query parser', parseQueryText);
  app.set('etag', false);
  app.disable('x-powered-by');

  const counts = createRequestCounts(services);
  const log = accessLog(services.logger, services.metrics.observeRequest);
  const believe = onlyWith(SECRET_HEADER, believeConsole(services.consoleSecret));
  const first = [believe, beginAnswers(commonHeaders), log, refuseFaultyFraming];
  app.use(inOrder([...first, serveRoutes(routesOf(services, counts)), countForAddress(counts), unknownRoute]));
  app.use(errorHandler(services.logger, services.refusedCalls.note));
  return app;
}
