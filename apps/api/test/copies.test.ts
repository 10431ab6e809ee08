import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerAsOf } from '#clients/typescript/client.js';
import { importLines } from '#testing/imports.js';
import { readCsv } from '#testing/read-files.js';
import { ok } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

// A business keeps a copy of its users' balances while money moves: by the program of docs/events.md, by an export, and by the
// log alone. Each ends with every cent where the ledger has it.

const USERS = 2_000;
const BALANCE = 100;

const api = withTestApi({ hasWorker: true });
const business = withBusiness(api);
const moving = new AbortController();
let movement: Promise<void>;

type Balances = Map<number, number>;

const nameOf = (index: number) => `user-${index % USERS}`;

/** Matches, settles, funds and withdraws, until the test has begun all its copies and the worker has settled all. */
async function move(signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    const [one, other] = [nameOf(round * 7), nameOf(round * 7 + 3)];
    const amount = ((round % 50) + 1) / 100;
    const wager = { wager_reference: `match-${Math.floor(round / 5)}` };
    ok(await business.make(one, amount, 2.5, wager));
    ok(await business.accept(other, amount, wager));
    ok(await business.client.post('/transactions/fund-user', { user_reference: one, amount: 0.37 }));
    ok(await business.client.post('/transactions/withdraw', { user_reference: other, amount: 0.11 }));
    if (round % 5 === 4) {
      ok(await business.decide('win', wager.wager_reference));
      ok(await business.client.post('/account/user', { name: `late ${round}`, reference: `late-${round}` }));
    }
  }
  const settling = () => api.database.query('SELECT FROM wagers WHERE settling_since IS NOT NULL');
  await waitFor(async () => (await settling()).length === 0);
}

beforeAll(async () => {
  const users = Array.from({ length: USERS }, (_, index) => nameOf(index));
  await importLines(
    business.client,
    users.map((reference) => ({ reference, name: reference, funds: { amount: BALANCE } })),
  );
  movement = move(moving.signal);
});

afterAll(() => moving.abort());

/** Follows until the copy has everything that has happened, after the money has come to rest. */
function untilTheEnd() {
  const over = new AbortController();
  let position = '';
  const onPosition = (cursor: string) => {
    position = cursor;
  };
  const options = { signal: over.signal, onPosition };
  const end = async () => {
    await movement;
    await waitFor(async () => position === ok(await business.client.get('/events?per_page=1'), 200).head);
    over.abort();
  };
  return { options, end };
}

async function followed(copy: (options: object) => Promise<unknown>): Promise<void> {
  const { options, end } = untilTheEnd();
  const copying = copy(options).catch((error: unknown) => {
    if ((error as Error).name !== 'AbortError') throw error;
  });
  await Promise.all([copying, end()]);
}

/** The program that the page shows, as it stands there. */
async function documentedCopy(): Promise<(...given: unknown[]) => Promise<void>> {
  const page = await readFile('docs/events.md', 'utf8');
  const [, program] = /```js\n(const balances = [\s\S]*?)```/.exec(page) ?? [];
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  const own = program?.replace('const balances = new Map();', '');
  return AsyncFunction('ledger', 'ledgerAsOf', 'balances', 'options', own);
}

async function follow(balances: Balances, from: string, options: object): Promise<void> {
  for await (const event of business.ledger.events.follow({ from }, options)) {
    if (event.type === 'user.created') balances.set(event.user.id, 0);
    for (const { user_id, balance_after } of event.transactions ?? []) balances.set(user_id, balance_after);
  }
}

/** The balances in the file, and the cursor up to which it goes. */
async function exported(): Promise<{ balances: Balances; asOf: string }> {
  const { id } = await business.ledger.exports.create({
    kind: 'transactions',
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { as_of: asOf } = await business.ledger.exports.wait(id, { everyMs: 50 });
  const [columns = [], ...lines] = readCsv((await business.client.get(`/exports/${id}/file`)).body);
  const [user, type, amount] = ['user_id', 'transaction_type', 'amount'].map((name) => columns.indexOf(name));
  const micros = new Map<number, number>();
  for (const line of lines) {
    const sign = { credit: 1, debit: -1 }[line[type ?? -1] ?? ''] ?? 0;
    const id = Number(line[user ?? -1]);
    micros.set(id, (micros.get(id) ?? 0) + sign * Math.round(Number(line[amount ?? -1]) * 1_000_000));
  }
  return { balances: new Map([...micros].map(([id, sum]) => [id, sum / 1_000_000])), asOf: asOf ?? '' };
}

const rows = async () =>
  (
    await api.database.query(`
      SELECT b.user_id::int AS id, b.balance::float8 / 1000000 AS balance FROM balances b JOIN users u ON u.id = b.user_id
       WHERE u.account_id = (SELECT account_id FROM users WHERE reference = 'user-0') ORDER BY 1`)
  ).map(({ id, balance }) => [Number(id), Number(balance)]);

const sorted = (balances: Balances) => [...balances].sort(([one], [other]) => one - other);
const hasMoney = ([, balance]: number[]) => balance !== 0;

describe('a copy of 2,000 users, made while money moves', () => {
  const copies: Record<string, Balances> = { list: new Map(), export: new Map(), log: new Map() };

  it('is exact from the lists, from an export and from the log alone', async () => {
    const program = await documentedCopy();
    const { balances, asOf } = await exported();
    copies.export = balances;
    const copying = [
      followed((options) => program(business.ledger, ledgerAsOf, copies.list, options)),
      followed((options) => follow(copies.export as Balances, asOf, options)),
      followed((options) => follow(copies.log as Balances, 'start', options)),
    ];
    await waitFor(async () => (copies.list?.size ?? 0) >= USERS);
    moving.abort();
    await Promise.all(copying);
    const expected = await rows();
    expect(expected.length).toBeGreaterThanOrEqual(USERS);
    expect(sorted(copies.list as Balances)).toEqual(expected);
    expect(sorted(copies.log as Balances)).toEqual(expected);
    // A file of transactions has no user without one.
    expect(sorted(copies.export as Balances).filter(hasMoney)).toEqual(expected.filter(hasMoney));
  });
});
