// `npm run screenshots`: plays a demo on a ledger of its own, and makes the pictures of docs/console.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { StartError } from '#platform/errors/start-error.js';
import type { Credentials } from '#tools/demo/play.js';
import { type OpenLedger, runDemo } from '#tools/demo/run.js';
import { ensureChromium, launchChromium } from '#tools/services/ensure-chromium.js';
import { runTool } from '#tools/shared/run-tool.js';
import { looks, type Picture, pictures } from './pictures.js';

const FOLDER = fileURLToPath(new URL('../../../docs/console', import.meta.url));
const OPTIONS = { seed: 1, offers: 400, stay: true };
const SHOWN_WITHIN_MS = 15_000;

/** A page at rest: its figures are there, and nothing is loading. */
async function takePicture(
  browser: Browser,
  url: string,
  { owner, picture, look }: { owner: Credentials; picture: Picture; look: (typeof looks)[number] },
): Promise<void> {
  const { name, ...appearance } = look;
  const options: BrowserContextOptions = { ...appearance, locale: 'en-GB', timezoneId: 'Europe/London' };
  const context = await browser.newContext(options);
  const { email, password } = owner;
  await context.request.post(`${url}/session`, { data: { email, password } });
  const page = await context.newPage();
  page.setDefaultTimeout(SHOWN_WITHIN_MS);
  await page.goto(`${url}${picture.path}`);
  await page.getByRole('heading', { level: 1, name: picture.heading }).waitFor();
  if (picture.part !== undefined) await page.getByRole('heading', { level: 2, name: picture.part }).waitFor();
  await page.locator('body:not(:has(.waiting))').waitFor();
  await page.screenshot({ path: path.join(FOLDER, `${picture.name}-${name}.png`) });
  await context.close();
}

async function takePictures({ services, played, progress }: OpenLedger, program: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  progress.begin('Pictures are taken', pictures.length * looks.length);
  const browser = await launchChromium(program);
  try {
    for (const picture of pictures) {
      for (const look of looks) {
        await takePicture(browser, services.dashboardUrl, { owner: played.business, picture, look });
        progress.advance();
      }
    }
  } finally {
    await browser.close();
  }
  progress.done(`${pictures.length * looks.length} pictures are in ${path.relative(process.cwd(), FOLDER)}`);
}

async function main(stopping: AbortSignal): Promise<number> {
  const program = await ensureChromium((line) => console.log(line));
  if (program === undefined) throw new StartError('There is no chromium on this machine: install it.');
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'ledger-screenshots-'));
  try {
    const isSound = await runDemo({
      options: OPTIONS,
      dataDir,
      path: process.env.PATH,
      screen: process.stdout,
      stopping,
      whileOpen: (open) => takePictures(open, program),
    });
    return isSound ? 0 : 1;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await runTool({ main, npmEvent: process.env.npm_lifecycle_event });
