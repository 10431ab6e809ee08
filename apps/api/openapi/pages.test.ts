import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '#testing/client.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let page: Answer;

beforeAll(async () => {
  page = await api.client.get('/docs');
});

const addressesIn = (html: string) => [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
const policyOf = ({ headers }: Answer) => headers.get('content-security-policy') ?? '';
const typeOf = ({ headers }: Answer) => headers.get('content-type')?.split(';')[0];

describe('the page /docs', () => {
  it('is a page with a title, with or without a slash at its end', async () => {
    expect([page.status, typeOf(page)]).toEqual([200, 'text/html']);
    expect(page.body).toContain('<title>Betting Ledger API</title>');
    expect((await api.client.get('/docs/')).body).toBe(page.body);
  });

  it('loads all its files from this server', async () => {
    const addresses = addressesIn(page.body);
    expect(addresses.length).toBeGreaterThanOrEqual(5);
    for (const address of addresses) {
      expect(address).toMatch(/^\/[^/]/);
      const file = await api.client.get(address);
      const type = { css: 'text/css', js: 'text/javascript', png: 'image/png', json: 'application/json' };
      expect([address, file.status, typeOf(file)]).toEqual([
        address,
        200,
        type[address.split('.').at(-1) as keyof typeof type],
      ]);
    }
  });

  it('names no other address, nor do its styles and its script', async () => {
    const start = await api.client.get('/docs/start.js');
    const styles = await Promise.all(['swagger-ui.css', 'index.css'].map((file) => api.client.get(`/docs/${file}`)));
    expect(`${page.body}${start.body}`).not.toMatch(/https?:|["'(]\/\//);
    for (const { body } of styles) {
      expect(body).not.toMatch(/@import/);
      expect(body.match(/url\(["']?(?!["']?data:)/g)).toBeNull();
    }
    expect(start.body).toContain("url: '/openapi.json'");
    expect(start.body).toContain('validatorUrl: null');
  });

  it('may run scripts of this server only, and nothing that stands in the page itself', () => {
    const policy = policyOf(page);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.body).not.toMatch(/<script>|<style|style=|\son\w+=/);
  });

  it('changes the policy of no other answer', async () => {
    for (const path of ['/openapi.json', '/docs/start.js', '/auth/account/me', '/nowhere']) {
      expect([path, policyOf(await api.client.get(path))]).toEqual([path, "default-src 'none';frame-ancestors 'none'"]);
    }
  });

  it.each(['package.json', 'index.html', 'swagger-ui.js', '..%2Fpackage.json', '%2e%2e%2f%2e%2e%2fpackage.json'])(
    'serves nothing that it does not need: %s',
    async (file) => {
      const { status, body } = await api.client.get(`/docs/${file}`);
      expect([status, body]).toEqual([404, { status: 404, error: 'There is no such route' }]);
    },
  );

  it('asks for no credentials, like the document', async () => {
    const document = await api.client.get('/openapi.json');
    expect([document.status, typeOf(document), document.body.openapi]).toEqual([200, 'application/json', '3.1.0']);
    expect(document.body.servers).toEqual([{ url: '/', description: expect.any(String) }]);
    expect(document.body.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
    });
  });
});
