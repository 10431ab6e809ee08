import { type Browser, chromium } from 'playwright-core';

/** Nothing of the machine's own, and no request of the browser's own. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

export const launchChromium = (program: string): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: FLAGS });
