import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from '#platform/errors/start-error.js';
import { Launcher } from '#tools/launcher/launcher.js';
import { readLauncherConfig } from '#tools/launcher/launcher-config.js';
import { type RunningServices, readRunningServices } from '#tools/services/data-folder.js';
import { freePort, isPortFree } from '#tools/services/free-port.js';

/** Where the evening is played. */
export interface Stage {
  readonly services: RunningServices;
  /** The demo has started it for itself, and nothing of it is left after `close`. */
  readonly isOwn: boolean;
  /** Rejects when what the demo has started cannot go on. */
  readonly broken: Promise<never>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** The data folder of an `npm start` that may be running. */
  readonly dataDir: string;
  /** Where to find programs. */
  readonly path: string | undefined;
  readonly log: (line: string) => void;
  readonly stopping: AbortSignal;
}

const HOST = '127.0.0.1';
const USUAL_PORT = 3000;
const USUAL_DASHBOARD_PORT = 3001;
/** Lower than usual: an evening is short, and the worker shall have something to settle, too. */
const SETTLEMENT_BOUND = '50';

/** The `npm start` that runs; where none does, one of the demo's own. */
export async function findOrStartStage(options: StageOptions): Promise<Stage> {
  const running = readRunningServices(options.dataDir);
  if (running === undefined) return startStage(options);
  if (!isWhole(running)) throw new StartError('`npm start` is just starting: try again when it is ready.');
  const broken = new Promise<never>(() => undefined);
  return { services: running, isOwn: false, broken, close: async () => undefined };
}

const isWhole = (services: Partial<RunningServices>): services is RunningServices =>
  services.apiUrl !== undefined && services.databaseUrl !== undefined;

/**
 * With services, ports and a folder of its own, whatever the environment names: the demo makes up accounts and money, and
 * those do not belong into a database that somebody uses.
 */
async function startStage({ path: searchPath, log, stopping }: StageOptions): Promise<Stage> {
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
  broken.catch(() => undefined); // whoever waits for something is told
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
