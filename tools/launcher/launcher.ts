// Starts and supervises the whole product on one machine: PostgreSQL and Redis (private ones, unless addresses are given),
// then the API, a worker and the dashboard, each in a process of its own.

import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { admitApplication, applyMigrations } from '#platform/database/migrations.js';
import { StartError } from '#platform/errors/start-error.js';
import { assertRedisUrl } from '#platform/redis/redis-check.js';
import { claimDataFolder, type DataFolderClaim, type RunningServices } from '#tools/services/data-folder.js';
import { freePort, isPortFree } from '#tools/services/free-port.js';
import { assertPostgresUrl } from '#tools/services/postgres-check.js';
import { ledgerSettings, startPrivatePostgres } from '#tools/services/private-postgres.js';
import { startPrivateRedis } from '#tools/services/private-redis.js';
import type { PrivateService } from '#tools/services/service-process.js';
import { consoleSecretIn, databasePasswordIn, webhookKeyIn } from '#tools/services/stored-secrets.js';
import type { LauncherConfig } from './launcher-config.js';
import type { RunningPart } from './node-part.js';
import { startNodePart } from './node-part.js';
import { SupervisedPart } from './supervised-part.js';

/** A part stops before the parts that it depends on; the parts of one line stop together. */
const STOP_ORDER = [['api', 'dashboard'], ['worker'], ['Redis'], ['PostgreSQL']];
const APPS = ['api', 'worker', 'dashboard'];
/** The time in which the parts of a killed launcher end and free their ports. */
const LEFT_OVER_PATIENCE_MS = 20_000;
const POLL_MS = 100;
const USUAL_WORKER_METRICS_PORT = 3002;

export class Launcher {
  readonly #config: LauncherConfig;
  readonly #log: (line: string) => void;
  readonly #parts = new Map<string, SupervisedPart>();
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;
  #fail: (reason: Error) => void = () => undefined;
  #claim: DataFolderClaim | undefined;
  #migration: Promise<unknown> = Promise.resolve();
  #stopping = false;

  constructor(config: LauncherConfig, log: (line: string) => void) {
    this.#config = config;
    this.#log = log;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  }

  /**
   * Runs everything until `requestStop`, and then returns; throws when a part cannot run. In both cases it first stops
   * all that it has started.
   */
  async run(announce: (services: RunningServices) => void): Promise<void> {
    try {
      await Promise.race([this.#start(announce), this.#ended]);
      await this.#ended;
    } finally {
      await this.#stopAll();
    }
  }

  requestStop(): void {
    this.#end();
  }

  /** Kills the apps. PostgreSQL and Redis still stop cleanly, to protect their data. */
  hurry(): void {
    for (const part of this.#parts.values()) part.hurry();
  }

  async #start(announce: (services: RunningServices) => void): Promise<void> {
    const { host, port, dashboardPort, dataDir } = this.#config;
    this.#claim = await claimDataFolder(dataDir);
    await this.#assertPortFree('PORT', port);
    await this.#assertPortFree('DASHBOARD_PORT', dashboardPort);

    const [addresses, redisUrl] = await Promise.all([this.#readyPostgres(), this.#readyRedis()]);
    const { databaseUrl, ownerUrl } = addresses;
    await this.#migrate(addresses);
    const workerMetricsPort = await this.#workerMetricsPort();
    const env = {
      ...this.#config.environment,
      DATABASE_URL: databaseUrl,
      // The parts must not have it.
      MIGRATE_DATABASE_URL: undefined,
      REDIS_URL: redisUrl,
      DATA_DIR: dataDir,
      WORKER_METRICS_PORT: String(workerMetricsPort),
      ...this.#secrets(),
      API_URL: this.#config.environment.API_URL || `http://${hostForBrowsers(host)}:${port}`,
    };
    await Promise.all(APPS.map((name) => this.#startPart(name, (stopping) => startNodePart({ name, env, stopping }))));

    const address = (forPort: number) => `http://${hostForBrowsers(host)}:${forPort}`;
    const services = {
      databaseUrl,
      ownerUrl,
      redisUrl,
      apiUrl: address(port),
      dashboardUrl: address(dashboardPort),
      workerMetricsUrl: `${address(workerMetricsPort)}/metrics`,
    };
    this.#claim.publish(services);
    announce(services);
  }

  async #assertPortFree(name: string, port: number): Promise<void> {
    const deadline = Date.now() + (this.#claim?.tookOver ? LEFT_OVER_PATIENCE_MS : 0);
    while (!(await isPortFree(port, this.#config.host))) {
      if (Date.now() >= deadline) {
        throw new StartError(`Port ${port} is already in use: stop what uses it, or set ${name} to another one.`);
      }
      await delay(POLL_MS);
    }
  }

  /** Nothing depends on this port's number, so another one will do when the usual one is in use. */
  async #workerMetricsPort(): Promise<number> {
    const { host, workerMetricsPort } = this.#config;
    if (workerMetricsPort !== undefined) return workerMetricsPort;
    return (await isPortFree(USUAL_WORKER_METRICS_PORT, host)) ? USUAL_WORKER_METRICS_PORT : freePort();
  }

  /** In production only the provider makes them. */
  #secrets(): { WEBHOOK_KEY?: string; CONSOLE_SECRET?: string } {
    const { environment, dataDir } = this.#config;
    if (environment.NODE_ENV === 'production') return {};
    return {
      WEBHOOK_KEY: environment.WEBHOOK_KEY || webhookKeyIn(dataDir),
      CONSOLE_SECRET: environment.CONSOLE_SECRET || consoleSecretIn(dataDir),
    };
  }

  async #readyPostgres(): Promise<DatabaseAddresses> {
    const { databaseUrl, dataDir, environment } = this.#config;
    if (databaseUrl !== undefined) {
      const ownerUrl = environment.MIGRATE_DATABASE_URL || environment.DATABASE_LISTEN_URL || databaseUrl;
      await assertPostgresUrl(environment.MIGRATE_DATABASE_URL || databaseUrl);
      return { databaseUrl, ownerUrl, hasOwnRole: Boolean(environment.MIGRATE_DATABASE_URL) };
    }
    const folder = path.join(dataDir, 'postgres');
    const ownerUrl = await this.#startService('PostgreSQL', (port) =>
      startPrivatePostgres({ dataDir: folder, log: this.#log, settings: ledgerSettings, ...port }),
    );
    return { databaseUrl: applicationUrl(ownerUrl, databasePasswordIn(dataDir)), ownerUrl, hasOwnRole: true };
  }

  async #readyRedis(): Promise<string> {
    const { redisUrl, dataDir } = this.#config;
    if (redisUrl !== undefined) {
      await assertRedisUrl(redisUrl);
      return redisUrl;
    }
    const folder = path.join(dataDir, 'redis');
    return this.#startService('Redis', (port) => startPrivateRedis({ dataDir: folder, log: this.#log, ...port }));
  }

  /** A restart uses the same port, so that the address that the apps have stays valid. */
  async #startService(name: string, start: (port: { port?: number }) => Promise<PrivateService>): Promise<string> {
    let service: PrivateService | undefined;
    await this.#startPart(name, async () => {
      service = await start(service === undefined ? {} : { port: service.port });
      return service;
    });
    if (service === undefined) throw new Error(`${name} was started, but is missing`);
    return service.url;
  }

  async #migrate({ databaseUrl, ownerUrl, hasOwnRole }: DatabaseAddresses): Promise<void> {
    if (this.#stopping) return;
    const migrate = async () => {
      // No process of a later release uses a database in the folder of this launcher.
      const applied = await applyMigrations(ownerUrl, { replacesLater: this.#config.databaseUrl === undefined });
      if (hasOwnRole) await admitApplication(ownerUrl, databaseUrl);
      return applied;
    };
    const migration = migrate();
    this.#migration = migration;
    const applied = await migration.catch((error: Error) => {
      const [reason] = error.message.split(/\n\s*0: /); // the rest is the engine's stack
      throw new StartError(`The database could not be brought up to date: ${reason}`);
    });
    if (applied.length > 0) this.#log(`Applied ${applied.length} database migration(s)`);
  }

  async #startPart(name: string, start: (stopping: AbortSignal) => Promise<RunningPart>): Promise<void> {
    // After a stop request, no further part may start.
    if (this.#stopping) return;
    const part = new SupervisedPart({ name, start, log: this.#log, giveUp: this.#fail });
    this.#parts.set(name, part);
    await part.start();
  }

  async #stopAll(): Promise<void> {
    this.#stopping = true;
    await this.#migration.catch(() => undefined); // PostgreSQL must not stop during a migration
    for (const names of STOP_ORDER) {
      await Promise.all(names.map((name) => this.#parts.get(name)?.stop()));
    }
    this.#claim?.release();
  }
}

interface DatabaseAddresses {
  /** Of the parts. */
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  /** The parts have a role of their own. */
  readonly hasOwnRole: boolean;
}

function applicationUrl(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = 'ledger_app';
  url.password = encodeURIComponent(password);
  return url.href;
}

function hostForBrowsers(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::1', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
