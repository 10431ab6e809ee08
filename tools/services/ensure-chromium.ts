import { findInstaller, install } from './install-package.js';
import { findProgram } from './run-program.js';

/** The shell first: without windows, a page costs a third of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const PACKAGE = { apt: ['chromium-headless-shell', 'chromium'] } as const;

async function findBrowser(): Promise<string | undefined> {
  for (const name of NAMES) {
    const program = await findProgram(name);
    if (program !== undefined) return program;
  }
  return undefined;
}

/** Returns the path of a browser for tests; installs one where no question to the user is needed. */
export async function ensureChromium(log: (line: string) => void): Promise<string | undefined> {
  const installed = await findBrowser();
  if (installed !== undefined) return installed;
  const installer = await findInstaller(PACKAGE);
  if (installer === undefined) return undefined;
  log(`Installing chromium with ${installer.name}`);
  await install(installer);
  return findBrowser();
}
