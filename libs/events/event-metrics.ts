import { type AccountTables, Prisma } from '#platform/database/database.js';
import type { Reads } from '#platform/database/reads.js';
import { queryRows } from '#platform/database/statements.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import { type EventTail, type OnLogged, type WakeReason, wakeReasons } from './event-signals.js';

/** How much the logs grow by this process. */
export function addLogMetrics({ counter }: Metrics): OnLogged {
  const events = counter({
    name: 'ledger_events_total',
    help: 'Events that this process has added to the logs of accounts',
  });
  return (_accountIds, eventCount) => events.inc(eventCount);
}

interface IndexRow {
  readonly unindexed: bigint | null;
}

/** How far the indexes are behind, read at each scrape. While PostgreSQL is away the gauge is absent. */
export function addIndexMetrics({ gauge, beforeScrape }: Metrics, reads: Pick<Reads, 'run'>): void {
  const lag = gauge({
    name: 'ledger_event_index_lag_events',
    help: 'Events of the account that is furthest behind which are in its log and not in its index',
  });
  const read = (tables: AccountTables) =>
    queryRows<IndexRow>(
      tables,
      Prisma.sql`
      SELECT max(h.last_seq - coalesce(i.indexed_seq, 0)) AS unindexed
        FROM event_heads h LEFT JOIN event_indexes i ON i.account_id = h.account_id`,
    );
  beforeScrape(async () => {
    lag.remove();
    const parts = await withScrapeTimeout(() => reads.run((database) => database.inAll(read)));
    if (parts !== undefined) lag.set(Math.max(0, ...parts.flat().map(({ unindexed }) => Number(unindexed ?? 0))));
  });
}

/** Why readers that wait for events were woken: many by `poll` mean that signals do not arrive. */
export function addWakeMetrics({ counter }: Metrics): (reason: WakeReason) => void {
  const wakes = counter({
    name: 'ledger_event_wakes_total',
    help: 'Readers that waited for events and were woken, by what woke them',
    labelNames: ['by'],
  });
  for (const by of wakeReasons) wakes.inc({ by }, 0);
  return (by) => wakes.inc({ by });
}

const MICROSECONDS = 1_000_000;

/** By two clocks, PostgreSQL's and this machine's. */
export function addLagMetrics({ histogram }: Metrics): (at: bigint) => void {
  const lag = histogram({
    name: 'ledger_event_lag_seconds',
    help: 'From the commit of an event to the answer that shows it to a reader who waited',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5],
  });
  return (at) => lag.observe(Math.max(0, Date.now() / 1_000 - Number(at) / MICROSECONDS));
}

export function addTailMetrics({ gauge, beforeScrape }: Metrics, tail: EventTail): void {
  const waiting = gauge({ name: 'ledger_event_waiting', help: 'Readers that wait for events at present' });
  beforeScrape(() => waiting.set(tail.waiterCount()));
}
