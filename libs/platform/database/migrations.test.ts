import { expect, it } from '@jest/globals';
import pg from 'pg';
import { countLockWaits, createDatabase } from '#testing/databases.js';
import { waitFor } from '#testing/wait-for.js';
import { applyMigrations } from './migrations.js';

it('the migration for health waits for a registration, and neither fails', async () => {
  // biome-ignore lint/style/noProcessEnv: set by the global setup
  const database = await createDatabase(process.env.TEST_SERVER_URL ?? '');
  const migrateUntil = (name: string) => applyMigrations(database.url, () => undefined, name);
  await migrateUntil('20261125010000_event_index');
  const registration = new pg.Client({ connectionString: database.url });
  await registration.connect();
  await registration.query(
    `BEGIN; INSERT INTO accounts (name, email, password_hash) VALUES ('a', 'a@example.com', 'x')`,
  );
  const migration = migrateUntil('20261125020000_health');
  await waitFor(async () => (await countLockWaits(database)) === 1);
  await registration.query(
    `INSERT INTO outbox (account_id, topic) SELECT id, 'verification-mail' FROM accounts; COMMIT`,
  );
  await registration.end();
  expect(await migration).toEqual(['20261125020000_health']);
  expect(await database.query('SELECT topic, moved_at FROM outbox')).toEqual([
    { topic: 'verification-mail', moved_at: null },
  ]);
  await database.drop();
});
