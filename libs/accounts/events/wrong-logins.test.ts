import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase, withTx } from '#platform/database/database.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';
import { UNKNOWN_ACTOR } from './account-event.js';
import { recordEvents } from './record-events.js';
import { createWrongLogins } from './wrong-logins.js';

const environment = withTestEnvironment(async () => database?.disconnect());
let database: Database;

const onDropped = (count: number) => expect(count).toBe(0);
const query = (sql: string, values?: unknown[]) => environment.database.query(sql, values);

beforeAll(async () => {
  database = openDatabase({ url: environment.database.url, connections: 2, onConnectionError: () => undefined });
  await query(
    `INSERT INTO accounts (name, email) VALUES ('One', 'one@example.com'), ('Two', 'two@example.com'),
       ('Three', 'three@example.com')`,
  );
});

describe('wrong logins', () => {
  const eventsOf = (accountId: number) =>
    query(
      `SELECT address, (after ->> 'attempts')::int AS attempts FROM account_events WHERE account_id = $1 ORDER BY id`,
      [accountId],
    );

  it('become few rows, however many they are and wherever they come from, and none is lost', async () => {
    const wrongLogins = createWrongLogins({ database, logger: environment.logger, onDropped });
    for (let attempt = 0; attempt < 2_000; attempt += 1) {
      wrongLogins.note({ accountId: 1n, address: `2001:db8::${attempt % 500}`, requestId: null });
    }
    wrongLogins.note({ accountId: 2n, address: '203.0.113.7', requestId: 'guess' });
    await wrongLogins.close();
    const rows = await eventsOf(1);
    expect(rows.map(({ address }) => address)).toEqual(
      [0, 1, 2, 3, 4].map((n) => `2001:db8::${n}`).concat(null as never),
    );
    expect(rows.map(({ attempts }) => attempts)).toEqual([4, 4, 4, 4, 4, 1_980]);
    expect(await eventsOf(2)).toEqual([{ address: '203.0.113.7', attempts: 1 }]);
  });

  it('have the time of the first attempt, and stand before what followed it', async () => {
    const wrongLogins = createWrongLogins({ database, logger: environment.logger, onDropped });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      wrongLogins.note({ accountId: 3n, address: '203.0.113.9', requestId: null });
    }
    // A right password takes longer than this to check.
    const noted = performance.now();
    await waitFor(() => performance.now() > noted + 20);
    const cause = { actor: UNKNOWN_ACTOR, address: null, requestId: null };
    await withTx(database.shared, (tx) => recordEvents(tx, cause, [{ accountId: 3n, type: 'login' }]));
    await wrongLogins.close();
    const rows = await query('SELECT type FROM account_events WHERE account_id = 3 ORDER BY created_at, id');
    expect(rows).toEqual([{ type: 'login-refused' }, { type: 'login' }]);
  });

  it('are written when the database can be written again', async () => {
    const wrongLogins = createWrongLogins({ database, logger: environment.logger, onDropped, windowMs: 10 });
    await query('ALTER TABLE account_events RENAME TO account_events_away');
    wrongLogins.note({ accountId: 2n, address: '203.0.113.8', requestId: null });
    await waitFor(() => environment.logLines.some((line) => line.includes('wrong logins not written')));
    await query('ALTER TABLE account_events_away RENAME TO account_events');
    wrongLogins.note({ accountId: 2n, address: '203.0.113.8', requestId: null });
    await waitFor(async () => (await eventsOf(2)).reduce((sum, { attempts }) => sum + Number(attempts), 0) === 3);
    await wrongLogins.close();
  });
});
