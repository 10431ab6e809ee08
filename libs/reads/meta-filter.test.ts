import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '#platform/database/database.js';
import { insertBets, insertTransactions } from '#testing/list-rows.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { listHistory } from './bet-history.js';
import type { TextMeta } from './meta-filter.js';
import { listOpenBets } from './open-bet-list.js';
import { listTransactions } from './transaction-list.js';

// What a filter by `meta` costs PostgreSQL, by the buffers that its statements touch, and what a `meta` costs its index.

const ACCOUNT = 2n;
/** All in a few thousand buffers. */
const COUNT = 30_000;

const environment = withTestEnvironment(async () => database?.disconnect());
let database: Database;

const query = (sql: string) => environment.database.query(sql);

beforeAll(async () => {
  database = openDatabase({ url: environment.database.url, connections: 1, onConnectionError: () => undefined });
  await query(`INSERT INTO accounts (id, name, email) VALUES (${ACCOUNT}, 'b', 'b@example.com')`);
  await insertBets(environment.database, Number(ACCOUNT), COUNT);
  await insertTransactions(environment.database, Number(ACCOUNT), COUNT);
  await query(`ALTER TABLE bets DISABLE TRIGGER USER`);
  await query(`UPDATE bets SET meta = jsonb_build_object('channel', 'web', 'slip', 's' || id % 2000)`);
  await query(`ALTER TABLE bets ENABLE TRIGGER USER`);
  await query(`INSERT INTO movement_labels (account_id, transaction_id, meta)
    SELECT account_id, id, jsonb_build_object('channel', 'web', 'slip', 's' || id % 2000)
      FROM transactions WHERE transaction_source <> 'bet'`);
  await query('VACUUM ANALYZE');
});

const filters = {
  accountIds: [ACCOUNT],
  wagerReferences: undefined,
  userIds: undefined,
  userReferences: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  descending: true,
  page: { limit: 20, offset: 0, cursor: undefined, withTotals: false },
};
const lists: Readonly<Record<string, (meta: TextMeta) => Promise<{ readonly items: readonly unknown[] }>>> = {
  history: (meta) =>
    listHistory(database, { ...filters, outcomes: undefined, trails: 'none', sortBy: 'created_at', meta }),
  'open bets': (meta) => listOpenBets(database, { ...filters, sortBy: 'created_at', meta }),
  transactions: (meta) => listTransactions(database, ACCOUNT, { ...filters, type: undefined, source: undefined, meta }),
};

/** How many buffers all statements of a read touch, one after the other in one transaction, as they were sent. */
async function costOf(read: () => Promise<{ readonly items: readonly unknown[] }>) {
  const sending = jest.spyOn(pg.Client.prototype, 'query');
  const { items } = await read();
  const sent = sending.mock.calls.map(([statement]) => statement as unknown as pg.QueryConfig);
  sending.mockRestore();
  const client = new pg.Client(environment.database.url);
  await client.connect();
  let buffers = 0;
  await client.query('BEGIN');
  for (const { text, values } of sent.filter(({ text }) => /^\s*(\/\*.*?\*\/\s*)?(SELECT|WITH)/.test(text ?? ''))) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  await client.end();
  return { count: items.length, buffers };
}

describe('a filter by meta', () => {
  it.each(Object.keys(lists))('reads a page of a text that all rows have without collecting them: %s', async (name) => {
    const { count, buffers } = await costOf(() => lists[name]?.({ channel: 'web' }) ?? Promise.reject());
    expect(count).toBe(20);
    expect(buffers).toBeGreaterThan(20);
    expect(buffers).toBeLessThan(15_000);
  });

  it.each(Object.keys(lists))('finds the few rows of a text by the index: %s', async (name) => {
    const { count, buffers } = await costOf(() => lists[name]?.({ channel: 'web', slip: 's77' }) ?? Promise.reject());
    expect(count).toBeGreaterThan(3);
    expect(buffers).toBeLessThan(15_000);
  });
});

describe('the index of meta', () => {
  const inIndex = async (meta: unknown) => {
    const [row] = await environment.database.query('SELECT cardinality(public.meta_texts(1, $1::jsonb)) AS count', [
      JSON.stringify(meta),
    ]);
    return row?.count;
  };

  it('has the texts at its top alone, of any length', async () => {
    const long = Array.from({ length: 8_000 }, (_, index) => String.fromCodePoint(0x4e00 + index * 2)).join('');
    expect(await inIndex({ a: 'x', b: '', c: long, d: 1, e: null, f: [...'many'], g: { h: 'deep' } })).toBe(3);
    expect(await inIndex({})).toBe(0);
  });

  it.each(['bets', 'movement_labels'])('leaves nothing for others to merge: %s', async (table) => {
    const [index] = await query(`SELECT pg_get_indexdef('${table}_meta_idx'::regclass) AS text`);
    expect(index?.text).toContain("WITH (fastupdate=off) WHERE (meta <> '{}'::jsonb)");
  });
});
