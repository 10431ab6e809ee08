import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import express, { type Request, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { HttpError } from '#http/errors.js';
import { sessionIdOf } from './sessions.js';

// The page and its files, as the build has written them. The page is the same for every address and every account: it holds
// no data. Its script, its style and its icon have the hash of their content in their names.

export const ASSETS_PATH = '/assets';

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No script, style or connection from anywhere else, nothing inline, and no text that becomes markup. */
const pagePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'connect-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
  },
});

/** Everything that the first page asks the API for. The browser begins with it while the script is on its way. */
function firstRequests(): readonly string[] {
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  return [
    '/api/wagers?per_page=1&cursor=',
    '/api/bets/open-bets?per_page=1',
    `/api/events/matched-totals?created_from=${today}`,
    `/api/reconciliation?date=${today}`,
    '/api/wagers?settling=true&per_page=20&sort_direction=desc',
    '/api/readyz',
    '/api/events?sort_direction=desc&limit=10',
  ];
}

const FIRST_PAGE = '/';
const SESSION_PATH = '/session';

const fetched = (address: string): string => `<${address}>; rel=preload; as=fetch; crossorigin`;

/** What every page needs. Browsers have six connections to a host, so this comes before what the API is asked for. */
function filesOfPage(names: readonly string[]): readonly string[] {
  const linksOf = (kind: string, link: string) =>
    names.filter((name) => name.endsWith(kind)).map((name) => `<${ASSETS_PATH}/${name}>; ${link}`);
  return [...linksOf('.css', 'rel=preload; as=style'), ...linksOf('.js', 'rel=modulepreload'), fetched(SESSION_PATH)];
}

/**
 * Only for a browser that seems to be logged in: the others would be refused. With a low priority they wait until the files of
 * the page are there, and before the script is ready they are under way.
 */
const firstLinks = (request: Request): readonly string[] =>
  request.path === FIRST_PAGE && sessionIdOf(request) !== undefined
    ? firstRequests().map((address) => `${fetched(address)}; fetchpriority=low`)
    : [];

function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const names = readdirSync(folder).filter((name) => TYPES[path.extname(name)] !== undefined);
  return new Map(
    names.map((name) => {
      const plain = readFileSync(path.join(folder, name));
      return [name, { type: TYPES[path.extname(name)] as string, plain, gzipped: gzipSync(plain) }];
    }),
  );
}

const sendAsset =
  (assets: ReadonlyMap<string, Asset>): RequestHandler<{ name: string }> =>
  (request, response) => {
    const asset = assets.get(request.params.name);
    if (asset === undefined) throw new HttpError(404, 'There is no such file');
    const isGzipped = request.acceptsEncodings(['gzip', 'identity']) === 'gzip';
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.setHeader('Content-Type', asset.type);
    response.vary('Accept-Encoding');
    if (isGzipped) response.setHeader('Content-Encoding', 'gzip');
    response.end(isGzipped ? asset.gzipped : asset.plain);
  };

/** Serves the page at every address that nothing else has. */
export function createPageFiles(folder: string): Router {
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const assets = readAssets(path.join(folder, 'assets'));
  const files = filesOfPage([...assets.keys()]);
  const router = express.Router();
  router.get(`${ASSETS_PATH}/:name`, sendAsset(assets) as unknown as RequestHandler);
  router.get(/^\/(?!api(?:\/|$)|assets\/)/, pagePolicy, (request, response) => {
    response.setHeader('Link', [...files, ...firstLinks(request)].join(', '));
    response.type('html').send(page);
  });
  return router;
}
