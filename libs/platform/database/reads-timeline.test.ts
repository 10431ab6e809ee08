import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runOnce } from '#testing/databases.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { waitFor } from '#testing/wait-for.js';
import { startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateStandby } from '#tools/services/private-standby.js';
import type { PrivateService } from '#tools/services/service-process.js';
import { type Database, openDatabase } from './database.js';
import { createReads, type ReadServer, type Reads } from './reads.js';

// A primary with two standbys, one of which is promoted. The other one then follows the former primary on a timeline that has
// ended, or the new one on its timeline.

const running: PrivateService[] = [];
let environment: TestEnvironment;
let former: PrivateService;
let promoted: PrivateService;
let standby: PrivateService;
let primary: Database;
let reads: Reads;
const servers: ReadServer[] = [];

beforeAll(async () => {
  environment = await createTestEnvironment();
  const dirOf = (name: string) => path.join(environment.folder, name);
  const common = { durable: false, settings: { wal_keep_size: '256MB', wal_retrieve_retry_interval: '100ms' } };
  const started = async (starting: Promise<PrivateService>) => {
    const service = await starting;
    running.push(service);
    return service;
  };
  former = await started(startPrivatePostgres({ ...common, dataDir: dirOf('one') }));
  await runOnce(former.url, 'CREATE TABLE notes (text text)');
  const source = { ...common, primaryUrl: former.url, primaryDir: dirOf('one') };
  promoted = await started(startPrivateStandby({ ...source, dataDir: dirOf('two') }));
  standby = await started(startPrivateStandby({ ...source, dataDir: dirOf('three') }));
  await runOnce(promoted.url, 'SELECT pg_promote()');
  primary = openDatabase({ url: promoted.url, connections: 2, onConnectionError: () => undefined });
  const onRead = (server: ReadServer) => servers.push(server);
  reads = createReads({ primary, standbyUrl: standby.url, connections: 2, logger: environment.logger, onRead });
});

afterAll(async () => {
  await reads?.close();
  await primary?.disconnect();
  for (const service of running.reverse()) await service.stop();
  await environment?.close();
});

// Prisma sends a query when it is awaited: inside the read.
const notes = () => reads.run(async (database) => await database.shared.$queryRaw`SELECT text FROM notes`);
const endOf = async (url: string, end: string) => {
  const [row] = await runOnce(url, `SELECT ${end} - '0/0'::pg_lsn AS end`);
  return Number(row?.end);
};

it('a standby of another timeline serves no read, though it has replayed a longer log', async () => {
  await runOnce(promoted.url, `INSERT INTO notes VALUES ('kept')`);
  await runOnce(former.url, `INSERT INTO notes SELECT 'lost' FROM generate_series(1, 20000)`);
  const wanted = await endOf(former.url, 'pg_current_wal_insert_lsn()');
  await waitFor(async () => (await endOf(standby.url, 'pg_last_wal_replay_lsn()')) >= wanted);
  expect(await endOf(promoted.url, 'pg_current_wal_insert_lsn()')).toBeLessThan(wanted);
  expect(await notes()).toEqual([{ text: 'kept' }]);
  expect(servers).toEqual(['primary']);
  expect(environment.logLines.join()).toContain('the standby is on timeline 00000001, and the primary on 00000002');
});
