import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { expectBooksToBalance } from '#testing/books.js';
import { cancellation, micros } from '#testing/core/builders.js';
import { ACCOUNT, type LedgerDriver, USERS } from '#testing/full-ledger.js';
import { acceptanceOf, offerOf } from '#testing/ledger-fixture.js';
import { numbered, placed } from '#testing/list-pages.js';
import { chooser } from '#testing/list-rows.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { listHistory } from './bet-history.js';
import type { TotalRow } from './list-reader.js';
import { listOpenBets } from './open-bet-list.js';
import type { List, PageCursor, PageRequest } from './page.js';
import { listTransactions } from './transaction-list.js';

// Lists while others make, accept and cancel offers, and move money.

const WRITERS = 6;
/** Bounds how far a walk has to follow rows that are still being written. */
const ROUNDS = 40;
const WAGERS = ['first', 'second'] as const;

const ledger = withOpenLedger(async ({ fund, offer, ledger: { execute } }) => {
  for (const user of USERS) await fund(user, 1_000_000);
  for (let round = 0; round < 60; round += 1) {
    const [user, wager] = [USERS[round % 3] as string, WAGERS[round % 2] as string];
    await offer(user, wager, 2 + (round % 5), 1.5 + (round % 3));
    if (round % 6 === 3) await execute(ACCOUNT, acceptanceOf('ann', wager, 3), { present: Object });
  }
});
const database = () => ledger.driver.database;

async function write({ run, fund }: LedgerDriver, writer: number): Promise<void> {
  const choose = chooser(writer + 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [user, wager] = [choose(USERS), choose(WAGERS)];
    const requestingUser = { reference: user };
    const operation = choose([
      offerOf(user, wager, choose([1, 2.5]), choose([1.5, 2, 3])),
      offerOf(user, wager, choose([4, 5.25])),
      acceptanceOf(user, wager, choose([1, 3])),
      cancellation({ requestingUser, wagerReferences: [wager], cancelAll: false, cancelAmount: micros(1) }),
    ]);
    // What finds no offer is refused.
    await run(operation).catch(() => undefined);
    await fund(user, 1);
  }
}

async function whileWriting(read: () => Promise<unknown>): Promise<void> {
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(ledger.driver, writer)));
  try {
    await read();
  } finally {
    await writing;
  }
  await expectBooksToBalance(ledger.environment.database);
}

const shared = {
  accountIds: [ACCOUNT],
  wagerReferences: undefined,
  userIds: undefined,
  userReferences: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  sortBy: 'created_at' as const,
  descending: false,
};
const history = async (
  page: PageRequest,
  wagerReferences?: readonly string[],
): Promise<List<{ id: bigint }, TotalRow>> => {
  const list = await listHistory(database(), { ...shared, wagerReferences, outcomes: undefined, trails: 'none', page });
  return { ...list, items: list.items.map(({ bet }) => bet) };
};
const openBets = (page: PageRequest) => listOpenBets(database(), { ...shared, page });
const transactions = (page: PageRequest) =>
  listTransactions(database(), ACCOUNT, { ...shared, type: undefined, source: undefined, page });

describe('a walk while others write', () => {
  const idsIn = async (table: string) =>
    (await ledger.query(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => BigInt(String(id)));

  async function walked(
    read: (page: PageRequest) => Promise<List<{ readonly id: bigint }, TotalRow>>,
  ): Promise<bigint[]> {
    const ids: bigint[] = [];
    let cursor: PageCursor | undefined;
    do {
      const { items, next } = await read(placed(cursor, 10));
      ids.push(...items.map(({ id }) => id));
      cursor = next;
    } while (cursor !== undefined);
    return ids;
  }

  it.each([
    ['bets', 'of the history', (page: PageRequest) => history(page)],
    ['bets', 'of two wagers', (page: PageRequest) => history(page, WAGERS)],
    ['transactions', 'of the account', transactions],
  ] as const)('sees each row of %s %s that was there at its start exactly once', async (table, _of, read) => {
    await whileWriting(async () => {
      const before = await idsIn(table);
      const seen = await walked(read as typeof transactions);
      expect(new Set(seen).size).toBe(seen.length);
      const known = new Set(before);
      expect(seen.filter((id) => known.has(id)).sort((one, other) => Number(one - other))).toEqual(before);
      expect((await idsIn(table)).length).toBeGreaterThan(before.length);
    });
  });
});

describe('totals', () => {
  it('agree with their page at every moment', async () => {
    await whileWriting(async () => {
      for (let reads = 0; reads < 25; reads += 1) {
        const { items, totals } = await openBets(numbered(1, 10_000));
        expect(totals?.total).toBe(BigInt(items.length));
        expect(totals?.totalRequestingAmount).toBe(items.reduce((sum, bet) => sum + bet.requestingAmount, 0n));
      }
    });
  });

  it('are in the end what a count of the rows comes to', async () => {
    const [counted] = await ledger.query(`
      SELECT count(*)::int AS bets, count(*) FILTER (WHERE is_open)::int AS open, sum(requesting_amount) FILTER (WHERE is_open)::text AS amount
        FROM (SELECT *, offer_status = 'requesting' AND is_active AS is_open FROM bets) b`);
    const open = (await openBets(numbered(1, 1))).totals;
    expect(Number((await history(numbered(1, 1))).totals?.total)).toBe(counted?.bets);
    expect(Number(open?.total)).toBe(counted?.open);
    expect(String(open?.totalRequestingAmount)).toBe(counted?.amount);
  });

  it('change without waiting for another transaction that changes them', async () => {
    const { url } = ledger.environment.database;
    const clients = Array.from({ length: 8 }, () => new pg.Client({ connectionString: url }));
    try {
      const pids: number[] = [];
      for (const client of clients) {
        await client.connect();
        pids.push((await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
      }
      const first = clients[0] as pg.Client;
      await first.query('BEGIN');
      // As if every transaction began at a shard that is locked.
      for (const pid of pids) await first.query('SELECT pg_advisory_xact_lock(7266002, $1::int % 64)', [pid]);
      const before = (await history(numbered(1, 1))).totals?.total ?? 0n;
      for (const client of clients) {
        if (client !== first) await client.query('BEGIN');
        await client.query(`SET LOCAL lock_timeout = '500ms'`);
        await client.query(`SELECT write_group(p_totals => ARRAY[ROW(${ACCOUNT}, 2, 0, 0, 0)::moved_total])`);
      }
      for (const client of clients.slice(0, 5)) await client.query('COMMIT');
      expect((await history(numbered(1, 1))).totals?.total).toBe(before + 10n);
    } finally {
      for (const client of clients) await client.end();
    }
  });
});
