import type { RequestHandler } from 'express';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { HttpError } from '#http/errors.js';
import { DOCS_PATH, DOCUMENT_PATH } from './paths.js';

// The document, and Swagger UI as a page that shows it. This server serves all of it.

const FILES_PATH = `${DOCS_PATH}/:file`;
const START = 'start.js';

/** The server serves only these files of Swagger UI's package: the page uses no others. */
const files: ReadonlySet<string> = new Set([
  'swagger-ui.css',
  'index.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
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

/** Creates the document at the first request, and only once: it does not change while the process runs. */
function createDocumentText(): () => Promise<string> {
  let text: Promise<string> | undefined;
  const make = async () => {
    const { createDocument } = await import('./document.js');
    return JSON.stringify(createDocument());
  };
  return () => {
    text ??= make();
    return text;
  };
}

const sendPage: RequestHandler = (_request, response) => {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.type('html').send(page);
};

const sendFile: RequestHandler<{ file: string }> = (request, response, next) => {
  const { file } = request.params;
  if (file === START) {
    response.type('js').send(startScript);
  } else if (files.has(file)) {
    // Unlike answers, these files are public, and large.
    response.setHeader('Cache-Control', 'public, max-age=3600');
    response.sendFile(file, { root: getAbsoluteFSPath() }, (error) => error && next(error));
  } else {
    throw new HttpError(404, 'There is no such route');
  }
};

export function documentationPages(): readonly (readonly [path: string, handler: RequestHandler])[] {
  const documentText = createDocumentText();
  const sendDocument: RequestHandler = async (_request, response) => {
    response.type('json').send(await documentText());
  };
  return [
    [DOCUMENT_PATH, sendDocument],
    [DOCS_PATH, sendPage],
    [FILES_PATH, sendFile as unknown as RequestHandler],
  ];
}
