import { fileURLToPath } from 'node:url';
import { StartError } from '#platform/errors/start-error.js';
import { onceOrphaned } from '#platform/process/once-orphaned.js';
import { Launcher } from './launcher.js';
import { readLauncherConfig } from './launcher-config.js';
import { ConfigurationFault } from './node-part.js';
import { welcome } from './welcome.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** npm repeats a Ctrl-C that the terminal has already sent to this process: two signals within this time are one. */
const SAME_SIGNAL_MS = 1_000;

async function main(): Promise<void> {
  const config = readLauncherConfig(process.env, root);
  const launcher = new Launcher(config, (line) => console.log(`[launcher] ${line}`));
  let firstSignalAt = 0;
  const onSignal = () => {
    if (firstSignalAt === 0) {
      firstSignalAt = Date.now();
      console.log('[launcher] Stopping');
      launcher.requestStop();
    } else if (Date.now() - firstSignalAt > SAME_SIGNAL_MS) {
      launcher.hurry();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  if (process.env.npm_lifecycle_event !== undefined) onceOrphaned(onSignal);
  await launcher.run((services) => console.log(welcome(services, config)));
}

/** One paragraph for a fault that the user can correct; a stack for a bug. */
function describeFault(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined ? `The system refuses: ${message}.` : (stack ?? String(error));
}

try {
  await main();
  process.exit(0);
} catch (error) {
  // The part has already printed what is wrong with its configuration.
  if (!(error instanceof ConfigurationFault)) console.error(`\n${describeFault(error)}\n`);
  process.exit(1);
}
