import { readFileSync } from 'node:fs';

// The routes of docs/openapi.json, which `npm run check` compares with the endpoints.

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, object>>;
};

/** Like `GET /wagers/{reference}`. */
export const documentedRoutes: readonly string[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
);

const patterns = documentedRoutes.map(
  (route) => new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
);

/** Whether the API documents the route of a request. The path has no query. */
export const isDocumented = (method: string, path: string): boolean =>
  patterns.some((pattern) => pattern.test(`${method} ${path}`));
