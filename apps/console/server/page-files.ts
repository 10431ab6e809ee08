import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import express, { type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { HttpError } from '#http/errors.js';
import { laterScriptOf } from './first-looks.js';
import type { ReadFirstView } from './first-view.js';

// The page and its files, as the build has written them. The page is the same for every account, but for the data at its end,
// and for every address, but for the script that the browser shall load beside the first one. Its script, its style and its icon have the hash of their content in their names.

const ASSETS_PATH = '/assets';

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

const END_OF_HEAD = '</head>';
const END_OF_PAGE = '</body>';

/** Data for the script. Without `<`, no text in it can end the element. */
const dataElement = (data: object | undefined): string =>
  data === undefined
    ? ''
    : `<script type="application/json" id="first-view">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const names = readdirSync(folder).filter((name) => TYPES[path.extname(name)] !== undefined);
  return new Map(
    names.map((name) => {
      const plain = readFileSync(path.join(folder, name));
      return [name, { type: TYPES[path.extname(name)] as string, plain, gzipped: gzipSync(plain) }];
    }),
  );
}

/** The starts of the page, by what else the browser shall load. */
function readStarts(folder: string, start: string): (script: string | undefined) => string {
  const scripts: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync(path.join(folder, 'later-scripts.json'), 'utf8'),
  );
  const starts = new Map(
    Object.entries(scripts).map(([script, addresses]) => {
      const links = addresses.map((address) => `  <link rel="modulepreload" href="${address}">\n  `);
      return [script, start.replace(END_OF_HEAD, `${links.join('')}${END_OF_HEAD}`)];
    }),
  );
  return (script) => (script === undefined ? start : (starts.get(script) ?? start));
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
export function createPageFiles(folder: string, readFirstView: ReadFirstView): Router {
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const [start = '', end = ''] = page.split(END_OF_PAGE);
  const startWith = readStarts(folder, start);
  const assets = readAssets(path.join(folder, 'assets'));
  const router = express.Router();
  router.get(`${ASSETS_PATH}/:name`, sendAsset(assets) as unknown as RequestHandler);
  router.get(/^\/(?!api(?:\/|$)|assets\/)/, pagePolicy, async (request, response) => {
    response.type('html');
    if (request.method === 'HEAD') return void response.end();
    // A proxy that waits for the whole page would hold its head back.
    response.setHeader('X-Accel-Buffering', 'no');
    // The browser loads script and style while the data is read.
    response.write(startWith(laterScriptOf(request.path)));
    response.end(`${dataElement(await readFirstView(request, response))}${END_OF_PAGE}${end}`);
  });
  return router;
}
