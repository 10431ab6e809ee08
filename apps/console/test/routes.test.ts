import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { documentedRoutes, isDocumented } from '#testing/documented-routes.js';

// Reads the sources of the page. Tests in a browser compare the requests that it really makes.

const folder = fileURLToPath(new URL('../../../../apps/console/ui', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(path.join(folder, file), 'utf8') }));
const sources = files.map(({ source }) => source);

/** `api.get('/wagers/{reference}'`, also over two lines; without a text there, the whole call. */
const CALL = /\bapi\s*\.(get|post|put|patch|delete)\(\s*(?:'([^']*)'|(.{0,40}))/g;
/** A link: a text that begins with `/api/`. */
const LINK = /[`'"]\/api(\/[^`'"?]*)/g;
/** A text that leads to a stream. */
const STREAM = /[`'"](\/[^`'"?]*\/stream)(?=[`'"?])/g;

/** The texts of a line that gives `path` its value. */
const pathsIn = (source: string): string[] =>
  source
    .split('\n')
    .filter((line) => /\bpath(?::| =)/.test(line))
    .flatMap((line) => [...line.matchAll(/'(\/[^']*)'/g)].map(([, text = '']) => text));

const calls = sources.flatMap((source) =>
  [...source.matchAll(CALL)].flatMap(([, method = '', text, rest = '']) => {
    const paths = rest.startsWith('path,') ? pathsIn(source) : [text ?? rest];
    return paths.map((called) => `${method.toUpperCase()} ${called}`);
  }),
);
const addresses = sources.flatMap((source) =>
  [...source.matchAll(LINK), ...source.matchAll(STREAM)].map(([, address = '']) =>
    address.replaceAll(/\$\{[^}]*\}/g, 'x'),
  ),
);

describe('the console', () => {
  it('calls only routes that the API documents', () => {
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter((call) => !documentedRoutes.includes(call))).toEqual([]);
  });

  it('links and streams only what the API documents', () => {
    expect(addresses).toContain('/events/stream');
    expect(addresses.filter((address) => !isDocumented('GET', address))).toEqual([]);
  });

  it('has no other way to the API than these', () => {
    const fetching = files.filter(({ source }) => /\bfetch\(|XMLHttpRequest|new EventSource|WebSocket/.test(source));
    expect(fetching.map(({ file }) => file).sort()).toEqual(['api/session.ts', 'live/follow.ts']);
  });
});
