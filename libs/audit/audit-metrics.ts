import type { Database } from '#platform/database/database.js';
import type { Reads } from '#platform/database/reads.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { readAuditLag } from './audit-lag.js';

async function read(database: Database) {
  const { seconds } = await readAuditLag(database);
  const counts = await database.inAll(
    (tables) => tables.$queryRaw<[{ disputes: number }]>`SELECT count(*)::int AS disputes FROM disputes`,
  );
  return { seconds, disputes: counts.reduce((sum, [{ disputes }]) => sum + disputes, 0) };
}

/** Read from PostgreSQL at each scrape. While PostgreSQL is away the gauges are absent. */
export function addAuditMetrics({ gauge, beforeScrape }: Metrics, reads: Pick<Reads, 'run'>): void {
  const age = gauge({
    name: 'ledger_audit_age_seconds',
    help: 'For how long no nightly audit has confirmed the account that waits longest',
  });
  const disputes = gauge({
    name: 'ledger_disputed_users',
    help: 'Users whose balance is disputed: a check found stored figures that differ from the facts',
  });
  beforeScrape(async () => {
    const figures = await withScrapeTimeout(() => reads.run(read));
    if (figures === undefined) {
      age.remove();
      disputes.remove();
      return;
    }
    age.set(figures.seconds);
    disputes.set(figures.disputes);
  });
}
