import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assertPostgresUrl } from './postgres-check.js';
import { startPrivatePostgres } from './private-postgres.js';
import type { PrivateService } from './service-process.js';

let dataDir: string;
let service: PrivateService;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'ledger-check-test-'));
  service = await startPrivatePostgres({ dataDir, durable: false });
});

afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the check of a PostgreSQL', () => {
  test('accepts one that answers', async () => {
    await expect(assertPostgresUrl(service.url)).resolves.toBeUndefined();
  });

  test.each([
    ['a wrong password', (url: URL) => (url.password = 'secret'), /password authentication failed/],
    ['an unknown database', (url: URL) => (url.pathname = '/elsewhere'), /database "elsewhere" does not exist/],
  ])('says at once that there is %s, without the password', async (_case, spoil, reason) => {
    const url = new URL(service.url);
    spoil(url);
    const attempt = assertPostgresUrl(url.href);
    await expect(attempt).rejects.toThrow(reason);
    await expect(attempt).rejects.not.toThrow(url.password);
  });
});
