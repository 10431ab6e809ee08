import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startTestDashboard, type TestPart } from '#testing/parts.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

const environment = withTestEnvironment(async () => console?.close());
let console: TestPart;

beforeAll(async () => {
  console = await startTestDashboard(environment);
});

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** Kilobytes that a browser loads, by the kind of the file. */
const BUDGET = { js: 60, css: 15 };

/** Their answers have some hundred megabytes together. */
const READERS = 20;
const ASKED_BY_EACH = 50;
const MOST_BYTES = 20_000_000;

describe('the page of the console', () => {
  it.each(['/', '/wagers', '/wagers/a%2Fb', '/users/%zz', '/nowhere/at/all', '/index.html'])(
    'is the same at every address, stored nowhere, and may run nothing but its own files: %s',
    async (path) => {
      const { status, headers, body } = await console.client.get(path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(headers.get('content-security-policy')?.split(';')).toEqual(POLICY);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(body).toBe(readFileSync(new URL('../public/index.html', import.meta.url), 'utf8'));
      expect(body).not.toMatch(/<style|style=|<script(?![^>]* src="\/assets\/)|\bon\w+=/);
    },
  );

  it('has files that never change under their names, within the budget', async () => {
    const { body } = await console.client.get('/');
    const files = [...String(body).matchAll(/"(\/assets\/[^"]+\.(js|css|svg))"/g)];
    expect([...new Set(files.map(([, , kind]) => kind))].sort()).toEqual(['css', 'js', 'svg']);
    const kilobytes = { js: 0, css: 0, svg: 0 };
    for (const [, file = '', kind] of files) {
      expect(file).toMatch(/-[A-Z0-9]{8}\.\w+$/);
      const plain = await fetch(`${console.client.baseUrl}${file}`, { headers: { 'Accept-Encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      const packed = await fetch(`${console.client.baseUrl}${file}`, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await packed.text()).toBe(await plain.text());
      const packedKilobytes = Number(packed.headers.get('content-length')) / 1_024;
      expect(packedKilobytes).toBeGreaterThan(0);
      kilobytes[kind as keyof typeof kilobytes] += packedKilobytes;
    }
    // All that the first view needs.
    expect(kilobytes.js).toBeLessThan(BUDGET.js);
    expect(kilobytes.css).toBeLessThan(BUDGET.css);
  });

  it('has one buffer for each of its files, however many answers wait to be read', async () => {
    const { body } = await console.client.get('/');
    const [file = ''] = /\/assets\/[^"]+\.js/.exec(String(body)) ?? [];
    const asked = `GET ${file} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n`;
    let came = 0;
    const note = () => {
      came += 1;
    };
    subscribe('http.server.request.start', note);
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: READERS }, () => {
      const socket = connect(Number(new URL(console.client.baseUrl).port), '127.0.0.1');
      socket.pause().write(asked.repeat(ASKED_BY_EACH));
      return socket;
    });
    await waitFor(() => came >= READERS * ASKED_BY_EACH);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MOST_BYTES);
    unsubscribe('http.server.request.start', note);
    for (const socket of readers) socket.destroy();
  });

  it('serves nothing else of its folder, and answers other methods as the API does', async () => {
    for (const path of ['/assets/nothing.js', '/assets/..%2Findex.html', '/assets/__proto__', '/assets/']) {
      const { status, body } = await console.client.get(path);
      expect([path, status, Object.keys(body)]).toEqual([path, 404, ['status', 'error']]);
    }
    const { status, body } = await console.client.post('/wagers', {});
    expect([status, body]).toEqual([404, { status: 404, error: 'There is no such route' }]);
  });
});
