import { Gauge } from 'prom-client';
import type { Database } from '#platform/database/database.js';
import { inAllPlacements } from '#platform/database/placement.js';
import type { Reads } from '#platform/database/reads.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { readAuditLag } from './audit-lag.js';

async function read(database: Database) {
  const { seconds } = await readAuditLag(database);
  const counts = await inAllPlacements(
    database,
    (placement) => placement.$queryRaw<[{ repairs: number }]>`
      SELECT count(*)::int AS repairs FROM portfolio_repairs WHERE created_at > now() - interval '1 day'`,
  );
  return { seconds, repairs: counts.reduce((sum, [{ repairs }]) => sum + repairs, 0) };
}

/** Read from PostgreSQL at each scrape. While PostgreSQL is away the gauges are absent. */
export function addAuditMetrics({ registry, beforeScrape }: Metrics, reads: Pick<Reads, 'run'>): void {
  const registers = [registry];
  const age = new Gauge({
    name: 'ledger_audit_age_seconds',
    help: 'For how long no nightly audit has confirmed the account that waits longest',
    registers,
  });
  const repairs = new Gauge({
    name: 'ledger_portfolio_repairs',
    help: 'Stored figures that differed from the facts and were repaired in the last 24 hours',
    registers,
  });
  beforeScrape(async () => {
    const figures = await withScrapeTimeout(() => reads.run(read));
    if (figures === undefined) {
      age.remove();
      repairs.remove();
      return;
    }
    age.set(figures.seconds);
    repairs.set(figures.repairs);
  });
}
