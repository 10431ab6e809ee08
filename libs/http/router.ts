import type { RequestHandler } from 'express';
import findMyWay, { type FindResult, type HTTPMethod, type HTTPVersion } from 'find-my-way';

// Express tries its routes one after the other, and runs each handler through several functions of its own. A tree finds any
// route in a ten thousandth of a millisecond.

/** One handler that runs these one after the other, as Express would. */
export function inOrder(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    let index = 0;
    const next = (error?: unknown) => {
      const handler = handlers[index];
      if (error !== undefined || handler === undefined) {
        done(error);
        return;
      }
      index += 1;
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

/** The handler, for requests with a header of this name alone. */
export const onlyWith =
  (header: string, handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    request.headers[header] === undefined ? next() : handler(request, response, next);

export interface Route {
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly handler: RequestHandler;
  /** Also found under the version's prefix. */
  readonly isVersioned?: boolean;
}

/** Like all of a path without parameters, it may be in any case. */
const VERSION_PREFIX = /^\/v1(?=\/)/i;

/** Node.js refuses a longer request before it comes here. */
const LONGEST_PARAMETER = 16_384;

/**
 * The case of a path does not count; that of a parameter's value does. Lower case makes a few texts longer, such as the Turkish İ,
 * and a router that ignores case would look for what follows them in the wrong place: the second router finds these paths.
 */
function createRouters(routes: readonly Route[]) {
  return [false, true].map((caseSensitive) => {
    // The caller of `find` refuses a broken address: it is found, without a route.
    const onBadUrl = () => undefined;
    const router = findMyWay({ caseSensitive, ignoreTrailingSlash: true, maxParamLength: LONGEST_PARAMETER, onBadUrl });
    for (const route of routes) {
      router.on(route.method.toUpperCase() as HTTPMethod, route.path, () => undefined, route);
    }
    return router;
  });
}

/**
 * Serves a request by the route that its method and path name; leaves all others to `next`. HEAD is answered like GET. With the
 * prefix of the version it is the same request: handlers see the address without it, `originalUrl` keeps it.
 */
export function serveRoutes(routes: readonly Route[]): RequestHandler {
  const routers = createRouters(routes);

  function find(method: string, url: string): FindResult<HTTPVersion.V1> | null {
    for (const router of routers) {
      const found = router.find(method as HTTPMethod, url);
      if (found !== null) return found;
    }
    return method === 'HEAD' ? find('GET', url) : null;
  }

  return (request, response, next) => {
    const url = request.url.replace(VERSION_PREFIX, '');
    const found = find(request.method, url);
    if (found === null) return next();
    const route: Route | null = found.store;
    if (route === null) {
      // An address of another scheme or server names no path of this one.
      if (!request.url.startsWith('/')) return next();
      throw new URIError();
    }
    if (url.length < request.url.length) {
      if (route.isVersioned !== true) return next();
      request.url = url;
    }
    // The log and the metrics name the route from here.
    request.route = route;
    request.params = found.params as Record<string, string>;
    return route.handler(request, response, next);
  };
}
