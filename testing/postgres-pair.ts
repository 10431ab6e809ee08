import path from 'node:path';
import { applyMigrations } from '#platform/database/migrations.js';
import { PostgresPair } from '#proof/storm/cluster/postgres-pair.js';
import type { TestDatabase } from './databases.js';
import { runOnce } from './databases.js';
import type { TestEnvironment } from './environment.js';

/** A migrated PostgreSQL of its own with a synchronous standby, behind one address. */
export interface TestPair extends Pick<TestDatabase, 'url' | 'query'> {
  readonly servers: PostgresPair;
  /** The address of the present standby. */
  standbyUrl(): Promise<string>;
  queryStandby(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export async function openTestPair({ folder }: TestEnvironment): Promise<TestPair> {
  const faults: string[] = [];
  const servers = await PostgresPair.open({
    folder: path.join(folder, 'pair'),
    durable: false,
    onRecovery: () => undefined,
    onFault: (text) => faults.push(text),
  });
  await applyMigrations(servers.url);
  const standbyUrl = async () => (await servers.standby()).url;
  return {
    servers,
    url: servers.url,
    query: (sql, values) => runOnce(servers.url, sql, values),
    standbyUrl,
    queryStandby: async (sql) => runOnce(await standbyUrl(), sql),
    async stop() {
      await servers.stop();
      if (faults.length > 0) throw new Error(faults.join('; '));
    },
  };
}
