import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '#platform/errors/start-error.js';
import { freePort } from './free-port.js';
import { type PrivateService, type ServiceCommand, type ServiceProcess, spawnService } from './service-process.js';

export interface PrivateServer {
  readonly name: string;
  readonly folder: string;
  /** Undefined: any free port. */
  readonly port: number | undefined;
  commandOf(port: number): Promise<ServiceCommand>;
  urlOf(port: number): string;
  /** Returns undefined when the server answers, else the fault. */
  connect(url: string): Promise<string | undefined>;
  /** Faults while the server is starting. */
  readonly startingFault: RegExp;
  /** The log of a server that may succeed at its next start. */
  readonly passingFault?: RegExp;
}

const READY_TIMEOUT_MS = 120_000; // recovery, or reading a large append-only file, may take long
const RETRY_FOR_MS = 15_000;
const RETRY_MS = 200;
const EXIT_PATIENCE_MS = 1_000;
const POLL_MS = 40;
const PORT_TAKEN = /Address already in use/i;

/** Starts a database server, and waits until it answers. */
export async function startPrivateServer(server: PrivateServer): Promise<PrivateService> {
  const { name, folder, passingFault } = server;
  const retryUntil = Date.now() + RETRY_FOR_MS;
  for (;;) {
    const port = server.port ?? (await freePort());
    const started = await spawnService(await server.commandOf(port));
    const url = server.urlOf(port);
    const fault = await waitUntilReady(server, started, url);
    if (fault === undefined) {
      const { pid, exited, stop, kill } = started;
      return { url, port, pid, exited, stop, kill };
    }
    await started.stop();
    const passes = passingFault?.test(fault) || (server.port === undefined && PORT_TAKEN.test(fault));
    if (!passes || Date.now() > retryUntil) {
      throw new StartError(`The private ${name} in ${folder} did not start. The end of its log:\n${fault}`);
    }
    await delay(RETRY_MS);
  }
}

/** Undefined when the server answers; else the reason why it does not. */
async function waitUntilReady(server: PrivateServer, started: ServiceProcess, url: string) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const fault = await server.connect(url);
    if (fault === undefined) return undefined;
    if (started.hasExited()) return started.logTail();
    if (!server.startingFault.test(fault) || Date.now() > deadline) {
      await started.exitWithin(EXIT_PATIENCE_MS); // another server on the port may have answered
      return `${started.logTail()}\nConnecting fails: ${fault}.`;
    }
    await delay(POLL_MS);
  }
}
