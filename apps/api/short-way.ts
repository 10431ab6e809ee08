import type { ErrorRequestHandler, RequestHandler } from 'express';

// Express tries its routes one after the other and runs each handler through several functions of its own. Most requests
// name a route without parameters, so they are found by a map first; all others go through Express.

/** One handler that runs these in turn, as Express would. */
export function inOrder(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    let place = 0;
    const next = (error?: unknown) => {
      const handler = handlers[place];
      if (error !== undefined || handler === undefined) {
        done(error);
        return;
      }
      place += 1;
      try {
        const ended: unknown = handler(request, response, next);
        if (ended instanceof Promise) ended.catch(done);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };
}

export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly handler: RequestHandler;
}

/** Serves requests whose method and path are exactly those of a route; leaves all others to the next handler. */
export function exactRoutes(routes: readonly Route[], onError: ErrorRequestHandler): RequestHandler {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes.filter(({ path }) => !path.includes(':'))) {
    const ofPath = byPath.get(route.path) ?? new Map<string, Route>();
    byPath.set(route.path, ofPath.set(route.method.toUpperCase(), route));
  }
  return (request, response, next) => {
    const { url } = request;
    const queryAt = url.indexOf('?');
    const route = byPath.get(queryAt < 0 ? url : url.slice(0, queryAt))?.get(request.method);
    if (route === undefined) return next();
    // The log and the metrics name the route from here.
    request.route = route;
    route.handler(request, response, (error?: unknown) =>
      error === undefined ? next() : onError(error, request, response, next),
    );
  };
}
