// Runs the real command, as `npm run storm` does.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startNode } from '#testing/node-process.js';
import { waitFor } from '#testing/wait-for.js';

const main = fileURLToPath(new URL('main.js', import.meta.url));

let temporary: string;

beforeEach(() => {
  temporary = mkdtempSync(path.join(os.tmpdir(), 'ledger-storm-test-'));
});

afterEach(() => rmSync(temporary, { recursive: true, force: true }));

const start = (...args: string[]) =>
  startNode(main, args, { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', TMPDIR: temporary });

describe('the storm', () => {
  it('ends at once at a Ctrl-C during a fault, and leaves no files', async () => {
    const { child, ended } = start('--seed', '3', '--seconds', '3600');
    const begun = waitFor(
      () => {
        const [folder = ''] = readdirSync(temporary);
        const file = path.join(temporary, folder, 'storm.log');
        return existsSync(file) && readFileSync(file, 'utf8').includes('begins') && file;
      },
      { timeoutMs: 90_000 },
    );
    // A storm that ends before its first fault says why.
    expect(await Promise.race([begun, ended])).toContain(temporary);
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 1, output: '\n  A storm of 3600 s (seed 3)\n', errors: '\nStopped.\n' });
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ['an unknown option', ['--bets', '5'], /Unknown option '--bets'(.|\n)*npm run storm/],
    ['an invalid time', ['--seconds', '0'], /^--seconds must be a whole number from 1 to 21600\.$/],
    ['an invalid seed', ['--seed', 'x'], /^--seed must be a whole number/],
  ])('refuses to start with %s', async (_case, args, reason) => {
    const { code, output, errors } = await start(...args).ended;
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors.trim()).toMatch(reason);
  });
});
