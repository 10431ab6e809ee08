import { readFileSync } from 'node:fs';
import type { ApiDocument, ApiOperation } from '#apps/api/openapi/types.js';

export interface DocumentedOperation {
  readonly name: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

export const operationsOf = ({ paths }: ApiDocument): DocumentedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

/** A pattern of the paths of requests, which have no query. */
export const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** `npm run check` compares it with the endpoints. */
const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as ApiDocument;

/** Like `GET /wagers/{reference}`. */
export const documentedRoutes: readonly string[] = operationsOf(document).map(
  ({ method, path }) => `${method} ${path}`,
);

const patterns = documentedRoutes.map(patternOf);

/** Whether the API documents the route of a request. The path has no query. */
export const isDocumented = (method: string, path: string): boolean =>
  patterns.some((pattern) => pattern.test(`${method} ${path}`));
