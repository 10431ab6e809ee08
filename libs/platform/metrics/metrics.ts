import {
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

/** Updates gauges before a scrape. It must have a time limit of its own: a scrape waits for every refresh. */
type Refresh = () => void | Promise<void>;

/** The metrics of one process, and how Prometheus reads them. */
export interface Metrics {
  counter<Label extends string = never>(metric: CounterConfiguration<Label>): Counter<Label>;
  gauge<Label extends string = never>(metric: GaugeConfiguration<Label>): Gauge<Label>;
  histogram<Label extends string = never>(metric: HistogramConfiguration<Label>): Histogram<Label>;
  readonly contentType: string;
  beforeScrape(refresh: Refresh): void;
  /** The text that Prometheus reads. Concurrent scrapes share one. */
  scrape(): Promise<string>;
  /** Runs at the end of the process. */
  onClose(close: () => void): void;
  close(): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const refreshes: Refresh[] = [];
  const closes: (() => void)[] = [];
  let current: Promise<string> | undefined;

  async function scrapeNow(): Promise<string> {
    await Promise.all(refreshes.map((refresh) => refresh()));
    return registry.metrics();
  }

  return {
    counter: (metric) => new Counter({ ...metric, registers }),
    gauge: (metric) => new Gauge({ ...metric, registers }),
    histogram: (metric) => new Histogram({ ...metric, registers }),
    contentType: registry.contentType,
    beforeScrape: (refresh) => refreshes.push(refresh),
    scrape() {
      current ??= scrapeNow().finally(() => {
        current = undefined;
      });
      return current;
    },
    onClose: (close) => closes.push(close),
    close() {
      for (const close of closes) close();
    },
  };
}
