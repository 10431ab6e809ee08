import { routesOf } from '#apps/api/app.js';
import { createRequestCounts } from '#apps/api/guards/request-counts.js';
import type { ApiServices } from '#apps/api/services.js';
import type { Route } from '#http/router.js';

/** All routes of the API, to read and not to serve. */
export function routeTable(): readonly Pick<Route, 'method' | 'path'>[] {
  const services = { metrics: {}, requestLimits: {} } as unknown as ApiServices;
  return routesOf(services, createRequestCounts(services));
}
