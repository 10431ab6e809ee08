import path from 'node:path';
import { ConfigError, readConfig } from '#platform/config/config.js';
import { REDIS_ADDRESS_FAULT, readRedisAddress } from '#platform/config/redis-address.js';
import { StartError } from '#platform/errors/start-error.js';

export interface LauncherConfig {
  readonly host: string;
  readonly port: number;
  readonly dashboardPort: number;
  /** Undefined: the launcher finds a free port. */
  readonly workerMetricsPort: number | undefined;
  /** Undefined: the launcher runs a private PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Undefined: the launcher runs a private Redis. */
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  /** Mails are written as files. */
  readonly mailsAreFiles: boolean;
  /** Passed on to the parts, which read their own variables from it. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Reads the variables of the launcher. Empty variables count as unset. */
export function readLauncherConfig(environment: NodeJS.ProcessEnv, root: string): LauncherConfig {
  if (environment.NODE_ENV === 'production') assertProductionConfig(environment);
  const given = (name: string) => environment[name] || undefined;
  const workerMetricsPort = given('WORKER_METRICS_PORT');
  const config = {
    host: given('HOST') ?? '127.0.0.1',
    port: portOf('PORT', given('PORT') ?? '3000'),
    dashboardPort: portOf('DASHBOARD_PORT', given('DASHBOARD_PORT') ?? '3001'),
    workerMetricsPort: workerMetricsPort === undefined ? undefined : portOf('WORKER_METRICS_PORT', workerMetricsPort),
    databaseUrl: addressOf('DATABASE_URL', given('DATABASE_URL'), ['postgresql:', 'postgres:']),
    redisUrl: redisAddressOf(given('REDIS_URL')),
    dataDir: path.resolve(root, given('DATA_DIR') ?? '.data'),
    mailsAreFiles: given('SMTP_URL') === undefined,
    environment,
  };
  if (config.port === config.dashboardPort) {
    throw new StartError(`PORT and DASHBOARD_PORT are both ${config.port}: set one of them to another port.`);
  }
  return config;
}

/** In production the launcher starts no private service in place of one that is not configured. The dashboard needs most. */
function assertProductionConfig(environment: NodeJS.ProcessEnv): void {
  try {
    readConfig(environment, 'dashboard');
  } catch (error) {
    throw error instanceof ConfigError ? new StartError(error.message) : error;
  }
}

function portOf(name: string, text: string): number {
  const port = Number(text);
  if (!(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
    throw new StartError(`${name} must be a port, a whole number from 1 to 65535, and is ${JSON.stringify(text)}.`);
  }
  return port;
}

/** The text never quotes the value: it may hold a password. */
function addressOf(name: string, text: string | undefined, protocols: string[]): string | undefined {
  if (text !== undefined && !(URL.canParse(text) && protocols.includes(new URL(text).protocol))) {
    throw new StartError(`${name} must be an address that begins with ${protocols[0]}//.`);
  }
  return text;
}

function redisAddressOf(text: string | undefined): string | undefined {
  if (text !== undefined && readRedisAddress(text) === undefined)
    throw new StartError(`REDIS_URL ${REDIS_ADDRESS_FAULT}.`);
  return text;
}
