import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '../../testing/client.js';
import { isLongForm } from '../../testing/long-form.js';
import { outputOf } from '../../testing/packed-client.js';
import { withTestApi } from '../../testing/with-test-api.js';

// Clients that others generate from the document play the first bet. Their generators are large and want other versions of
// Node.js and TypeScript than this repository, so only the long form installs them, into a folder of its own.

const PACKAGES = ['openapi-typescript@7.13.0', 'orval@8.38.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];

const OFFER = `{ wager_reference: wager, requesting_odds: 2.5, requesting_amount: 10, requesting_user_reference: 'ann' }`;
const ACCEPTANCE = `{ wager_reference: wager, maximum_odds: 3, accepting_amount: 4, accepting_user_reference: 'bob' }`;
const BEGIN = `const [baseUrl = '', token = '', wager = ''] = process.argv.slice(2);
const headers = { Authorization: 'Bearer ' + token };
`;

/** With `openapi-typescript`: types of every path, for openapi-fetch. */
const BY_TYPES = `${BEGIN}
import createClient from 'openapi-fetch';
import type { paths } from './types.js';
const ledger = createClient<paths>({ baseUrl, headers });
for (const name of ['ann', 'bob']) {
  await ledger.POST('/account/user', { body: { name, reference: name } });
  await ledger.POST('/transactions/fund-user', { body: { user_reference: name, amount: 100 } });
}
await ledger.POST('/bets/make-offer', { body: ${OFFER} });
const { data } = await ledger.POST('/bets/accept-offer', { body: ${ACCEPTANCE} });
await ledger.POST('/bets/update-wager-outcome', { body: { reference: wager, outcome: 'win' } });
const { data: events } = await ledger.GET('/events', { params: { query: { types: 'bet.settled' } } });
console.log(JSON.stringify([data?.data[0]?.accepted_amount, events?.data[0]?.bet?.outcome]));
`;

/** With `orval`: a function for each operation. */
const BY_FUNCTIONS = `${BEGIN}
import { betAcceptOffer, betMakeOffer, betUpdateWagerOutcome, eventList, transactionFundUser, userCreate } from './functions.js';
const fetched = globalThis.fetch;
globalThis.fetch = (target, options) => fetched(baseUrl + String(target), options);
const options = { headers };
for (const name of ['ann', 'bob']) {
  await userCreate({ name, reference: name }, options);
  await transactionFundUser({ user_reference: name, amount: 100 }, options);
}
await betMakeOffer(${OFFER}, options);
const accepted = await betAcceptOffer(${ACCEPTANCE}, options);
await betUpdateWagerOutcome({ reference: wager, outcome: 'win' }, options);
const events = await eventList({ types: 'bet.settled' }, options);
if (accepted.status !== 201 || events.status !== 200) throw new Error(JSON.stringify([accepted, events]));
console.log(JSON.stringify([accepted.data.data[0]?.accepted_amount, events.data.data[0]?.bet?.outcome]));
`;

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  strict: true,
  skipLibCheck: false,
};

(isLongForm ? describe : describe.skip)('a client that is made from the document plays the first bet', () => {
  const api = withTestApi();
  let folder: string;
  const run = (...args: string[]) => outputOf(args[0] ?? '', args.slice(1), folder);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'ledger-clients-'));
    const document = (await api.client.get('/openapi.json')).body;
    const files = {
      'package.json': JSON.stringify({ type: 'module', private: true }),
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts'] }),
      'openapi.json': JSON.stringify(document),
      'orval.config.mjs':
        "export default { ledger: { input: './openapi.json', output: { target: './functions.ts', client: 'fetch' } } };",
      'globals.d.ts': 'declare const process: { argv: string[] };',
      'by-types.ts': BY_TYPES,
      'by-functions.ts': BY_FUNCTIONS,
    };
    for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
    await run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES);
    // A field with a default may be left out.
    const types = ['openapi.json', '--default-non-nullable=false', '-o', 'types.ts'];
    await run('npx', '--no-install', 'openapi-typescript', ...types);
    await run('npx', '--no-install', 'orval', '--config', 'orval.config.mjs');
    await run('npx', '--no-install', 'tsc', '-p', '.');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['by-types', 'by-functions'])('%s', async (name) => {
    const { token } = await registerAndLogIn(api.client);
    const printed = await run(process.execPath, `${name}.js`, api.client.baseUrl, token, 'home-win');
    expect(JSON.parse(printed)).toEqual([4, 'win']);
  });
});
