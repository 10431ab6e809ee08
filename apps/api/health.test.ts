import { beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { type RunningServer, serve } from '#http/server.js';
import { type Database, openDatabase } from '#platform/database/database.js';
import { unlessStandingStill } from '#testing/standstills.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { createHealth, readyz } from './health.js';

const environment = withTestEnvironment(async () => {
  await server?.close();
  await database?.disconnect();
});
let database: Database;
let server: RunningServer;
let questions = 0;
let others = 0;

beforeAll(async () => {
  database = openDatabase({ url: environment.database.url, connections: 2, onConnectionError: () => undefined });
  const counting = {
    shared: {
      $queryRaw: (...question: Parameters<Database['shared']['$queryRaw']>) => {
        if (String(question[0]) === 'SELECT 1') questions += 1;
        else others += 1;
        return database.shared.$queryRaw(...question);
      },
    },
  } as unknown as Database;
  const { logger } = environment;
  const health = createHealth({ database: counting, ledgerGroupMs: () => [], isRedisReady: () => true, logger });
  const app = express();
  app.get('/readyz', readyz(health));
  server = await serve(app, { host: '127.0.0.1', port: 0 });
});

describe('/readyz', () => {
  it('asks the database at most once a second, however many callers ask', () =>
    // An answer of the database that is late makes the API unready.
    unlessStandingStill(async () => {
      [questions, others] = [0, 0];
      const ask = () => fetch(`http://127.0.0.1:${server.port}/readyz`);
      let startedAt = 0;
      // A scenario before this one may have asked the database a moment ago.
      await waitFor(async () => {
        startedAt = performance.now();
        await ask();
        return questions > 0;
      });
      const statuses: number[] = [];
      while (performance.now() - startedAt < 1_200 || statuses.length <= 50) {
        const answers = Array.from({ length: 10 }, ask);
        for (const answer of await Promise.all(answers)) statuses.push(answer.status);
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect([questions >= 2, questions <= 1 + seconds]).toEqual([true, true]);
      // Two statements for what runs behind the requests, every five seconds.
      expect(others).toBeLessThanOrEqual(2 * (1 + seconds / 5));
    }, environment.database));
});
