import { expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { runCli } from '#testing/run-cli.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestApi } from '#testing/with-test-api.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';

// Not on a cluster: there the audit waits on a node, where the coordinator does not see it.
const api = withTestApi();

/** Breaks the connection of the audit while it waits for a table, which is free from then on. */
const cutOffAudit = () =>
  withPostgresClient({ connectionString: api.database.url }, async (holder) => {
    await holder.query('BEGIN; LOCK TABLE webhook_endpoints IN ACCESS EXCLUSIVE MODE');
    const ended = runCli('audit', [], { DATABASE_URL: api.database.url });
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await waitFor(async () => (await api.database.query(cut)).length === 1, { timeoutMs: 60_000 });
    return { ended };
  });

it('an audit that is cut off leaves no verdict', async () => {
  await registerAndLogIn(api.client);
  const { ended } = await cutOffAudit();
  expect((await ended).code).toBe(2);
  expect(await api.database.query('SELECT FROM command_audits')).toEqual([]);
});
