import type { Browser } from 'playwright-core';
import { ensureChromium, launchChromium } from '#tools/services/ensure-chromium.js';

// Debian's chromium for tests, which is found or installed while a test file is loaded: only then can its tests be skipped.

const ADVICE = 'install chromium, or let the tests install it with apt (as root, or with a sudo that does not ask)';

const say = (line: string) => process.stderr.write(`\n${line}\n\n`);

const program = await ensureChromium(say);
if (program === undefined) {
  // biome-ignore lint/style/noProcessEnv: continuous integration sets it, for every program
  if (process.env.CI) throw new Error(`There is no browser on this machine: ${ADVICE}.`);
  say(`SKIPPED: ALL TESTS IN A BROWSER. There is no chromium on this machine: ${ADVICE}.`);
}

export const hasBrowser = program !== undefined;

export function launchBrowser(): Promise<Browser> {
  if (program === undefined) throw new Error('There is no browser');
  return launchChromium(program);
}
