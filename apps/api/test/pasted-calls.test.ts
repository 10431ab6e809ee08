import { access, readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { outputOf } from '#testing/packed-client.js';
import { withTestApi } from '#testing/with-test-api.js';
import { ensure } from '#tools/services/install-package.js';
import { findProgram } from '#tools/services/run-program.js';

// What README.md and the pages of docs/ tell a reader to paste, as it stands there.

interface Block {
  readonly page: string;
  readonly text: string;
}

async function blocks(): Promise<readonly Block[]> {
  const names = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  const found: Block[] = [];
  for (const page of ['README.md', ...names.sort()]) {
    const text = await readFile(page, 'utf8');
    for (const [, block = ''] of text.matchAll(/```sh\n([\s\S]*?)```/g)) found.push({ page, text: block });
  }
  return found;
}

/** Ends at the first call that fails. A stream does not end by itself: its first lines are enough. */
const PRELUDE = `
set -euo pipefail
curl() {
  case " $* " in
    *' -N '*) { command curl -sS --fail-with-body "$@" || true; } | head -n 3 ;;
    *) command curl -sS --fail-with-body "$@"; echo ;;
  esac
}
npm() {
  test "$1" = run
  node "build/apps/cli/$2.js" "\${@:4}"
}
`;

const api = withTestApi();

describe('what the pages tell a reader to paste', () => {
  it('makes the first bets, and every other call', async () => {
    await ensure({ apt: ['curl'] }, () => findProgram('curl'));
    const all = await blocks();
    // It ends the token of the other calls.
    const last = all.filter(({ text }) => text.includes('make-admin'));
    const calls = [...all.filter(({ text }) => text.includes('curl ')), ...last];
    expect(new Set(calls.map(({ page }) => page))).toEqual(
      new Set(['README.md', 'docs/api.md', 'docs/events.md', 'docs/webhooks.md']),
    );
    const { host } = new URL(api.client.baseUrl);
    const script = [PRELUDE, `export DATABASE_URL='${api.database.url}'`, ...calls.map(({ text }) => text)].join('\n');
    const output = await outputOf('bash', ['-c', script.replaceAll('localhost:3000', host)], process.cwd());
    for (const part of ['"bet_id"', 'ann', 'import:cat', 'retry: 1000', 'whsec_', 'is an admin now'])
      expect(output).toContain(part);
    const balances = await api.database.query(
      `SELECT reference, (balance / 1000000)::int AS balance FROM users u JOIN balances b
         ON b.account_id = u.account_id AND b.user_id = u.id ORDER BY reference`,
    );
    const wanted = { ann: 115, bob: 85, cat: 100, dan: 0 };
    expect(Object.fromEntries(balances.map(({ reference, balance }) => [reference, balance]))).toEqual(wanted);
  });

  it('names scripts and programs that there are', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    let count = 0;
    for (const { page, text } of await blocks()) {
      for (const [, name = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g)) {
        expect([page, name, scripts[name] !== undefined]).toEqual([page, name, true]);
        count += 1;
      }
      for (const [, program = ''] of text.matchAll(/\bnode dist\/([\w/-]+)\.js/g)) {
        await access(`${program}.ts`);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});
