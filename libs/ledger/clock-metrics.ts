import type { Reads } from '#platform/database/reads.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { readClockLag } from './clock.js';

/** How late the workers end what is due, read at each scrape. While PostgreSQL is away the gauge is absent. */
export function addClockMetrics({ gauge, beforeScrape }: Metrics, reads: Pick<Reads, 'run'>): void {
  const lag = gauge({
    name: 'ledger_clock_lag_seconds',
    help: 'For how long the wager or offer that is due longest has waited to be ended; 0 when none is due',
  });
  beforeScrape(async () => {
    const seconds = await withScrapeTimeout(() => reads.run(readClockLag));
    if (seconds === undefined) lag.remove();
    else lag.set(seconds);
  });
}
