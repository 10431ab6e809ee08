import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestEnvironment } from '#testing/environment.js';
import { startTestApi } from '#testing/parts.js';
import { openTestBusiness } from '#testing/test-business.js';

it('the audit writes nothing, so it can be sent to a replica', async () => {
  const environment = await createTestEnvironment();
  const api = await startTestApi(environment);
  const business = await openTestBusiness(api.client);
  await business.user('ann');
  await business.user('bob');
  await business.match('ann', 'bob', 10);
  await api.close();

  const address = new URL(environment.database.url);
  address.searchParams.set('options', '-c default_transaction_read_only=on');
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  await expect(client.query('DELETE FROM outbox')).rejects.toThrow('read-only');
  await client.end();

  const main = fileURLToPath(new URL('./audit.js', import.meta.url));
  const audit = spawn(process.execPath, [main], {
    env: { DATABASE_URL: address.href },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [audit.stdout, audit.stderr]) stream.on('data', (text) => (output += text));
  const [code] = await once(audit, 'close');
  expect(output).toContain('The books balance');
  expect(code).toBe(0);
  await environment.close();
});
