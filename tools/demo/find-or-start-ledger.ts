import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from '#platform/errors/start-error.js';
import { Launcher } from '#tools/launcher/launcher.js';
import { readLauncherConfig } from '#tools/launcher/launcher-config.js';
import { type RunningServices, readRunningServices } from '#tools/services/data-folder.js';
import { freePort, isPortFree } from '#tools/services/free-port.js';

/** The ledger that the demo plays on. */
export interface DemoLedger {
  readonly services: RunningServices;
  /** The demo has started it; `close` stops it and deletes its data. */
  readonly isOwn: boolean;
  /** Rejects when the ledger that the demo has started cannot continue. */
  readonly broken: Promise<never>;
  close(): Promise<void>;
}

export interface DemoLedgerOptions {
  /** The data folder of an `npm start` that may be running. */
  readonly dataDir: string;
  /** The search path for programs. */
  readonly path: string | undefined;
  readonly log: (line: string) => void;
  readonly stopping: AbortSignal;
}

const HOST = '127.0.0.1';
const USUAL_PORT = 3000;
const USUAL_DASHBOARD_PORT = 3001;
/** Lower than usual, so that the worker settles a part of this short evening. */
const SETTLEMENT_BOUND = '50';

/** Returns the ledger of the running `npm start`; starts one when none runs. */
export async function findOrStartLedger(options: DemoLedgerOptions): Promise<DemoLedger> {
  const running = await readRunningServices(options.dataDir);
  if (running === undefined) return startLedger(options);
  if (!isComplete(running)) throw new StartError('`npm start` is just starting: try again when it is ready.');
  const broken = new Promise<never>(() => undefined);
  return { services: running, isOwn: false, broken, close: async () => undefined };
}

const isComplete = (services: Partial<RunningServices>): services is RunningServices =>
  services.apiUrl !== undefined && services.databaseUrl !== undefined;

/**
 * Ignores the services that the environment names: the demo invents accounts and money, which must not enter a database
 * in use.
 */
async function startLedger({ path: searchPath, log, stopping }: DemoLedgerOptions): Promise<DemoLedger> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-demo-'));
  const environment = {
    PATH: searchPath,
    HOST,
    PORT: String(await usualOrFreePort(USUAL_PORT)),
    DASHBOARD_PORT: String(await usualOrFreePort(USUAL_DASHBOARD_PORT)),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    SETTLEMENT_BOUND,
  };
  const launcher = new Launcher(readLauncherConfig(environment, folder), log);
  let announce: (services: RunningServices) => void = () => undefined;
  const announced = new Promise<RunningServices>((resolve) => {
    announce = resolve;
  });
  const ended = launcher.run(announce);
  const broken = ended.then(() => {
    throw new StartError('Stopped.');
  });
  broken.catch(() => undefined); // the callers that await it see the rejection
  const close = async () => {
    launcher.requestStop();
    await ended.catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  };
  stopping.addEventListener('abort', () => launcher.requestStop(), { once: true });
  try {
    return { services: await Promise.race([announced, broken]), isOwn: true, broken, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function usualOrFreePort(usual: number): Promise<number> {
  return (await isPortFree(usual, HOST)) ? usual : freePort();
}
