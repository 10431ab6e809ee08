import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import type { FaultKind } from './fault-kind.js';

/** As if the workers had stood still for longer than a lease: others take over, and they do not know it. */
export async function endWebhookLeases(databaseUrl: string): Promise<void> {
  await withPostgresClient({ connectionString: databaseUrl }, (client) =>
    client.query('UPDATE webhook_endpoints SET lease = NULL, lease_until = NULL WHERE lease IS NOT NULL'),
  );
}

export const webhookFaults: readonly FaultKind[] = [
  {
    name: 'leases of webhooks ended under their workers',
    targets: ['PostgreSQL'],
    lasts: [0, 0],
    affects: () => [],
    inject: ({ cluster }) => endWebhookLeases(cluster.postgres.url),
  },
];
