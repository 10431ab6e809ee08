import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { type Database, openDatabase } from '#platform/database/database.js';
import { createTestEnvironment, type TestEnvironment } from '#testing/environment.js';
import { createRefusedCalls, SHARES } from './refused-calls.js';

let environment: TestEnvironment;
let database: Database;
let nowMs = 0;
let dropped: Record<string, number> = {};

const MINUTE_MS = 60_000;
/** A sandbox that is being deleted. */
const REMOVED = 7_000n;
/** Later than the test: only `close` writes. */
const NEVER_MS = 60_000;

const open = () =>
  createRefusedCalls({
    database,
    logger: environment.logger,
    delayMs: NEVER_MS,
    now: () => nowMs,
    onDropped(reason, calls) {
      dropped[reason] = (dropped[reason] ?? 0) + calls;
    },
  });

const requestOf = (accountId?: bigint) =>
  ({
    method: 'GET',
    baseUrl: '',
    route: { path: '/wagers' },
    user: accountId && { account: { accountId }, tokenId: 7n },
  }) as unknown as Request;
const response = { locals: { requestId: 'an "id"' } } as unknown as Response;
const refusal = { status: 429, code: 'rate-limited' } as const;

const rowsOf = async (accountId: bigint) => {
  const [row] = await environment.database.query(
    `SELECT count(*)::int AS rows FROM refused_calls WHERE account_id = ${accountId}`,
  );
  return row?.rows;
};

beforeAll(async () => {
  environment = await createTestEnvironment();
  await environment.database.query(`
    INSERT INTO accounts (id, name, email) SELECT n, 'a', n || '@example.com' FROM generate_series(1, 6000) n;
    INSERT INTO accounts (id, name, email, sandbox_of, removed_since)
      VALUES (${REMOVED}, 'a', 'removed@example.com', 1, now())`);
  database = openDatabase({ url: environment.database.url, connections: 4, onConnectionError: () => undefined });
});

afterAll(async () => {
  await database?.disconnect();
  await environment?.close();
});

beforeEach(async () => {
  await environment.database.query('TRUNCATE refused_calls');
  nowMs = 1_000_000;
  dropped = {};
});

describe('refused calls', () => {
  it('are written later, as they were, and only of callers that are known', async () => {
    const calls = open();
    calls.note(requestOf(1n), response, refusal);
    calls.note(requestOf(), response, refusal);
    expect(await rowsOf(1n)).toBe(0);
    await calls.close();
    const columns =
      'account_id::int, method, route, status, code, request_id, key_kind, key_id::int, key_name, created_at';
    expect(await environment.database.query(`SELECT ${columns} FROM refused_calls`)).toEqual([
      {
        account_id: 1,
        method: 'GET',
        route: '/wagers',
        status: 429,
        code: 'rate-limited',
        request_id: 'an "id"',
        key_kind: 'session',
        key_id: 7,
        key_name: null,
        created_at: expect.any(Date),
      },
    ]);
  });

  it('of an account with many are a sample, which takes nothing from others', async () => {
    const calls = open();
    const { atOnce, perHour } = SHARES.account;
    for (let call = 0; call < atOnce + 50; call += 1) calls.note(requestOf(1n), response, refusal);
    calls.note(requestOf(2n), response, refusal);
    expect(dropped).toEqual({ account: 50 });
    nowMs += 3 * MINUTE_MS;
    for (let call = 0; call < 10; call += 1) calls.note(requestOf(1n), response, refusal);
    const later = (3 * perHour) / 60;
    expect(dropped).toEqual({ account: 50 + 10 - later });
    await calls.close();
    expect([await rowsOf(1n), await rowsOf(2n)]).toEqual([atOnce + later, 1]);
  });

  it('of all accounts together are bounded too, in memory and in what is written', async () => {
    const calls = open();
    for (let account = 1; account <= 3_000; account += 1) calls.note(requestOf(BigInt(account)), response, refusal);
    expect(dropped).toEqual({ waiting: 1_000 });
    for (let account = 3_001; account <= 6_000; account += 1) calls.note(requestOf(BigInt(account)), response, refusal);
    const beyond = 6_000 - SHARES.process.atOnce;
    expect(dropped).toEqual({ waiting: 4_000 - beyond, process: beyond });
    await calls.close();
    expect(await environment.database.query('SELECT count(*)::int AS rows FROM refused_calls')).toEqual([
      { rows: 2_000 },
    ]);
  });

  it('of a sandbox that is being deleted, or is gone, are not written, and take no others with them', async () => {
    const calls = open();
    for (const account of [REMOVED, REMOVED + 1n, 1n]) calls.note(requestOf(account), response, refusal);
    await calls.close();
    expect([await rowsOf(REMOVED), await rowsOf(REMOVED + 1n), await rowsOf(1n)]).toEqual([0, 0, 1]);
  });

  it('wait while they cannot be written', async () => {
    const calls = open();
    calls.note(requestOf(1n), response, refusal);
    await environment.database.query('ALTER TABLE refused_calls RENAME TO away');
    await calls.close();
    await environment.database.query('ALTER TABLE away RENAME TO refused_calls');
    expect(await rowsOf(1n)).toBe(0);
    await calls.close();
    expect(await rowsOf(1n)).toBe(1);
    expect(dropped).toEqual({});
  });
});
