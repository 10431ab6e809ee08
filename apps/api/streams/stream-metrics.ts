import type { Metrics } from '#platform/metrics/metrics.js';
import { endRetryMs, type StreamKind, streamKinds } from './open-stream.js';

export interface StreamMetrics {
  onEnd(kind: StreamKind, end: string): void;
  /** An event was written to a stream, so long after its commit, by two clocks: PostgreSQL's and this machine's. */
  onLive(ageMs: number): void;
  /** Before each scrape. */
  countOpen(countOf: (kind: StreamKind) => number): void;
}

export function addStreamMetrics({ counter, gauge, histogram, beforeScrape }: Metrics): StreamMetrics {
  const open = gauge({ name: 'ledger_streams_open', help: 'Streams that are open at present', labelNames: ['kind'] });
  const ended = counter({
    name: 'ledger_streams_ended_total',
    help: 'Streams that have ended, by who or what ended them',
    labelNames: ['kind', 'end'],
  });
  const lag = histogram({
    name: 'ledger_stream_lag_seconds',
    help: 'From the commit of an event to its frame, of streams that are up to date',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5],
  });
  for (const kind of streamKinds) {
    for (const end of ['caller', 'stalled', ...Object.keys(endRetryMs)]) ended.inc({ kind, end }, 0);
  }
  return {
    onEnd: (kind, end) => ended.inc({ kind, end }),
    onLive: (ageMs) => lag.observe(Math.max(0, ageMs) / 1_000),
    countOpen(countOf) {
      beforeScrape(() => {
        for (const kind of streamKinds) open.set({ kind }, countOf(kind));
      });
    },
  };
}
