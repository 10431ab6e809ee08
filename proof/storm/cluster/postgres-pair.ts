import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#tools/services/free-port.js';
import { startPrivatePostgres } from '#tools/services/private-postgres.js';
import { STANDBY_NAME, startPrivateStandby } from '#tools/services/private-standby.js';
import type { PrivateService } from '#tools/services/service-process.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import type { Silence } from './proxied-connection.js';
import { type Restart, RestartableService, type RestartableServiceOptions } from './restartable-service.js';
import { TcpProxy } from './tcp-proxy.js';

export interface PostgresPairOptions extends Pick<RestartableServiceOptions, 'onRecovery' | 'onFault'> {
  readonly folder: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** False: faster, but a crash of the machine loses data. Only for tests. */
  readonly durable?: boolean;
}

/** The standby asks again soon for a primary that restarts, and for a log that the primary still has. */
const REPLICATION = {
  synchronous_commit: 'on',
  wal_retrieve_retry_interval: '100ms',
  wal_keep_size: '1GB',
} as const;

const STANDBY_WITHIN_MS = 60_000;
const POLL_MS = 20;

interface Server {
  readonly dataDir: string;
  readonly service: PrivateService;
}

/** A PostgreSQL with a synchronous standby, behind one address that moves when the standby takes over. */
export class PostgresPair {
  readonly #options: PostgresPairOptions;
  readonly #address: TcpProxy;
  readonly #standbyAddress: TcpProxy;
  #primary: RestartableService;
  #primaryDir: string;
  #standby: Promise<Server>;
  #servers = 1;

  private constructor(
    options: PostgresPairOptions,
    started: {
      readonly address: TcpProxy;
      readonly standbyAddress: TcpProxy;
      readonly primary: RestartableService;
      readonly primaryDir: string;
    },
  ) {
    this.#options = options;
    this.#address = started.address;
    this.#standbyAddress = started.standbyAddress;
    this.#primary = started.primary;
    this.#primaryDir = started.primaryDir;
    this.#standby = this.#addStandby();
    this.#standby.catch(() => undefined); // the next caller that needs it gets the error
  }

  /** Resolves when every commit waits for the standby. */
  static async open(options: PostgresPairOptions): Promise<PostgresPair> {
    const primaryDir = path.join(options.folder, 'server-1');
    const primary = await openServer(options, primaryDir);
    const openAddress = async () => TcpProxy.open({ port: await freePort(), targetPort: primary.port });
    const [address, standbyAddress] = [await openAddress(), await openAddress()];
    const pair = new PostgresPair(options, { address, standbyAddress, primary, primaryDir });
    try {
      await pair.#standby;
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  /** Leads to the server that is the primary. */
  get url(): string {
    return this.#address.through(this.#primary.url);
  }

  /** Leads to the server that is the standby. */
  get standbyUrl(): string {
    return this.#standbyAddress.through(this.#primary.url);
  }

  get port(): number {
    return this.#address.port;
  }

  /** Resolves when the standby follows. */
  async standby(): Promise<PrivateService> {
    return (await this.#standby).service;
  }

  /** Ends the primary and starts it again, as a service without a standby. */
  async restart(restart: Restart): Promise<void> {
    await this.#standby;
    await this.#primary.restart(restart);
  }

  /**
   * Kills the primary for good, promotes the standby and moves the address to it. The open connections break, or stay
   * silent as when the machine of the primary vanishes. Resolves when the address has moved; then a new standby is added.
   */
  async takeOver(silence?: Silence): Promise<void> {
    const { service, dataDir } = await this.#standby;
    const formerDir = this.#primaryDir;
    if (silence !== undefined) this.#address.silence(silence);
    await this.#primary.kill();
    await withPostgresClient({ connectionString: service.url }, (client) => client.query('SELECT pg_promote()'));
    this.#primary = RestartableService.around(this.#serviceOptions(dataDir), service);
    this.#primaryDir = dataDir;
    this.#address.moveTo(service.port);
    this.#standby = this.#addStandby();
    this.#standby.catch(() => undefined); // the next caller that needs it gets the error
    await rm(path.join(formerDir, 'data'), { recursive: true, force: true, maxRetries: 5 });
  }

  async stop(): Promise<void> {
    const standby = await this.#standby.catch(() => undefined);
    this.#address.close();
    this.#standbyAddress.close();
    // First: it waits for the standby to have its log.
    await this.#primary.stop();
    await standby?.service.stop();
  }

  #serviceOptions(dataDir: string): RestartableServiceOptions {
    return serviceOptions(this.#options, dataDir);
  }

  async #addStandby(): Promise<Server> {
    this.#servers += 1;
    const dataDir = path.join(this.#options.folder, `server-${this.#servers}`);
    const primaryUrl = this.#primary.url;
    const { durable = true } = this.#options;
    const service = await startPrivateStandby({
      primaryUrl,
      primaryDir: this.#primaryDir,
      dataDir,
      durable,
      settings: { ...this.#options.settings, ...REPLICATION },
    });
    try {
      await makeSynchronous(primaryUrl);
      this.#standbyAddress.moveTo(service.port);
      return { service, dataDir };
    } catch (error) {
      await service.stop();
      throw error;
    }
  }
}

const openServer = (options: PostgresPairOptions, dataDir: string) =>
  RestartableService.open(serviceOptions(options, dataDir));

function serviceOptions(options: PostgresPairOptions, dataDir: string): RestartableServiceOptions {
  const { settings, durable = true, onRecovery, onFault } = options;
  const start = (port?: number) =>
    startPrivatePostgres({
      dataDir,
      durable,
      settings: { ...settings, ...REPLICATION },
      ...(port !== undefined && { port }),
    });
  return { name: 'PostgreSQL', start, onRecovery, onFault };
}

/** From then on a commit is confirmed when it is on the disks of both servers. */
async function makeSynchronous(primaryUrl: string): Promise<void> {
  const deadline = performance.now() + STANDBY_WITHIN_MS;
  await withPostgresClient({ connectionString: primaryUrl }, async (client) => {
    const standbysWhere = async (condition: string) =>
      (await client.query(`SELECT FROM pg_stat_replication WHERE ${condition}`)).rowCount ?? 0;
    const until = async (condition: string) => {
      while ((await standbysWhere(condition)) === 0) {
        if (performance.now() > deadline) throw new Error(`no standby is in this state: ${condition}`);
        await delay(POLL_MS);
      }
    };
    await until(`state = 'streaming'`);
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY_NAME}'`);
    await client.query('SELECT pg_reload_conf()');
    await until(`sync_state = 'sync'`);
  });
}
