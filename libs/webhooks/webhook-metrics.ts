import type { AccountTables } from '#platform/database/database.js';
import type { Reads } from '#platform/database/reads.js';
import type { Metrics } from '#platform/metrics/metrics.js';
import { withScrapeTimeout } from '#platform/metrics/scrape-timeout.js';
import type { WebhookResult } from './sender.js';
import { attemptErrors, type EndpointState, endpointStates } from './webhook-endpoint.js';

const TAKEN = 'taken';
const MS = 1_000;

/** Counts the requests of this process. All series exist from the start. */
export function addAttemptMetrics({ counter, histogram }: Metrics): (result: WebhookResult) => void {
  const attempts = counter({
    name: 'ledger_webhook_attempts_total',
    help: 'Requests to webhook endpoints, by what came of them',
    labelNames: ['result'],
  });
  const durations = histogram({
    name: 'ledger_webhook_attempt_seconds',
    help: 'How long webhook endpoints took to answer',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  });
  for (const result of [TAKEN, ...attemptErrors]) attempts.inc({ result }, 0);
  return ({ error, durationMs }) => {
    attempts.inc({ result: error ?? TAKEN });
    durations.observe(durationMs / MS);
  };
}

interface StateRow {
  readonly state: EndpointState;
  readonly endpoints: number;
  /** Of the endpoint that is furthest behind; null: none is. */
  readonly seconds: number | null;
}

/** The oldest event that an endpoint has not taken, or has not looked at yet. */
const readStates = (tables: AccountTables): Promise<StateRow[]> => tables.$queryRaw<StateRow[]>`
  SELECT e.state, count(*)::int AS endpoints,
         extract(epoch FROM max(now() - g.at))::float8 AS seconds
    FROM webhook_endpoints e
    LEFT JOIN LATERAL (
      SELECT at FROM event_groups
       WHERE account_id = e.account_id AND last_seq > coalesce((
         SELECT min(coalesce(d.from_seq, d.seq - 1)) FROM webhook_deliveries d
          WHERE d.account_id = e.account_id AND d.endpoint_id = e.id), e.cursor_seq)
       ORDER BY last_seq LIMIT 1) g ON true
   GROUP BY e.state`;

/** The state of all endpoints, read at each scrape. While PostgreSQL is away the gauges are absent. */
export function addEndpointMetrics({ gauge, beforeScrape }: Metrics, reads: Pick<Reads, 'run'>): void {
  const endpoints = gauge({
    name: 'ledger_webhook_endpoints',
    help: 'Webhook endpoints, by their state',
    labelNames: ['state'],
  });
  const lag = gauge({
    name: 'ledger_webhook_lag_seconds',
    help: 'The age of the oldest event that an endpoint of this state has not taken; 0 when there is none',
    labelNames: ['state'],
  });
  beforeScrape(async () => {
    endpoints.reset();
    lag.reset();
    const parts = await withScrapeTimeout(() => reads.run((database) => database.inAll(readStates)));
    if (parts === undefined) return;
    for (const state of endpointStates) {
      const rows = parts.flat().filter((row) => row.state === state);
      endpoints.set(
        { state },
        rows.reduce((sum, row) => sum + row.endpoints, 0),
      );
      lag.set({ state }, Math.max(0, ...rows.map(({ seconds }) => seconds ?? 0)));
    }
  });
}
