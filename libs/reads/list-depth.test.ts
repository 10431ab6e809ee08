import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { userSortFields } from '#accounts/users/user.js';
import { type AccountTables, type Database, openDatabase, type Tx, withTx } from '#platform/database/database.js';
import { ACCOUNT, type LedgerDriver, openAccount, openLedger } from '#testing/full-ledger.js';
import { numbered } from '#testing/list-pages.js';
import { insertBets, insertTransactions } from '#testing/list-rows.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import {
  type HistoryRequest,
  historySortFields,
  type OpenBetsRequest,
  openBetSortFields,
  type ShownBet,
} from './bet.js';
import { listHistory } from './bet-history.js';
import type { TotalRow } from './list-reader.js';
import { listOpenBets } from './open-bet-list.js';
import { readOrderBook } from './order-book.js';
import type { List, PageCursor, PageRequest } from './page.js';
import { listTransactions } from './transaction-list.js';
import { listUsers } from './user-list.js';
import { listWagers } from './wager-list.js';

// What a page costs PostgreSQL, by the buffers that its statement touches; and whether reads of one snapshot agree.

/** The account with long lists. */
const LISTED = 2n;
/** The account with many wagers. */
const SETTLING = 3n;
/** The account with many wagers that will close. */
const CLOSING = 4n;

const environment = withTestEnvironment(async () => {
  await driver?.close();
  await database?.disconnect();
});
let database: Database;
let driver: LedgerDriver;

beforeAll(async () => {
  const { url } = environment.database;
  database = openDatabase({ url, connections: 2, onConnectionError: () => undefined });
  driver = await openLedger(environment.database, environment.logger);
  await openAccount(environment.database, driver);
  await environment.database.query(`INSERT INTO accounts (id, name, email) VALUES ($1, 'b', 'b@example.com')`, [
    LISTED,
  ]);
  await environment.database.query(
    `INSERT INTO accounts (id, name, email)
     VALUES ($1, 'c', 'c@example.com'), ($2, 'd', 'd@example.com')`,
    [SETTLING, CLOSING],
  );
  await environment.database.query(
    `INSERT INTO wagers (account_id, reference, settling_since, closes_at)
     SELECT a, 'w' || i, CASE WHEN a = $1 AND i % 2000 = 7 THEN now() END,
            CASE WHEN a <> $1 OR i % 2000 = 8 THEN timestamptz '2099-01-01Z' - i * interval '1 hour' END
       FROM generate_series(1, 10000) i, unnest(ARRAY[$1::bigint, $2]) a`,
    [SETTLING, CLOSING],
  );
  await insertBets(environment.database, Number(LISTED), 20_000);
  await insertTransactions(environment.database, Number(LISTED), 20_000);
  // Few different values, so that every order has many ties.
  await environment.database.query(
    `INSERT INTO users (account_id, reference, name, created_at)
     SELECT $1, 'r' || i, 'Name ' || (i * 7919) % 100, timestamptz '2026-01-01' + (i % 50) * interval '1 s'
       FROM generate_series(1, 12345) i`,
    [SETTLING],
  );
  await environment.database.query(
    `INSERT INTO balances (account_id, user_id, balance, exposure)
     SELECT account_id, id, (id * 31) % 40 * 1000000, (id * 17) % 30 * 500000 FROM users WHERE account_id = $1`,
    [SETTLING],
  );
  await environment.database.query('VACUUM ANALYZE');
});

const filters = {
  accountIds: [LISTED],
  wagerReferences: undefined,
  userIds: undefined,
  userReferences: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  descending: false,
};
const openBets: Omit<OpenBetsRequest, 'page'> = { ...filters, sortBy: 'created_at' };
const history: Omit<HistoryRequest, 'page'> = { ...filters, outcomes: undefined, trails: 'none', sortBy: 'created_at' };
const transactions = { ...filters, type: undefined, source: undefined };

/** Runs a read; returns its result and the last statement that it sent. */
async function recording<Result>(read: () => Promise<Result>): Promise<{ result: Result; last: pg.QueryConfig }> {
  const sending = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await read();
    // A connection that is opened meanwhile sends texts of its own.
    const sent = sending.mock.calls.map(([statement]) => statement as unknown as pg.QueryConfig | string);
    const last = sent.findLast((statement) => typeof statement !== 'string' && statement.text !== undefined);
    return { result, last: last as pg.QueryConfig };
  } finally {
    sending.mockRestore();
  }
}

/** How many buffers the statement touches. */
async function buffersOf({ text, values }: pg.QueryConfig): Promise<number> {
  const [row] = await environment.database.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
  const explained = row?.['QUERY PLAN'] as readonly { readonly Plan: Record<string, number> }[];
  const plan = explained[0]?.Plan ?? {};
  return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
}

type Reader = (source: Database, page: PageRequest) => Promise<List<{ readonly id?: bigint }, unknown>>;
const readers: Record<string, Reader> = {
  'open bets': (source, page) => listOpenBets(source, { ...openBets, page }),
  'open bets of two accounts': (source, page) =>
    listOpenBets(source, { ...openBets, accountIds: [ACCOUNT, LISTED], page }),
  history: async (source, page) => {
    const list = await listHistory(source, { ...history, page });
    return { ...list, items: list.items.map(({ bet }) => bet) };
  },
  'history, the newest first': async (source, page) => {
    const list = await listHistory(source, { ...history, descending: true, page });
    return { ...list, items: list.items.map(({ bet }) => bet) };
  },
  transactions: (source, page) => listTransactions(source, LISTED, { ...transactions, page }),
};

const pageAt = (cursor: PageCursor | undefined): PageRequest => ({ limit: 20, offset: 0, cursor, withTotals: false });

it.each([['w5'], ['nowhere']])('the transactions of a wager cost what its bets cost: %s', async (reference) => {
  const request = { ...transactions, wagerReferences: [reference], page: pageAt(undefined) };
  const { last } = await recording(() => listTransactions(database, LISTED, request));
  expect(await buffersOf(last)).toBeLessThan(200);
});

describe('a page by cursor', () => {
  it.each(Object.entries(readers))('costs the same at any depth: %s', async (_list, read) => {
    const costAt = async (cursor: PageCursor | undefined) => {
      const { result, last } = await recording(() => read(database, pageAt(cursor)));
      expect(result.items).toHaveLength(20);
      return buffersOf(last);
    };
    const deep = await read(database, { limit: 20, offset: 4_000, cursor: undefined, withTotals: true });
    const [first, after, before] = [await costAt(undefined), await costAt(deep.next), await costAt(deep.previous)];
    expect(after).toBeLessThan(first * 1.5 + 20);
    expect(before).toBeLessThan(first * 1.5 + 20);
    // With so few wagers and users PostgreSQL may try all pairs of them: 630 look-ups of bets. All rows would be 20,000.
    expect(first).toBeLessThan(3_000);
  });
});

describe('the wagers that are being settled', () => {
  it('cost no more when the account has many others', async () => {
    const page = { limit: 20, offset: 0, cursor: undefined, withTotals: true };
    const { result, last } = await recording(() =>
      listWagers(database, {
        accountIds: [SETTLING],
        outcomes: undefined,
        references: undefined,
        isSettling: true,
        sortBy: 'created_at',
        descending: true,
        page,
      }),
    );
    expect(result.items.map(({ reference }) => reference)).toEqual(['w8007', 'w6007', 'w4007', 'w2007', 'w7']);
    // All wagers of the account would be more than 100 pages.
    expect(await buffersOf(last)).toBeLessThan(50);
  });
});

describe('the wagers that close soon', () => {
  const nearest = (accountId: bigint) =>
    recording(() =>
      listWagers(database, {
        accountIds: [accountId],
        outcomes: undefined,
        references: undefined,
        isSettling: undefined,
        isClosing: true,
        sortBy: 'closes_at',
        descending: false,
        page: { ...pageAt(undefined), limit: 5 },
      }),
    );

  it('are read along the index of the clock, however many others there are', async () => {
    const { result, last } = await nearest(CLOSING);
    expect(result.items.map(({ reference }) => reference)).toEqual(['w10000', 'w9999', 'w9998', 'w9997', 'w9996']);
    expect(await buffersOf(last)).toBeLessThan(50);
    // Of an account with few of them it passes those of others, in the index alone.
    const few = await nearest(SETTLING);
    expect(few.result.items.map(({ reference }) => reference)).toEqual(['w8008', 'w6008', 'w4008', 'w2008', 'w8']);
    expect(await buffersOf(few.last)).toBeLessThan(150);
  });
});

describe('an order book', () => {
  it('is what the open bets of one snapshot come to, while others bet', async () => {
    let isOver = false;
    await driver.offer('ann', 'market', 1);
    const betting = (async () => {
      // Thousandths: the money lasts for the rounds of a fast machine.
      for (let round = 0; !isOver; round += 1) {
        await driver.offer('ann', 'market', (2 + (round % 3)) / 1_000, 2 + (round % 4));
        if (round % 2 === 1) await driver.match('bob', 'cat', 'market', 0.001);
      }
    })();
    try {
      for (let times = 0; times < 5; times += 1) {
        await withTx(database.of(ACCOUNT), compare, 'RepeatableRead');
      }
    } finally {
      isOver = true;
      await betting;
    }
  });

  async function compare(snapshot: Tx): Promise<void> {
    // A database whose tables are read in this transaction.
    const tables: Pick<Database, 'groups'> = {
      groups: (accountIds) => [[snapshot as unknown as AccountTables, accountIds]],
    };
    const request = { ...openBets, accountIds: [ACCOUNT], wagerReferences: ['market'] };
    const folded = new Map<bigint, { amount: bigint; offers: number; oldest: number }>();
    let cursor: PageCursor | undefined;
    do {
      const list: List<ShownBet, unknown> = await listOpenBets(tables as Database, {
        ...request,
        page: { ...pageAt(cursor), limit: 7 },
      });
      for (const { requestingOdds, requestingAmount, createdAt } of list.items) {
        const level = folded.get(requestingOdds) ?? { amount: 0n, offers: 0, oldest: Number.POSITIVE_INFINITY };
        level.amount += requestingAmount;
        level.offers += 1;
        level.oldest = Math.min(level.oldest, createdAt.getTime());
        folded.set(requestingOdds, level);
      }
      cursor = list.next;
    } while (cursor !== undefined);
    const wanted = [...folded].sort(([a], [b]) => (a < b ? -1 : 1));
    const book = await readOrderBook(snapshot, ACCOUNT, {
      reference: 'market',
      depth: 100,
      userId: undefined,
    });
    expect(
      book.levels.map(({ odds, amount, offers, oldest }) => [
        odds,
        { amount: BigInt(amount), offers: Number(offers), oldest: oldest.getTime() },
      ]),
    ).toEqual(wanted);
    const sums = await snapshot.$queryRaw<{ bets: bigint; amount: string }[]>`
      SELECT count(*) AS bets, coalesce(sum(effective_amount), 0)::text AS amount FROM bets b
        JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id
       WHERE b.account_id = ${ACCOUNT} AND w.reference = 'market' AND b.accepting_user_id IS NOT NULL`;
    expect([book.matchedBets, book.matchedAmount]).toEqual([sums[0]?.bets, sums[0]?.amount]);
  }
});

describe('a list of named users', () => {
  it('is planned once for a connection when it is frequent, and reads what each caller names', async () => {
    const { url } = environment.database;
    const single = openDatabase({ url, connections: 1, onConnectionError: () => undefined });
    try {
      const users = await environment.database.query(
        'SELECT DISTINCT requesting_user_id AS id FROM bets WHERE account_id = $1 ORDER BY id LIMIT 4',
        [LISTED],
      );
      const page = { offset: 0, limit: 5, cursor: undefined, withTotals: true };
      for (let time = 0; time < 40; time += 1) {
        const userId = BigInt(String(users[time % users.length]?.id));
        const { items } = await listHistory(single, { ...history, userIds: [userId], page });
        expect(items).toHaveLength(5);
        for (const { bet } of items) expect([bet.requestingUserId, bet.acceptingUserId]).toContain(userId);
      }
      const plans = await single.shared.$queryRaw<{ generic: bigint }[]>`
        SELECT generic_plans AS generic FROM pg_prepared_statements WHERE name LIKE 'frequent %'`;
      expect(plans).toHaveLength(1);
      expect(Number(plans[0]?.generic)).toBeGreaterThan(0);
    } finally {
      await single.disconnect();
    }
  });
});

describe('a page by number of a long list', () => {
  interface Sorted {
    readonly from: string;
    readonly order: string;
  }

  /** Some are read from the far end of the list. */
  async function expectPages(
    read: (page: PageRequest) => Promise<List<{ readonly id?: bigint }, TotalRow>>,
    { from, order }: Sorted,
  ): Promise<void> {
    const rows = await environment.database.query(`SELECT listed.id FROM ${from} ORDER BY ${order}`);
    const ids = rows.map(({ id }) => BigInt(String(id)));
    const last = Math.ceil(ids.length / 100);
    expect(last).toBeGreaterThan(51);
    for (const number of new Set([1, 50, 51, 52, Math.ceil(last / 2), last - 1, last, last + 1])) {
      const { items, totals } = await read(numbered(number, 100));
      expect({ number, ids: items.map(({ id }) => id) }).toEqual({
        number,
        ids: ids.slice((number - 1) * 100, number * 100),
      });
      expect(totals?.total).toBe(BigInt(ids.length));
    }
  }

  const IS_OPEN = `offer_status = 'requesting' AND is_active`;
  const directions = ['ASC', 'DESC'] as const;
  const ordersOf = <Field extends string>(fields: readonly Field[]) =>
    fields.flatMap((sortBy) => directions.map((direction) => ({ sortBy, direction })));
  const ofAccounts = (accountIds: readonly bigint[]) => `bets listed WHERE account_id IN (${accountIds})`;

  it.each(ordersOf(openBetSortFields))('has its open bets by $sortBy $direction', async ({ sortBy, direction }) => {
    const descending = direction === 'DESC';
    const order = `${sortBy} ${direction}, id ${direction}`;
    for (const accountIds of [[LISTED], [ACCOUNT, LISTED]]) {
      const read = (page: PageRequest) => listOpenBets(database, { ...openBets, accountIds, sortBy, descending, page });
      await expectPages(read, { from: `${ofAccounts(accountIds)} AND ${IS_OPEN}`, order });
    }
  });

  it.each(ordersOf(historySortFields))('has its history by $sortBy $direction', async ({ sortBy, direction }) => {
    const descending = direction === 'DESC';
    const order = `${sortBy} ${direction} NULLS LAST, id ${direction}`;
    for (const accountIds of [[LISTED], [ACCOUNT, LISTED]]) {
      const read = async (page: PageRequest) => {
        const list = await listHistory(database, { ...history, accountIds, sortBy, descending, page });
        return { ...list, items: list.items.map(({ bet }) => bet) };
      };
      await expectPages(read, { from: ofAccounts(accountIds), order });
    }
  });

  it.each(ordersOf(userSortFields))('has its users by $sortBy $direction', async ({ sortBy, direction }) => {
    const sortOrder = direction === 'DESC' ? 'desc' : 'asc';
    const isMoney = sortBy === 'balance' || sortBy === 'exposure';
    const from = `users listed JOIN balances money ON user_id = listed.id WHERE listed.account_id = ${SETTLING}`;
    const read = (page: PageRequest) =>
      listUsers(database, SETTLING, { search: undefined, meta: {}, sortBy, sortOrder, page });
    await expectPages(read, {
      from,
      order: `${isMoney ? 'money' : 'listed'}.${sortBy} ${direction}, listed.id ${direction}`,
    });
  });

  it.each([
    ['all', {}, 'TRUE'],
    ['of one type', { type: 'credit' }, `transaction_type = 'credit'`],
    ['of one source', { source: 'bet' }, `transaction_source = 'bet'`],
  ] as const)('has its transactions: %s', async (_which, filter, condition) => {
    const read = (page: PageRequest) => listTransactions(database, LISTED, { ...transactions, ...filter, page });
    const from = `transactions listed WHERE account_id = ${LISTED} AND ${condition}`;
    await expectPages(read, { from, order: 'created_at, id' });
  });

  it('has no open bet whose wager is decided and being settled', async () => {
    await environment.database.query(
      `UPDATE wagers SET settling_since = now() WHERE account_id = $1 AND reference IN ('w0', 'w1', 'w2')`,
      [LISTED],
    );
    // The wager w0 is undecided.
    const decided = `SELECT id FROM wagers WHERE account_id = ${LISTED} AND reference IN ('w1', 'w2')`;
    const from = `${ofAccounts([LISTED])} AND ${IS_OPEN} AND wager_id NOT IN (${decided})`;
    await expectPages((page) => listOpenBets(database, { ...openBets, page }), { from, order: 'created_at, id' });
    const sum = await environment.database.query(`SELECT sum(requesting_amount)::text AS amount FROM ${from}`);
    const { totals } = await listOpenBets(database, { ...openBets, page: numbered(52, 100) });
    expect(String(totals?.totalRequestingAmount)).toBe(sum[0]?.amount);
  });
});
