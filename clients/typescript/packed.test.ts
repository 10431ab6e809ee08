import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { publint } from 'publint';
import { registerAndLogIn } from '../../testing/client.js';
import { inRoot, outputOf, type PackedClient, packClient } from '../../testing/packed-client.js';
import { withTestApi } from '../../testing/with-test-api.js';

// What `npm pack` makes, installed into an empty folder without a network, runs a bet in each way of loading it.

const api = withTestApi();
let packed: PackedClient;
let token: string;

beforeAll(async () => {
  packed = await packClient();
  token = (await registerAndLogIn(api.client)).token;
});
afterAll(() => packed?.remove());

/** The first bet, with the wager as an argument. The compiler checks what it knows of the events. */
const BET = `
import { createLedgerClient, type EventOf, LedgerError } from '@betting-ledger/client';

export async function play(baseUrl: string, token: string, wager: string): Promise<object> {
  const ledger = createLedgerClient({ baseUrl, token, totalWaitMs: 20_000 });
  const users = [wager + ' ann', wager + ' bob'] as const;
  for (const reference of users) {
    await ledger.post('/account/user', { body: { name: reference, reference } });
    await ledger.post('/transactions/fund-user', { body: { user_reference: reference, amount: 100 } });
  }
  const offer = { wager_reference: wager, requesting_odds: 2.5, requesting_amount: 10 };
  const { data: made } = await ledger.post('/bets/make-offer', { body: { ...offer, requesting_user_reference: users[0] } });
  const acceptance = { bet_id: made.bet_id, maximum_odds: 3, accepting_amount: 4, accepting_user_reference: users[1] };
  await ledger.post('/bets/accept-offer', { body: acceptance });
  await ledger.post('/bets/update-wager-outcome', { body: { reference: wager, outcome: 'win' } });
  // @ts-expect-error An outcome is one of a few words.
  const refused = await ledger.post('/bets/update-wager-outcome', { body: { reference: wager, outcome: 'draw' } }).catch((error: unknown) => error);
  const settled: EventOf<'bet.settled'>[] = [];
  const { data: events } = await ledger.get('/events', { params: { query: { wager_reference: wager } } });
  for (const event of events) {
    // @ts-expect-error Not every event has a bet.
    const unchecked = () => event.bet.outcome;
    void unchecked;
    if (event.type === 'bet.settled') settled.push(event);
  }
  return { status: refused instanceof LedgerError ? refused.status : 0, outcomes: settled.map(({ bet, wager }) => [bet.outcome, wager.reference]) };
}
`;

const MAIN = `
import { play } from './bet.js';
const [baseUrl = '', token = '', wager = ''] = process.argv.slice(2);
void play(baseUrl, token, wager).then((played) => console.log(JSON.stringify(played)));
`;

const VERIFY = `
import { verifyWebhook, WebhookRejected } from '@betting-ledger/client/webhooks';
export function check(secret: string, body: string, headers: Record<string, string>): string {
  try {
    const message = verifyWebhook({ secret, body, headers });
    return message.type === 'bet.settled' && !('is_shortened' in message.data) ? message.data.bet.outcome : message.type;
  } catch (error) {
    return error instanceof WebhookRejected ? 'rejected' : String(error);
  }
}
console.log(JSON.stringify(check('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '{}', {})));
`;

const GLOBALS = 'declare const process: { argv: string[] };\n';

/** Compiles these files with all of the client's types checked, also inside \`node_modules\`. */
async function compile(name: string, type: 'module' | 'commonjs', options: object, more = {}): Promise<string> {
  const folder = path.join(packed.folder, name);
  await mkdir(folder);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    ...options,
  };
  const files = {
    'package.json': JSON.stringify({ type }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
    'globals.d.ts': GLOBALS,
    'bet.ts': BET,
    'main.ts': MAIN,
    'verify.ts': VERIFY,
    ...more,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  await outputOf(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', folder], folder);
  return folder;
}

/** What the programs of the pages take from around them. */
const AROUND = `
declare const ledger: import('@betting-ledger/client').LedgerClient;
declare const business: import('@betting-ledger/client').LedgerClient, baseUrl: string;
declare const order: { id: number }, request: { headers: Record<string, string> };
declare const apiKey: string, apiSecret: string, from: string, rawBody: string, secret: string, signal: AbortSignal;
declare function store(...given: unknown[]): Promise<void>;
declare function show(given: unknown): void;
declare function note(...given: unknown[]): Promise<void>;
declare function writeFile(name: string, stream: AsyncIterable<Uint8Array>): Promise<void>;
`;

/** Each as a module of its own. */
async function programsOfPages(): Promise<Readonly<Record<string, string>>> {
  const programs: Record<string, string> = { 'around.d.ts': AROUND };
  for (const page of ['clients/typescript/README.md', 'docs/events.md', 'docs/testing.md', 'docs/webhooks.md']) {
    for (const [, text = ''] of (await readFile(page, 'utf8')).matchAll(/```ts\n([\s\S]*?)```/g)) {
      const lines = text.split('\n');
      const isImport = (line: string) => line.trimStart().startsWith('import ');
      const body = lines.filter((line) => !isImport(line)).join('\n');
      const module = [...lines.filter(isImport), `export async function program() {\n${body}\n}`].join('\n');
      programs[`program-${Object.keys(programs).length}.ts`] = module;
    }
  }
  return programs;
}

const run = async (file: string, ...args: string[]) =>
  JSON.parse(await outputOf(process.execPath, [file, ...args], packed.folder));
const playAs = (name: string, file: string) => run(file, api.client.baseUrl, token, name);
const played = (name: string) => ({ status: 400, outcomes: [['win', name]] });

describe('the packed client', () => {
  it('has only what it needs', async () => {
    const names = await readdir(packed.installed, { recursive: true });
    expect(names.filter((name) => /\btest\b|(?<!\.d)\.ts$|\.map$/.test(name))).toEqual([]);
    expect(names.filter((name) => !name.includes('/')).sort()).toEqual(['README.md', 'dist', 'package.json']);
    const { dependencies } = JSON.parse(await readFile(path.join(packed.installed, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies)).toEqual(['openapi-fetch']);
  });

  it('has no fault that publint knows', async () => {
    const { messages } = await publint({ pkgDir: packed.installed, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('has types that fit what is loaded, in every way of resolving it', async () => {
    const checked = await checkPackage(createPackageFromTarballData(await readFile(packed.tarball)));
    expect(checked.types).toMatchObject({ kind: 'included' });
    expect('problems' in checked && checked.problems).toEqual([]);
  });
});

it('is what the programs of the pages are written for', async () => {
  const programs = await programsOfPages();
  expect(Object.keys(programs).length).toBeGreaterThan(8);
  await compile('pages', 'module', { module: 'node16', moduleResolution: 'node16' }, programs);
});

describe('a bet is played', () => {
  it('as an ES module', async () => {
    const folder = await compile('esm', 'module', { module: 'node16', moduleResolution: 'node16' });
    expect(await playAs('esm', path.join(folder, 'main.js'))).toEqual(played('esm'));
    expect(await run(path.join(folder, 'verify.js'))).toBe('rejected');
  });

  it('in CommonJS', async () => {
    const folder = await compile('cjs', 'commonjs', { module: 'node16', moduleResolution: 'node16' });
    expect(await readFile(path.join(folder, 'bet.js'), 'utf8')).toContain('require("@betting-ledger/client")');
    expect(await playAs('cjs', path.join(folder, 'main.js'))).toEqual(played('cjs'));
    expect(await run(path.join(folder, 'verify.js'))).toBe('rejected');
  });

  it('in a bundle for browsers, without a module of Node.js', async () => {
    const folder = await compile('bundle', 'module', { module: 'esnext', moduleResolution: 'bundler' });
    const outfile = path.join(folder, 'bundle.mjs');
    await build({
      entryPoints: [path.join(folder, 'main.js')],
      outfile,
      bundle: true,
      platform: 'browser',
      format: 'esm',
    });
    expect(await readFile(outfile, 'utf8')).not.toMatch(/\bfrom\s*["']|\brequire\(/);
    expect(await playAs('bundle', outfile)).toEqual(played('bundle'));
    const verifying = build({
      entryPoints: [path.join(folder, 'verify.js')],
      bundle: true,
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    });
    await expect(verifying).rejects.toThrow('node:crypto');
  });
});
