import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#platform/database/database.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { UNKNOWN_ACTOR } from './account-event.js';
import { createNotedEvents, type NotedEvent } from './noted-events.js';

const environment = withTestEnvironment(async () => database?.disconnect());
let database: Database;
let dropped = 0;

const query = (sql: string) => environment.database.query(sql);
const cause = { actor: { ...UNKNOWN_ACTOR, type: 'admin', account_id: 9 }, address: null, requestId: null } as const;
const readOf = (accountId: bigint, route = 'GET /wagers'): NotedEvent => ({
  accountId,
  type: 'admin-read',
  after: { route },
  cause,
});
const open = (delayMs?: number) =>
  createNotedEvents({
    database,
    logger: environment.logger,
    onDropped(events) {
      dropped += events;
    },
    ...(delayMs !== undefined && { delayMs }),
  });
const eventsOf = (accountId: bigint) =>
  query(`SELECT after ->> 'route' AS route FROM account_events WHERE account_id = ${accountId} ORDER BY id`);

beforeAll(async () => {
  database = openDatabase({ url: environment.database.url, connections: 4, onConnectionError: () => undefined });
  await query(
    `INSERT INTO accounts (name, email)
     SELECT 'Tenant', 'tenant' || n || '@example.com' FROM generate_series(1, 6000) n`,
  );
});

describe('noted events', () => {
  it('are events of the accounts that exist, and of no other', async () => {
    const reads = open();
    for (const account of [1n, 999_999_999n, 2n]) reads.note(readOf(account));
    await reads.close();
    expect(await eventsOf(1n)).toEqual([{ route: 'GET /wagers' }]);
    expect(await eventsOf(2n)).toEqual([{ route: 'GET /wagers' }]);
    expect(await eventsOf(999_999_999n)).toEqual([]);
  });

  it('are written once, though processes write the same ones at the same time, in any order', async () => {
    const accounts = Array.from({ length: 1_000 }, (_, index) => BigInt(index + 1_000));
    const processes = [open(), open(), open()];
    for (const [index, reads] of processes.entries()) {
      for (const account of index === 1 ? [...accounts].reverse() : accounts) reads.note(readOf(account, 'GET /once'));
    }
    await Promise.all(processes.map((reads) => reads.close()));
    const rows = await query(
      `SELECT count(*)::int AS events, count(DISTINCT (account_id, once_key))::int AS keys,
              count(DISTINCT account_id)::int AS accounts FROM account_events WHERE after ->> 'route' = 'GET /once'`,
    );
    expect(rows[0]?.accounts).toBe(1_000);
    expect(rows[0]?.events).toBe(rows[0]?.keys);
    expect(environment.logLines.filter((line) => line.includes('noted events not written'))).toEqual([]);
  });

  it('of a quota are written once an hour, whatever process notes them', async () => {
    const refusal: NotedEvent = { accountId: 5n, type: 'quota-refused', after: { quota: 'streams' }, cause };
    const hourOf = () => query(`SELECT floor(extract(epoch FROM clock_timestamp()) / 3600) AS hour`);
    let hours: unknown[];
    do {
      await query(`SET session_replication_role = replica; DELETE FROM account_events WHERE account_id = 5`);
      hours = [await hourOf()];
      for (const quota of ['streams', 'lists', 'streams']) {
        const noted = open();
        noted.note({ ...refusal, after: { quota } });
        noted.note({ ...refusal, after: { quota } });
        await noted.close();
      }
      hours.push(await hourOf());
    } while (JSON.stringify(hours[0]) !== JSON.stringify(hours[1]));
    const rows = await query(`SELECT after ->> 'quota' AS quota FROM account_events WHERE account_id = 5 ORDER BY id`);
    expect(rows).toEqual([{ quota: 'streams' }, { quota: 'lists' }]);
  });

  it('have the time at which they were noted', async () => {
    const reads = open();
    reads.note(readOf(6n, 'GET /before'));
    const noted = performance.now();
    await waitFor(() => performance.now() > noted + 20);
    const [after] = await query('SELECT clock_timestamp() AS at');
    await reads.close();
    const rows = await environment.database.query(
      'SELECT created_at < $1 AS "isBefore" FROM account_events WHERE account_id = 6',
      [after?.at],
    );
    expect(rows).toEqual([{ isBefore: true }]);
  });

  it('wait while PostgreSQL takes none, up to 5,000, and those beyond are counted', async () => {
    const reads = open(10);
    await query('ALTER TABLE account_events RENAME TO account_events_away');
    for (let account = 1n; account <= 5_010n; account += 1n) reads.note(readOf(account, 'GET /late'));
    expect(dropped).toBe(10);
    await waitFor(() => environment.logLines.some((line) => line.includes('noted events not written: trying again')));
    await query('ALTER TABLE account_events_away RENAME TO account_events');
    await waitFor(async () => (await eventsOf(5_000n)).length === 1);
    expect(await eventsOf(5_010n)).toEqual([]);
    reads.note(readOf(5_010n, 'GET /late'));
    await reads.close();
    expect(await eventsOf(5_010n)).toEqual([{ route: 'GET /late' }]);
    expect(dropped).toBe(10);
  });
});
