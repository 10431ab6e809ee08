// Starts the real processes, as production does: they refuse a start with missing variables.

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { createTestEnvironment } from '#testing/environment.js';
import { startNode } from '#testing/node-process.js';
import { startPartProcess } from '#testing/part-process.js';

const CONFIG_EXIT_CODE = 78;
const LAUNCHER_EXIT_CODE = 1;
const EVERYTHING_IS_MISSING =
  'Configuration: DATABASE_URL is not set; REDIS_URL is not set; ' +
  'SMTP_URL is not set, and production needs it; APP_URL is not set, and production needs it; ' +
  'METRICS_TOKEN is not set, and production needs it';
const AND_THE_SECRET = '; CONSOLE_SECRET is not set, and production needs it';

const production = { NODE_ENV: 'production', PATH: '/usr/bin:/bin' };
const METRICS_TOKEN = 'a token of the metrics';

async function run(folder: string, name: string, env: Readonly<Record<string, string>>) {
  const main = fileURLToPath(new URL(`../../${folder}/${name}/main.js`, import.meta.url));
  const { errors, ...ended } = await startNode(main, [], env).ended;
  return { ...ended, errors: errors.trim() };
}

describe('a production start', () => {
  it.each([
    ['api', 'apps', CONFIG_EXIT_CODE, ''],
    ['worker', 'apps', CONFIG_EXIT_CODE, ''],
    ['console', 'apps', CONFIG_EXIT_CODE, AND_THE_SECRET],
    ['launcher', 'tools', LAUNCHER_EXIT_CODE, AND_THE_SECRET],
  ])('of the %s names all that is missing, in one text, and starts nothing', async (name, folder, code, more) => {
    const errors = `${EVERYTHING_IS_MISSING}${more}.`;
    expect(await run(folder, name, production)).toEqual({ code, output: '', errors });
  });

  it('treats an empty variable as missing, and quotes no address', async () => {
    const env = {
      DATABASE_URL: 'postgresql://u:secret@127.0.0.1/d',
      REDIS_URL: 'redis://:secret@127.0.0.1',
      SMTP_URL: '',
    };
    const { code, errors } = await run('apps', 'api', {
      ...production,
      ...env,
      METRICS_TOKEN,
      APP_URL: 'https://bets.example',
    });
    expect([code, errors]).toEqual([CONFIG_EXIT_CODE, 'Configuration: SMTP_URL is not set, and production needs it.']);
  });

  it('with a complete configuration serves', async () => {
    const environment = await createTestEnvironment();
    const settings = {
      ...production,
      PORT: '0',
      DATABASE_URL: environment.database.url,
      REDIS_URL: environment.redisUrl,
      REDIS_PREFIX: environment.redisPrefix,
      SMTP_URL: 'smtp://127.0.0.1:1',
      APP_URL: 'https://bets.example',
      METRICS_TOKEN,
      LOG_LEVEL: 'silent',
    };
    const api = await startPartProcess('api', settings);
    await api.kill();
    await environment.close();
  });
});
