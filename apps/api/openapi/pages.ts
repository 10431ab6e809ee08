import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Request, RequestHandler } from 'express';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { type Source, sendConstant } from '#http/constant-answer.js';
import { httpError } from '#http/errors.js';
import { DOCS_PATH, DOCUMENT_PATH } from './paths.js';

// The document, and Swagger UI as a page that shows it. This server serves all of it.

const FILES_PATH = `${DOCS_PATH}/:file`;
const START = 'start.js';

/** The server serves only these files of Swagger UI's package: the page uses no others. */
const files: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['index.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

/** For this page only. Its images stand in the style sheet, and "Try it out" calls this server. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Betting Ledger API</title>
    <link rel="stylesheet" href="${DOCS_PATH}/swagger-ui.css">
    <link rel="stylesheet" href="${DOCS_PATH}/index.css">
    <link rel="icon" type="image/png" href="${DOCS_PATH}/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="${DOCUMENT_PATH}">${DOCUMENT_PATH}</a>.</noscript>
    <script src="${DOCS_PATH}/swagger-ui-bundle.js"></script>
    <script src="${DOCS_PATH}/${START}"></script>
  </body>
</html>
`;

/** Without a validator: the default one is a service on the internet. */
const startScript = `window.ui = SwaggerUIBundle({
  url: '${DOCUMENT_PATH}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const JSON_TYPE = 'application/json; charset=utf-8';

async function documentBody(): Promise<string> {
  const { createDocument } = await import('./document.js');
  return JSON.stringify(createDocument());
}

/** These files are public, and large. */
const MAY_BE_STORED = { 'Cache-Control': 'public, max-age=3600' };

const fileSources = [...files].map(([name, type]): readonly [string, Source] => [
  name,
  { type, headers: MAY_BE_STORED, read: () => readFile(path.join(getAbsoluteFSPath(), name)) },
]);
const sources: ReadonlyMap<string, Source> = new Map([
  [START, { type: 'text/javascript; charset=utf-8', read: () => startScript }],
  ...fileSources,
]);

export function documentationPages(): readonly (readonly [path: string, handler: RequestHandler])[] {
  const ofFiles = new Map([...sources].map(([name, source]) => [name, sendConstant(source)]));
  const sendFile: RequestHandler<{ file: string }> = (request, response, next) => {
    const send = ofFiles.get(request.params.file);
    if (send === undefined) throw httpError('route-not-found');
    return send(request as unknown as Request, response, next);
  };
  return [
    [DOCUMENT_PATH, sendConstant({ type: JSON_TYPE, read: documentBody })],
    [
      DOCS_PATH,
      sendConstant({
        type: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': PAGE_POLICY },
        read: () => page,
      }),
    ],
    [FILES_PATH, sendFile as unknown as RequestHandler],
  ];
}
