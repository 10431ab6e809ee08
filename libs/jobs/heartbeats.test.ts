import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#platform/database/database.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { countWorkers, DEAD_SHOWN_MS, deleteDeadWorkers, readWorkers } from './heartbeats.js';

let environment: TestEnvironment;
let database: Database;

beforeAll(async () => {
  environment = await createTestEnvironment();
  database = openDatabase({ url: environment.database.url, connections: 2, onConnectionError: () => undefined });
});

afterAll(async () => {
  await database?.disconnect();
  await environment?.close();
});

beforeEach(() => environment.database.query('DELETE FROM worker_heartbeats'));

/** Workers whose last heartbeat is so many seconds old. */
const seed = (...ages: number[]) =>
  environment.database.query(
    `INSERT INTO worker_heartbeats (id, beat_at) SELECT gen_random_uuid(), now() - age * interval '1 s' FROM unnest($1::int[]) age`,
    [ages],
  );
const areAlive = async () => (await readWorkers(database, 10)).map(({ isAlive }) => isAlive);

it('a heartbeat counts while it is at most 15 seconds old, or as far in the future', async () => {
  await seed(-3_600, -8, 600, 3_600);
  expect(await countWorkers(database)).toEqual({ alive: 1, dead: 3, beatAgeSeconds: 0 });
  expect(await areAlive()).toEqual([false, false, false, true]);
});

it('a heartbeat of the future alone is none, and its row goes', async () => {
  await seed(-3_600);
  expect(await countWorkers(database)).toEqual({ alive: 0, dead: 1, beatAgeSeconds: null });
  await seed(-8, 600);
  expect((await deleteDeadWorkers(database.shared, { endedForMs: DEAD_SHOWN_MS, limit: 10 })).count).toBe(1);
  expect(await areAlive()).toEqual([false, true]);
});
