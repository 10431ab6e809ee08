import { type Browser, chromium } from 'playwright-core';
import { ensure } from './install-package.js';
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
  return (await ensure(PACKAGE, findBrowser, log)).found;
}

/** Nothing of the machine's own, and no request of the browser's own. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

export const launchChromium = (program: string): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: FLAGS });
