import { open, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { findProgram, runProgram } from '#tools/services/run-program.js';
import { withClient } from './database.js';

/** The machine and the versions of a measurement. */
export interface Environment {
  readonly processors: number;
  readonly processorModel: string;
  readonly memoryMb: number;
  readonly system: string;
  /** Over the last minute before the start. */
  readonly loadAverage: number;
  /** The median time until a small write is on the disk. */
  readonly flushMs: number;
  readonly node: string;
  readonly postgres: string;
  readonly redis: string;
  /** npm packages, by name. */
  readonly packages: Readonly<Record<string, string>>;
  /** Settings of the running PostgreSQL, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Undefined outside a clone. */
  readonly commit?: string;
  /** The sources differ from that commit. */
  readonly hasChanges?: boolean;
}

export interface EnvironmentOptions {
  /** The root of the repository. */
  readonly root: string;
  /** The folder of the database's files. */
  readonly dataFolder: string;
  readonly postgresUrl: string;
  readonly redisUrl: string;
}

/** The packages that an operation passes through. */
const PACKAGES = ['express', 'zod', '@prisma/client', '@prisma/adapter-pg', 'pg', 'bullmq', 'ioredis', 'pino'];

/** The settings that decide whether a commit is on the disk when it is answered, and its cost. */
const SETTINGS = [
  ...['fsync', 'synchronous_commit', 'full_page_writes', 'wal_level', 'wal_sync_method', 'wal_compression'],
  ...['commit_delay', 'max_wal_size', 'checkpoint_timeout', 'shared_buffers', 'jit'],
];

const FLUSHES = 50;
const FLUSH_BYTES = 8_192; // a page of the write-ahead log

export async function readEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const cpus = os.cpus();
  return {
    processors: cpus.length,
    processorModel: cpus[0]?.model.trim() || 'of an unknown model',
    memoryMb: os.totalmem() / 1_024 ** 2,
    system: `${os.type()} ${os.release()}, ${os.arch()}`,
    loadAverage: os.loadavg()[0] ?? 0,
    flushMs: await measureFlush(options.dataFolder),
    node: process.versions.node,
    ...(await readPostgres(options.postgresUrl)),
    redis: await readRedis(options.redisUrl),
    packages: await readPackages(options.root),
    ...(await readCommit(options.root)),
  };
}

async function measureFlush(folder: string): Promise<number> {
  const file = await open(path.join(folder, 'flush'), 'w');
  try {
    const tookMs: number[] = [];
    for (let turn = 0; turn < FLUSHES; turn += 1) {
      const since = performance.now();
      await file.write(Buffer.alloc(FLUSH_BYTES, turn));
      await file.datasync();
      tookMs.push(performance.now() - since);
    }
    return tookMs.sort((one, other) => one - other)[FLUSHES / 2] ?? 0;
  } finally {
    await file.close();
  }
}

async function readPostgres(url: string): Promise<Pick<Environment, 'postgres' | 'settings'>> {
  const sql = 'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) name';
  const { rows } = await withClient(url, (client) => client.query(sql, [['server_version', ...SETTINGS]]));
  const { server_version: postgres = '', ...settings } = Object.fromEntries(rows.map((row) => [row.name, row.value]));
  return { postgres, settings };
}

async function readRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const info = await redis.info('server');
    const valkey = /^valkey_version:(\S+)/m.exec(info)?.[1];
    return valkey === undefined ? `Redis ${/^redis_version:(\S+)/m.exec(info)?.[1]}` : `Valkey ${valkey}`;
  } finally {
    redis.disconnect();
  }
}

async function readPackages(root: string): Promise<Record<string, string>> {
  const versions = await Promise.all(
    PACKAGES.map(async (name) => {
      const manifest = await readFile(path.join(root, 'node_modules', name, 'package.json'), 'utf8');
      return [name, (JSON.parse(manifest) as { version: string }).version] as const;
    }),
  );
  return Object.fromEntries(versions);
}

/** A changed page does not change what is measured. */
const ALL_BUT_THE_PAGE = ['.', ':!docs/performance.md', ':!docs/performance'];

async function readCommit(root: string): Promise<Pick<Environment, 'commit' | 'hasChanges'>> {
  const git = await findProgram('git');
  if (git === undefined) return {};
  const commit = await runProgram(git, ['-C', root, 'rev-parse', '--short=10', 'HEAD']);
  if (!commit.succeeded) return {};
  const changes = await runProgram(git, ['-C', root, 'status', '--porcelain', '--', ...ALL_BUT_THE_PAGE]);
  return { commit: commit.output, hasChanges: changes.output !== '' };
}
